package command

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/operation"
)

// checkFlags are the flags of the command check.
type checkFlags struct {
	op       *choice
	params   []string
	profile  *choice
	stored   string
	exitZero bool
	maxSize  size
	selection
	reportFlags
	streamFlags
}

const checkLong = `Check events against the rules. Each FILE contains one event, the body of a
request. A directory means the *.json files in it and below, and - means standard
input.

Findings are written one per line:

  file:line:column: kind path: message [rule]

The kind is reject, ignore (the value has no effect), advise, or unspecified
(the documents do not say). The path is a JSON Pointer; ?name is a query
parameter and has no line. On a terminal, the line of the file follows. Use
'calrules explain RULE' to learn more about a rule.

A FILE may also be a page of events, as events.list answers: each event in it is
checked, and paths begin with /items and the index.

With --op patch or update, each FILE is a change to the event in --stored. A
finding about a member of the stored event is reported at the object in the
change that encloses it. Operations without a body, such as move, take --stored
and no FILE.

--select and --ignore choose rules by id, by a prefix such as time, or by basis,
such as basis:observed. The more specific entry wins. A configuration file,
calrules.toml or calrules.json in the working directory or above it, may contain
select, ignore, profile, dialect and grade (rules, prefixes with a dot or bases,
each with reject, advise or off); 'calrules schema config' writes its schema.

` + streamHelp + `
The members of a request are id, op, params, body (or bodyText, a string),
existing, series, ifMatch, caller, calendar, grade and dialect. The members of an
answer are id, accepted, findings and, if accepted, event, stored (the event to
store, if it differs from event) and remainder (for a move that leaves a
cancelled event behind). Answers are written as soon as no more input is ready,
so the stream may be endless. At most 16 MiB of requests and 16 MiB of answers are
in memory, plus one of each for every processor, however slowly the answers are
read.

--op and --param apply to lines without op or the parameter. With --op, a line is
an event, the body of the operation, if it has no member of a request other than
id. A blank line is not an event.

An event that is created without an id gets one made from a hash of the file or
line, so equal requests have equal answers.`

const checkExample = `  calrules check event.json
  calrules check --param supportsAttachments=true events/
  calrules check --op patch --stored event.json change.json
  calrules check --op move --param destination=team@example.com --stored event.json
  curl -s https://example.com/event.json | calrules check --op response -
  calrules check --format ndjson events/ | jq -r 'select(.accepted | not).file'
  calrules check --format sarif --ignore basis:observed events/ >calrules.sarif
  calrules check --ndjson <requests.ndjson >answers.ndjson
  calrules check --ndjson --op import <events.ndjson >answers.ndjson`

func newCheck(c *console) *cobra.Command {
	flags := &checkFlags{
		op:          newChoice(fileOperations()...),
		profile:     newChoice(reference.ProfileNames()...),
		reportFlags: newReportFlags(),
	}
	command := &cobra.Command{
		Use:     "check [flags] FILE...",
		Short:   "Check events, or a stream of requests",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(_ *cobra.Command, args []string) error {
			c.quiet = flags.quiet
			if flags.ndjson {
				return checkStream(c, flags, args)
			}
			return checkFiles(c, flags, args)
		},
	}
	flags.add(command, c)
	return command
}

func (f *checkFlags) add(command *cobra.Command, c *console) {
	set := command.Flags()
	set.SortFlags = false
	f.op.value, f.op.short = string(operation.EventsInsert), eventsPrefix
	f.op.add(command, "op", "`operation` to check; the prefix events. may be left out: "+strings.Join(f.op.choices, ", "))
	addParams(command, &f.op.value, &f.params)
	set.StringVar(&f.stored, "stored", "", "`file` with the stored event")
	f.profile.add(command, "profile", "grading: strict also rejects advice and what has no effect; lenient rejects only what the documents or RFCs reject; documented leaves out observed rules")
	f.selection.add(command, c.completeRules)
	f.reportFlags.add(command)
	set.BoolVar(&f.exitZero, "exit-zero", false, "exit with status 0 even if a finding rejects")
	addMaxSize(command, &f.maxSize)
	f.streamFlags.add(command)
}

// checker returns the checker with the grading of the flags or, where they are not set, of the configuration.
func (f *checkFlags) checker(c *console) event.Checker {
	profile, rules := f.profile.value, f.selection
	if !f.changed("profile") {
		profile = c.config.profile
	}
	if !f.changed("select") {
		rules.selected = c.config.rules.selected
	}
	if !f.changed("ignore") {
		rules.ignored = c.config.rules.ignored
	}
	return c.graded(c.config.gradingWith(profile, rules, c.checker.Catalogue()))
}

// validate reports flags that have wrong values or cannot be combined.
func (f *checkFlags) validate(c *console) error {
	return cmp.Or(f.selection.validate(c.checker.Catalogue()), f.reportFlags.validate())
}

// eventsPrefix begins the ids of the operations on events. It may be left out on the command line.
const eventsPrefix = "events."

// fileOperations returns the operations that take files: operations whose body is an event, operations on a stored
// event, and the check of a response.
func fileOperations() []string {
	var ids []string
	for op := range operation.All() {
		if op.EventBody || aboutStored.Has(op.When) {
			ids = append(ids, string(op.ID))
		}
	}
	return append(ids, string(operation.Response))
}

// Operations on a stored event. The operations in aboutStored have no body.
const (
	aboutStored = occasion.Move | occasion.Delete | occasion.Get | occasion.List | occasion.Instances
	withStored  = diag.Modify | aboutStored
)

// among reports whether an operation is one of the occasions.
func among(op operation.ID, when diag.When) bool {
	o, ok := operation.Lookup(op)
	return ok && when.Has(o.When)
}
