package status

// Answer says what the documents have to say about a change.
type Answer uint8

// The zero value leaves the decision to the caller.
const (
	Unspecified Answer = iota // the documents do not show the change
	Unchanged                 // there is none
	Allowed                   // the documents state it
	Refused                   // the documents exclude it
)

// String names the answer.
func (a Answer) String() string {
	switch a {
	case Unchanged:
		return "unchanged"
	case Allowed:
		return "allowed"
	case Refused:
		return "refused"
	default:
		return "unspecified"
	}
}

// Trigger is what changes a status.
type Trigger uint8

const (
	Write  Trigger = iota // update or patch, by the status in the body
	Delete                // the operation delete
)

// Change is a change of an event's status. An absent status is [Confirmed].
type Change struct {
	From, To string
	By       Trigger
	Exists   bool // whether the event does; a delete needs one
}

// Transition answers for a change of an event's status. Only delete is stated: any existing
// event becomes [Cancelled]. What a write of another status does, restoring included, is not
// shown.
func Transition(c Change) Answer {
	switch {
	case c.By == Delete && !c.Exists:
		return Refused
	case c.By == Delete:
		return Allowed
	case Normal(c.From) == Normal(c.To):
		return Unchanged
	default:
		return Unspecified
	}
}

// Response answers for a change of an attendee's responseStatus: the documents list its
// values and show no transition between them.
func Response(from, to string) Answer { return listed(from, to) }

// Request answers for a change of the statusCode of a conference create request: it is known
// that generation is asynchronous, and no transition is shown.
func Request(from, to string) Answer { return listed(from, to) }

// listed answers where the documents give the values and nothing more.
func listed(from, to string) Answer {
	if from == to {
		return Unchanged
	}
	return Unspecified
}
