package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/operation"
)

// checkFlags are the flags of the check command.
type checkFlags struct {
	op       *choice
	params   []string
	profile  *choice
	stored   string
	exitZero bool
	exclude  []string
	stdin    string  // the name of standard input
	answers  *choice // the form of answers to a stream
	fix      *choice
	diff     bool
	maxSize  size
	recordingFlags
	trafficFlags
	selection
	reportFlags
	streamFlags
}

const checkLong = `Check events against the rules. Each FILE contains one event, the body of a
request. A directory stands for the *.json files in it and its subdirectories, except
the files that --exclude matches; - is standard input.

Findings are written one per line:

  file:line:column: kind path: message [rule]

The kind is reject, ignore (the value has no effect), advise, or unspecified (the
documents leave the question open). The path is a JSON Pointer; ?name stands for a query
parameter, which has no line. On a terminal, the line of the file follows. 'calrules
explain RULE' explains a rule.

Without --dialect, the files are read in the dialect google if they contain a name or
value of Google Calendar, and none that only the documents use; otherwise, they are read
in the dialect documents. All files use the same dialect; the output ends with its name.

A FILE may also be a page of events, such as a response to events.list. Each event in
it is checked, and paths begin with /items and the index.

With --op patch or update, each FILE is a change to the event in --stored. A finding
about a member of the stored event is reported at the object in the change that encloses
it. Without --stored, check reports only faults that do not depend on the stored event.
Operations without a body, such as list, read no FILE; without --stored, check examines
only their parameters.

With --fix, check first fixes the mistakes in each FILE that have only one possible
correction, such as a missing colon in an offset or the case of a status; --fix=all also
makes changes that a person should approve. All other bytes of the file, and links to it,
are preserved. --diff shows the changes without making them; the exit status is then 1 if
there are changes. Parameters are not fixed.

With --har, each FILE is a recording of HTTP traffic, as exported by browsers and proxies.
Requests to the service are checked in order, against the events in earlier responses;
responses are checked as representations, and compared with the findings. Entries are
counted from 1. Paths and values in bodies are shown only with --values. Header fields
and queries are never shown, because they may contain credentials. With --cassette, the
recordings come from test libraries: go-vcr, VCR, vcrpy, betamax, Polly.js, nock and
WireMock; a directory stands for the recordings in it and its subdirectories.

A FILE may also be a request: a curl command line, or HTTP as written for the HTTP clients
of editors.

--select and --ignore select rules by id, by a prefix such as time, or by basis,
such as basis:observed. The more specific entry wins. A configuration file,
calrules.toml or calrules.json in the working directory or a parent directory, may
contain select, ignore, profile, dialect and grade (rules, prefixes or bases, each with
reject, advise or off); 'calrules schema config' writes its schema.

` + streamHelp + `

If an event is created without an id, its id is a hash of the file or line, so equal
requests have equal answers.`

const checkExample = `  calrules check event.json
  calrules check --dialect google event.json
  calrules check --param supportsAttachments=true events/
  calrules check --fix event.json
  calrules check --fix=all --diff events/
  calrules check --op patch --stored event.json change.json
  calrules check --op move --param destination=team@example.com --stored event.json
  curl -s https://example.com/event.json | calrules check --op response -
  calrules check --format ndjson events/ | jq -r 'select(.accepted | not).file'
  calrules check --format sarif --ignore basis:observed events/ >calrules.sarif
  calrules check --har session.har
  calrules check --cassette testdata/cassettes
  calrules check --ndjson <requests.ndjson >answers.ndjson
  calrules check --ndjson --op import <events.ndjson >answers.ndjson`

func newCheck(c *console) *cobra.Command {
	flags := &checkFlags{
		op:          newChoice(fileOperations()...),
		profile:     newProfile(),
		fix:         newChoice(noFix, safeFixes, allFixes),
		answers:     newChoice(string(filter.Both), string(filter.OnlyEvent), string(filter.OnlyStored), string(filter.None)),
		reportFlags: newReportFlags(),
	}
	command := &cobra.Command{
		Use:     "check [flags] FILE...",
		Short:   "Check events, or a stream of requests",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(_ *cobra.Command, args []string) error {
			c.quiet = flags.quiet
			if flags.har || flags.cassette {
				return checkRecordings(c, flags, args)
			}
			if err := flags.unused(withoutRecording, "base", "values"); err != nil {
				return err
			}
			if flags.ndjson {
				return checkStream(c, flags, args)
			}
			if err := flags.unused(withoutRecording+" and without --ndjson", "fail-on"); err != nil {
				return err
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
	f.op.add(command, "op", "`operation` to check; the prefix events. is optional: "+strings.Join(f.op.choices, ", "))
	addParams(command, &f.op.value, &f.params)
	set.StringVar(&f.stored, "stored", "", "`file` with the stored event")
	f.profile.add(command, "profile", profileUsage)
	f.selection.add(command, c.completeRules)
	f.reportFlags.add(command)
	f.fix.add(command, "fix", "fix the files before the check: --fix makes certain corrections, and --fix=all also makes proposed ones")
	set.Lookup("fix").NoOptDefVal = safeFixes
	set.BoolVar(&f.diff, "diff", false, "with --fix, show the changes without making them")
	set.BoolVar(&f.exitZero, "exit-zero", false, "exit with status 0 even if a finding rejects")
	set.StringArrayVar(&f.exclude, "exclude", nil, "in directories, skip files whose name or path matches the `pattern`, such as '*.tmp.json' (repeatable)")
	set.StringVar(&f.stdin, "stdin-filename", stdinName, "`name` for standard input in the output, for editors")
	f.recordingFlags.add(command)
	f.trafficFlags.add(command)
	exclude(command, "statistics", "values")
	addMaxSize(command, &f.maxSize)
	f.streamFlags.add(command)
	f.answers.add(command, "answers", "with --ndjson, the `events` of the answers to write: "+strings.Join(f.answers.choices, ", "))
	exclude(command, "har", "cassette", "ndjson", "fix")
}

func (f *checkFlags) checker(c *console) event.Checker {
	return c.checkerWith(f.changed, f.profile.value, f.selection)
}

const profileUsage = "grading: strict also rejects findings of kinds advise and ignore; lenient rejects only what the documents or RFCs reject; documented omits observed rules"

func newProfile() *choice { return newChoice(reference.ProfileNames()...) }

// checkerWith returns the checker with the grading that the flags select or, if none is set, the configuration's grading.
func (c *console) checkerWith(changed func(flag string) bool, profile string, rules selection) event.Checker {
	if !changed("profile") {
		profile = c.config.profile
	}
	if !changed("select") {
		rules.selected = c.config.rules.selected
	}
	if !changed("ignore") {
		rules.ignored = c.config.rules.ignored
	}
	return c.graded(profile, rules)
}

// validate returns an error if flags have invalid values or cannot be combined.
func (f *checkFlags) validate(c *console) error {
	return cmp.Or(f.selection.validate(c.checker.Catalogue()), f.reportFlags.validate(), f.validatePatterns())
}

func (f *checkFlags) validatePatterns() error {
	for _, pattern := range f.exclude {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return fmt.Errorf("--exclude is %q, which is not a valid pattern; a pattern may contain *, ? and ranges such as [a-z]", pattern)
		}
	}
	return nil
}

// excludes reports whether an --exclude pattern matches the name of a file, or its path relative to the directory.
func (f *checkFlags) excludes(directory, name string) bool {
	below := strings.TrimPrefix(strings.TrimPrefix(name, directory), string(filepath.Separator))
	return slices.ContainsFunc(f.exclude, func(pattern string) bool {
		byPath, _ := filepath.Match(pattern, below)
		byName, _ := filepath.Match(pattern, filepath.Base(name))
		return byPath || byName
	})
}

// eventsPrefix is the id prefix of operations on events, which is optional on the command line.
const eventsPrefix = "events."

// fileOperations returns the operations that read files: operations with an event as the body, operations on a stored event,
// and the check of a response.
func fileOperations() []string {
	var ids []string
	for op := range operation.All() {
		if op.EventBody || aboutStored.Has(op.When) {
			ids = append(ids, string(op.ID))
		}
	}
	return append(ids, string(operation.Response))
}

// Operations on a stored event. The operations in aboutStored do not have a request body.
const (
	aboutStored = diag.Move | diag.Delete | diag.Get | diag.List | diag.Instances
	withStored  = diag.Modify | aboutStored
)

// among reports whether an operation is one of the occasions in when.
func among(op operation.ID, when diag.When) bool {
	o, ok := operation.Lookup(op)
	return ok && when.Has(o.When)
}
