package conference

import (
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// state describes how far a change takes effect. The state determines the applicable rules, and a rule may apply in several
// states.
type state uint8

const (
	ignored   state = 1 << iota // the request cannot change the stored data
	unchanged                   // the request sends back the stored data
	locked                      // the stored conference cannot be changed
	effective                   // the data would be stored, or a server returned it
	empty                       // the data is absent
)

// input is a change with its state and findings.
type input struct {
	Change
	state  state
	report engine.Collector
}

// inputs is a pool of inputs, which saves an allocation per check.
var inputs = sync.Pool{New: func() any { return new(input) }}

// partial reports whether the change is a patch of unknown data. The stored data may contain members that Next lacks.
func (c *input) partial() bool { return c.Unknown && c.On == diag.Patch }

// check is the check of a rule, which runs only in the given states.
type check struct {
	states state
	run    func(*input, engine.Reporter)
}

// in returns the check of a rule that runs only in the given states.
func in(states state, run func(*input, engine.Reporter)) *check { return &check{states, run} }

// run checks the rules that apply to the change.
func (c *input) run(rules []*diag.Rule) {
	for _, r := range rules {
		if check, ok := r.Check.(*check); ok && check.states&c.state != 0 && r.When.Has(c.On) {
			check.run(c, c.report.For(r, ""))
		}
	}
}

// rules lists the rules of this package in the order in which they run, which is the order of the members in the documents.
var rules = []*diag.Rule{
	&required, &version,
	&requestID, &requestIDRepeated, &requestPending, &requestStatus, &requestUnspecified,
	&typeCreate, &typeEnum, &typeUnknown, &idForm, &signature, &notes,
	&entryType, &entryCardinality, &entryOnlyMore, &entryURI, &entryURIForm, &entryLabel, &entryMoreLabel, &entryCode, &entryDisplayed,
}

// The rules are checked in two stages. Rules about cases that the documents leave open run last.
var (
	aboutSilence = []*diag.Rule{&requestUnspecified}
	aboutData    = slices.DeleteFunc(slices.Clone(rules), func(r *diag.Rule) bool { return r.Check == nil || r == &requestUnspecified })
)

// Rules returns the rules of this package, in the order in which they run.
func Rules() []*diag.Rule { return slices.Clone(rules) }

// section is the section about conference data in the documents.
const section = "calendar.md, conferenceData"
