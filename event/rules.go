package event

import (
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// check is the type of the functions that check the rules of this package.
type check = diag.CheckFunc[*input]

// reportIf returns a check that reports the message at the path if the rule is broken.
func reportIf(path diag.Pointer, broken func(*input) bool, message string) check {
	return func(in *input, r diag.Reporter) {
		if broken(in) {
			r.Say(path, diag.Data{}, message)
		}
	}
}

// rules are the rules of this package, in the order in which they run.
var rules = slices.Concat(
	jsonrule.Rules(), identityRules, serverRules, labelRules, timeRules, valueRules, attendeeRules, partRules, typeRules,
	birthdayRules, cancelledRules, changeRules, operationRules,
)

// boundRule is a rule in the form in which it runs.
type boundRule struct {
	*diag.Rule
	check check
	reads object.Set // the rule is checked if one of the members changes, or always if there are none
	about object.Set // the rule is only checked if one of the members is present, or always if there are none
}

// rulesOn lists the rules to check on each single occasion.
var rulesOn map[diag.When][]boundRule

func indexByOccasion(rules []*diag.Rule) map[diag.When][]boundRule {
	index := map[diag.When][]boundRule{}
	for _, r := range rules {
		if r.Check == nil {
			continue
		}
		bound := boundRule{Rule: r, check: bind(r)}
		if r.Scope == diag.OfEvent {
			bound.reads = membersOf(r)
		}
		// An event without the members may break a rule about a request, one of the caller's own, and this:
		if _, ours := r.Check.(check); ours && r.Scope != diag.OfRequest && r != &importParty {
			bound.about = membersOf(r)
		}
		for on := diag.When(1); diag.All.Has(on); on <<= 1 {
			if r.When.Has(on) {
				index[on] = append(index[on], bound)
			}
		}
	}
	return index
}

// membersOf returns the top-level members that the rule reads.
func membersOf(r *diag.Rule) object.Set {
	var members object.Set
	for _, path := range r.Reads {
		name, _, _ := strings.Cut(path, ".")
		members |= of(strings.TrimSuffix(name, "[]"))
	}
	return members
}

// Catalogue returns the rules that [Check] applies: those of this package, then those of
// packages recurrence, conference and operation.
func Catalogue() *diag.Catalogue { return catalogue() }

var catalogue = sync.OnceValue(func() *diag.Catalogue {
	return diag.NewCatalogue(rules, recurrence.Rules(), conference.Rules(), operation.Rules())
})

// The sections of the documents, as the rules cite them.
const (
	sectionEvent      = "calendar.md, Event resource"
	sectionTimes      = "calendar.md, start, end, originalStartTime sub-fields"
	sectionPersons    = "calendar.md, creator and organizer sub-fields"
	sectionAttendees  = "calendar.md, attendees[] sub-fields"
	sectionReminders  = "calendar.md, reminders"
	sectionParts      = "calendar.md, source, attachments, properties by event type"
	sectionStates     = "calendar.md, States and transitions"
	sectionInsert     = "calendar.md, Events insert in detail"
	sectionOperations = "calendar.md, Behavior rules per operation"
	sectionObserved   = "observed"
)

// wasSent reports whether a string member was sent. An empty string that was written out is a
// value; an empty Go field is not.
func wasSent(value string, extra *object.Extra, name string) bool {
	return value != "" || extra.WasSent(name)
}
