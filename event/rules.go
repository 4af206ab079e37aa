package event

import (
	"slices"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// rule is a rule over one request.
type rule struct {
	*diag.Doc

	// Check reports what breaks the rule. It is nil where something else keeps it: decoding
	// the json rules, and the answer those of kind default and effect.
	Check func(*input, diag.Reporter)

	// Of are the members that the rule reads. A request that changes a stored event is asked
	// only where it changes one of them: what is stored is not the request's to answer for,
	// and an event that is read and sent back as it is must not be refused. The zero value
	// asks always.
	Of object.Set
}

// of names members of the event.
func of(names ...string) object.Set { return eventTable.Set(names...) }

// rules are the rules that this package owns, in the order in which they run. Those of the
// other rooms run after them.
var rules = slices.Concat(
	jsonRules,
	identityRules,
	serverRules,
	labelRules,
	timeRules,
	valueRules,
	attendeeRules,
	partRules,
	typeRules,
	birthdayRules,
	cancelledRules,
	changeRules,
	operationRules,
)

// rulesOn are the rules that can report something, by the one occasion of a request, in their
// order: most rules are silent on most occasions.
var rulesOn = indexByOccasion(rules)

func indexByOccasion(rules []rule) map[diag.When][]*rule {
	index := map[diag.When][]*rule{}
	for on := diag.When(1); diag.All.Has(on); on <<= 1 {
		for i := range rules {
			if r := &rules[i]; r.Check != nil && r.When.Has(on) {
				index[on] = append(index[on], r)
			}
		}
	}
	return index
}

// Catalogue returns the documentation of every rule that [Check] knows, those of the other
// rooms included: what was sent, the event from its identity to its type, its recurrence,
// its conference, and the operation.
func Catalogue() []*diag.Doc { return slices.Clone(catalogue) }

var catalogue = slices.Concat(
	docs(rules),
	recurrence.Catalogue(),
	conference.Catalogue(),
	operation.Catalogue(),
)

func docs(rules []rule) []*diag.Doc {
	list := make([]*diag.Doc, len(rules))
	for i := range rules {
		list[i] = rules[i].Doc
	}
	return list
}

var ruleIDs = indexByID(catalogue)

func indexByID(docs []*diag.Doc) map[string]*diag.Doc {
	index := make(map[string]*diag.Doc, len(docs))
	for _, doc := range docs {
		index[doc.ID] = doc
	}
	return index
}

func isRule(id string) bool { return ruleIDs[id] != nil }

// The sections of the documents, as the rules cite them.
const (
	sectionEvent     = "calendar.md, Event resource"
	sectionTimes     = "calendar.md, start, end, originalStartTime sub-fields"
	sectionPersons   = "calendar.md, creator and organizer sub-fields"
	sectionAttendees = "calendar.md, attendees[] sub-fields"
	sectionReminders = "calendar.md, reminders"
	sectionParts     = "calendar.md, source, attachments, properties by event type"
	sectionStates    = "calendar.md, States and transitions"
	sectionInsert    = "calendar.md, Events insert in detail"
	sectionObserved  = "observed of the public service"
)

// wrote reports whether a string member was sent: an empty string that was written out is a
// value, and an empty Go field is none.
func wrote(value string, rest *object.Rest, name string) bool {
	return value != "" || rest.Wrote(name)
}
