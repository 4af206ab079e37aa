package main

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

const (
	defaultOp      = "events.insert"
	defaultMaxSize = size(16 << 20)
)

// profiles are the gradings that have a name; the first is the default.
var profiles = []struct {
	name    string
	grading func() diag.Grading
}{
	{"default", func() diag.Grading { return diag.Grading{} }},
	{"strict", diag.Strict},
	{"lenient", diag.Lenient},
}

// checkFlags are the flags of the command check.
type checkFlags struct {
	op      string
	params  []string
	profile *choice
	stored  string
	format  *choice
	color   *choice
	maxSize size
	streamFlags

	changed func(name string) bool // whether a flag was given
}

const checkLong = `Check events against the rules. Each FILE holds one event, as the body of a request; a
directory stands for the *.json files below it, in alphabetical order; - is standard input.

Findings are written as compilers do, one a line:

  file:line:column: kind path: message [rule]

The kind is reject, ignore (sent, but without effect), advise or unspecified (the documents
are silent). The path is a JSON Pointer; ?name is a query parameter and has no line. On a
terminal the offending line follows. 'calrules explain RULE' tells more about a rule.

With --op events.patch or events.update each FILE is a change to the event in --stored. What
a finding says of a place that only the stored event has is told at what encloses it in the
change. The operations without a body, such as events.move, take no FILE: they are about the
event in --stored.

With --ndjson, check is a filter: each line of FILE, or of standard input, is one request,
a JSON object with the members id, op, params, body (or bodyText, a string), existing,
series, ifMatch, caller, calendar and grade. Each is answered by one line, in order, with
the members id, accepted, findings and, where it is accepted, event (with remainder, where
a move leaves something behind). A line that is no request, or is longer than --max-line,
is answered with id, accepted and error, and passed over; so is a blank line. The stream
may be endless: what is answered is written before the wait for more, and memory
depends only on the number of processors and on --max-line. What is found does not change
the exit status, which is 0 where the stream could be read and answered to its end.

The id of an event that is created without one is made from the SHA-256 of the file, or of
the line: equal requests are given equal answers on every machine.`

const checkExample = `  calrules check event.json
  calrules check --param supportsAttachments=true events/
  calrules check --op events.patch --stored event.json change.json
  calrules check --op events.move --param destination=team@example.com --stored event.json
  curl -s https://example.com/event.json | calrules check --op response -
  calrules check --format json events/ | jq -r 'select(.accepted | not).file'
  calrules check --ndjson <requests.ndjson >answers.ndjson`

func newCheck(c *console) *cobra.Command {
	flags := &checkFlags{
		profile: newChoice(profileNames()...),
		format:  newChoice(formatText, formatJSON, formatProblem),
		color:   newChoice(colorAuto, colorAlways, colorNever),
	}
	command := &cobra.Command{
		Use:     "check [flags] FILE...",
		Short:   "Check events, or a stream of requests",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.ndjson {
				return checkStream(c, flags, args)
			}
			return checkFiles(c, flags, args)
		},
	}
	flags.add(command)
	return command
}

func (f *checkFlags) add(command *cobra.Command) {
	set := command.Flags()
	set.SortFlags = false
	f.changed = set.Changed
	ops := fileOperations()
	set.StringVar(&f.op, "op", defaultOp, "the `operation` that is checked: "+strings.Join(ops, ", "))
	complete(command, "op", cobra.FixedCompletions(ops, cobra.ShellCompDirectiveNoFileComp))
	addParams(command, &f.op, &f.params)
	set.StringVar(&f.stored, "stored", "", "the `file` with the stored event that the operation is about")
	f.profile.add(command, "profile", "how findings count: strict refuses what a rule advises against, lenient only what the documents or RFCs refuse")
	f.format.add(command, "format", "how answers are written: json and problem (RFC 9457) write one object a line")
	f.color.add(command, "color", "when text looks as on a terminal, with colours and the offending line")
	addMaxSize(command, &f.maxSize)
	f.streamFlags.add(command)
}

func profileNames() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.name)
	}
	return names
}

// grading returns what the profile stands for.
func (f *checkFlags) grading() diag.Grading {
	for _, p := range profiles {
		if p.name == f.profile.value {
			return p.grading()
		}
	}
	return diag.Grading{}
}

// request returns what the requests of all files have in common, or an error that says which
// flag is wrong.
func (f *checkFlags) request() (event.Request, error) {
	req := event.Request{Op: operation.ID(f.op)}
	if reason := whyUnchecked(req.Op); reason != "" {
		return req, fmt.Errorf("%s%s", reason, didYouMean(f.op, fileOperations()))
	}
	var err error
	req.Params, err = readParams(f.params)
	return req, err
}

// fileOperations lists the operations that are checked by files: those whose body is an event
// or that are about a stored one, and the check of a response.
func fileOperations() []string {
	var ids []string
	for op := range operation.All() {
		if (op.EventBody || aboutStored.Has(op.When)) && whyUnchecked(op.ID) == "" {
			ids = append(ids, string(op.ID))
		}
	}
	return append(ids, string(operation.Response))
}

// The operations that have a stored event: those that have no body are about it alone.
const (
	aboutStored = diag.Move | diag.Delete | diag.Get | diag.List | diag.Instances
	withStored  = diag.Modify | aboutStored
)

// among reports whether the operation is among those of the occasions given.
func among(op operation.ID, when diag.When) bool {
	o, ok := operation.Lookup(op)
	return ok && when.Has(o.When)
}

// whyUnchecked returns why event.Check does not answer requests for the operation, or "".
func whyUnchecked(op operation.ID) string {
	result := event.Check(&event.Request{Op: op, Existing: new(event.Event), Body: []byte("{}")})
	return result.Error
}

// newChecker returns a checker for one request, which gives new events an id made from the
// text of the request.
func newChecker(grading diag.Grading, text []byte) *event.Checker {
	return &event.Checker{Grading: grading, NewID: func() string {
		sum := sha256.Sum256(text)
		return event.NewID([16]byte(sum[:]))
	}}
}
