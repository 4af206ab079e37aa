package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/internal/testing/surface"
)

// counted has the rows that count the work of each exported function, as the beginnings of their names, or the reason why no
// row does. A method is named after its type; * stands for all types of the package that no other entry names.
var counted = map[string]map[string][]string{
	"between": {
		"New":               {noInput},
		"Watcher.Watches":   {"watch parameters", "watch a long path"},
		"Watcher.Request":   {"watch "},
		"Watcher.Read":      {"transport "},
		"Exchange.Read":     {"transport "},
		"Exchange.Answer":   {"watch ", "remember, "},
		"Exchange.Refusal":  {"watch "},
		"Exchange.Fix":      {"fixes: fix"}, // of its request
		"Exchange.AddFixes": {"fixes: add"},
		"Exchange.Fail":     {bookkeeping}, "Exchange.Cancel": {bookkeeping}, "Body.Release": {bookkeeping},
	},
	"command": {"Run": {"command: "}},
	"conference": {
		"*.Equal": {"two events: equal"}, "*.MarshalJSON": {"events.insert conferenceData"}, "*.String": {"events.insert conferenceData"}, "*.UnmarshalJSON": {"events.insert conferenceData"},
		"Data.Clone": {"one event: clone"}, "Data.GoString": {"one event: syntax"}, "Data.HasUnknownType": {oneValue}, "EntryPoint.Codes": {"events.insert conferenceData.entryPoints"},
		"Change.Check": {"events.update conferenceData"}, "Change.Apply": {"events.update conferenceData"},
		"Rules": {noInput}, "Schema": {noInput},
	},
	"diag": {
		"Catalogue.All": {noInput}, "Catalogue.Lookup": {oneValue}, "Catalogue.Rules": {noInput}, "Catalogue.With": {"value: rules"}, "NewCatalogue": {"value: rules"},
		"Dialect.*": {oneValue}, "DialectOf": {oneValue}, "Differences": {noInput},
		"Documented": {noInput}, "Lenient": {noInput}, "Strict": {noInput}, "Grading.Grade": {oneValue}, "Grading.IsZero": {oneValue}, "Grading.With": {"value: grading"}, "Grading.Validate": {"value: grading"},
		"Error.Error": {"refusal: explain"}, "Example.Example": {noInput}, "Findings.*": {"refusal: explain"},
		"Finding.*": {"command: check --format sarif", "fixes: add"}, "Finding.UnmarshalJSON": {"value: finding"},
		"Name": {oneValue}, "Names": {oneValue}, "Number": {oneValue}, "Plain": {oneValue}, "Value": {oneValue},
		"Pointer.Tokens": {"value: tokens"}, "Pointer.*": {"value: pointer"},
		"Rule.*": {noInput}, "Sentences.Text": {noInput}, "When.*": {noInput}, "Texts.Validate": {"text "},
	},
	"event": {
		"*.Equal": {"two events: equal"}, "*.MarshalJSON": {"one event: JSON"}, "*.String": {"one event: text"}, "*.UnmarshalJSON": {"one event: JSON"},
		"BodyFields": {noInput}, "Fields": {noInput}, "Catalogue": {noInput}, "Checker.Catalogue": {noInput},
		"Calendar.Busy": {"calendar: busy"}, "Calendar.Conflicts": {"calendar: conflicts"}, "Calendar.Instances": {"calendar: instances many series"},
		"Check": {"events.", "calendars.", "acl.", "freebusy.", "channels."}, "Checker.Check": {"events.", "calendars.", "acl."},
		"Find": {"calendarList.", "events.watch"}, "Checker.Find": {"calendarList.", "findings of"},
		"Checker.AddFixes": {"fixes: add"}, "Checker.Apply": {"fixes: apply"}, "Checker.Fix": {"fixes: fix"},
		"Checker.WithRules": {"value: rules"}, "Checker.WithTexts": {"text "},
		"Date": {oneValue}, "TimeAt": {oneValue}, "Time.Instant": {"events.insert start.dateTime", "events.insert start.timeZone"}, "Window.Has": {oneValue},
		"Decode": {"events.insert", "two events: "}, "DecodePage": {"page: decode"}, "Page.AppendIn": {"page: write"}, "Page.Equal": {"page: write"},
		"Page.MarshalJSON": {"page: write"}, "Page.String": {"page: write"}, "Page.UnmarshalJSON": {"page: decode"}, "Pages": {"page: many"},
		"Event.AfterPatch": {"two events: patch"}, "Event.AfterUpdate": {"two events: update"}, "Event.Diff": {"two events: diff"}, "Event.PatchTo": {"two events: make patch"},
		"MergeJSON": {"merge "}, "OwnNames": {"one event: names"},
		"Event.AppendIn": {"two events: patch"}, "Event.AppendJSON": {"one event: JSON"}, "Event.Clear": {"one event: clear"}, "Event.Clone": {"one event: clone"},
		"Event.GoString": {"one event: syntax"}, "Event.Unknown": {"one event: unknown"}, "Event.WithDefaults": {"one event: defaults"},
		"Event.Length": {oneValue}, "Event.StatusMeaning": {oneValue},
		"Instance.*":         {oneEvent},
		"Request.AppendJSON": {"one event: request"}, "Request.GoString": {"one event: request"}, "Request.String": {"one event: request"}, "Request.WithDialect": {"one event: request"},
		"Result.Err": {"refusal: explain"}, "ServerFields.Set": {"one event: set"},
		"Series.Add": {"add with exceptions", "add ["}, "Series.Advice": {"advice with exceptions", "advice ["}, "Series.AllDay": {"all day with exceptions", "all day ["},
		"Series.At": {"instance at with exceptions", "instance at ["}, "Series.ByID": {"instance by with exceptions", "instance by ["},
		"Series.Cancel": {"cancel with exceptions", "cancel ["}, "Series.Count": {"count with exceptions", "count [", "calendar: count of a series many instances"},
		"Series.Difference": {"difference with exceptions", "difference ["}, "Series.Equal": {"same with exceptions", "same ["},
		"Series.Exclude": {"exclude with exceptions", "exclude ["}, "Series.Explain": {"explain with exceptions", "explain ["},
		"Series.Instances": {"expand ", "calendar: instances of a series many instances"}, "Series.Singles": {"calendar: singles of a series many instances"},
		"Series.Join": {"join with exceptions", "join ["}, "Series.Last": {"last with exceptions", "last ["},
		"Series.Move": {"move with exceptions", "move ["}, "Series.Place": {oneValue}, "Series.Reclock": {"reclock with exceptions", "reclock ["},
		"Series.Reset": {"reset with exceptions", "reset ["}, "Series.Restore": {"restore with exceptions", "restore ["}, "Series.Rezone": {"rezone with exceptions", "rezone ["},
		"Series.Split": {"split with exceptions", "split ["}, "Series.Standing": {"standing with exceptions", "standing ["},
		"Series.Timed": {"calendar: timed"}, "Series.Truncate": {"truncate with exceptions", "truncate ["},
	},
	"event/eventhttp": {
		"Read": {"HTTP: read"}, "Call.Check": {"HTTP: read"}, "Call.NotModified": {oneValue}, "WriteError": {"HTTP: read"}, "WriteProblem": {"HTTP: read"},
		"Error.*": {oneValue}, "Transport.RoundTrip": {"transport "}, "Transport.Summary": {noInput},
	},
	"event/ruletest": {"Test": {noInput}},
	"event/tags":     {"Register": {noInput}, "Table": {noInput}, "Translate": {none + "the validator has done its work by then, an error for each tag"}},
	"fuzz": {
		"Event": {drawn}, "Mix.*": {drawn}, "Patch": {drawn}, "Request": {drawn}, "Rules": {drawn}, "Seeds": {drawn}, "Violating": {drawn},
		"JSON.*": {oneValue}, "Payload.*": {oneEvent}, "Verdict.String": {oneValue},
	},
	"fuzz/rtdbfuzz": {"KeyFile": {drawn}, "Line.*": {drawn}, "Mix.*": {drawn}, "Payload.*": {drawn}, "Request": {drawn}, "Rules": {drawn}, "Violating": {drawn}},
	"fuzz/fuzzhttp": {"NewDatabaseRequest": {drawn}, "NewRequest": {drawn}},
	"intent": {
		"MakeID": {"intent: id"}, "Maker.AddGuests": {"intent: add guests"}, "Maker.CancelInstance": {"intent: cancel exceptions"}, "Maker.ChangeFollowing": {"intent: change exceptions"},
		"Maker.ClearPrivate": {"intent: clear"}, "Maker.CopyConference": {"intent: copy"}, "Maker.EndFollowing": {"intent: end exceptions"}, "Maker.FreeBusy": {"intent: free/busy"},
		"Maker.InsertOrImport": {"intent: import"}, "Maker.InsertWithID": {"intent: insert"}, "Maker.MoveFollowing": {"intent: move exceptions"}, "Maker.RemoveGuests": {"intent: remove guests"},
		"Maker.RequestConference": {"intent: conference"}, "Maker.Reschedule": {"intent: reschedule"}, "Maker.Respond": {"intent: respond"},
		"Maker.RestoreInstance": {"intent: restore exceptions"}, "Maker.SetColor": {"intent: color"}, "Maker.SetPrivate": {"intent: private"},
	},
	"limits": {
		"IsAddrSpec": {"value: address "}, "IsDate": {"value: date"}, "IsDateTime": {"value: date"}, "IsEventID": {"value: event id"}, "IsHTTPURL": {"value: URL"},
		"IsZone": {"value: zone"}, "SameAddress": {"value: addresses"}, "Table": {noInput},
	},
	"operation": {
		"All": {noInput}, "Lookup": {oneValue}, "Deleting": {noInput}, "Rules": {noInput}, "Effect.Writes": {oneValue}, "IDFunc.Has": {none + "the function is the caller's"},
		"Calendar.Validate": {"value: labels"}, "IDList.Has": {"value: labels"}, "Caller.HasScope": {"value: scopes"}, "Caller.WithDialect": {"value: scopes"},
		"CheckPath": {"value: path"}, "Resolve": {"value: resolve"}, "Match.IsPrimary": {oneValue}, "Operation.Expand": {"value: expand path"},
		"Operation.*": {noInput}, "Param.Rule": {noInput}, "Params.*": {"value: params"}, "Request.Check": {"value: params"}, "Things.*": {oneValue},
	},
	"recurrence": {
		"BudgetError.Error": {oneValue}, "EditError.Error": {oneValue}, "InvalidError.Error": {oneValue}, "SyntaxError.Error": {oneValue},
		"ByDay.String": {oneValue}, "Duration.String": {oneValue}, "Form.String": {oneValue}, "Freq.*": {oneValue}, "Period.String": {oneValue}, "Value.*": {oneValue},
		"DateValue": {oneValue}, "LocalValue": {oneValue}, "UTCValue": {oneValue}, "Start.*": {oneValue}, "StartClock": {oneValue}, "StartDate": {oneValue}, "StartTime": {oneValue},
		"Rules": {noInput}, "Dates.String": {"lines: text"}, "Lines.Check": {"lines: check"}, "Parse": {"lines: parse"}, "Read": {"lines: read"},
		"ParseRule": {"lines: rule"}, "Rule.*": {"lines: rule"},
		"Set.Add": {"lines: add"}, "Set.AllDay": {"lines: all day"}, "Set.Compile": {"lines: compile"}, "Set.Difference": {"lines: difference"}, "Set.Equal": {"lines: equal"},
		"Set.Exclude": {"lines: exclude"}, "Set.Explain": {"lines: explain"}, "Set.Join": {"lines: join"}, "Set.Lines": {"lines: text"}, "Set.MarshalText": {"lines: text"},
		"Set.Move": {"lines: move"}, "Set.Rezone": {"lines: rezone"}, "Set.Split": {"lines: split"}, "Set.String": {"lines: text"}, "Set.Timed": {"lines: timed"},
		"Set.Truncate": {"lines: truncate"}, "Set.UnmarshalText": {"lines: text"},
		"Series.All": {"instances: all"}, "Series.AtOrAfter": {"instances: after"}, "Series.Backward": {"instances: backward"}, "Series.Before": {"instances: before"},
		"Series.Between": {"instances: between"}, "Series.Conflicts": {"instances: conflicts"}, "Series.Contains": {"instances: contains"}, "Series.Count": {"instances: count"},
		"Series.EndOf": {oneValue}, "Series.Start": {oneValue}, "Series.FirstUnmatched": {"instances: unmatched"}, "Series.Instances": {"instances: instances"},
		"Series.InstancesBackward": {"instances: instances, backwards"}, "Series.Last": {"instances: last"}, "Series.Next": {"instances: next"},
		"Series.Overlapping": {"instances: overlapping"}, "Series.With": {"instances: with"},
	},
	"refusal": {"Domain": {oneValue}, "Parse": {"refusal: parse"}, "Recorded": {"refusal: explain"}, "Refusal.Explain": {"refusal: explain"}, "Refusal.Redacted": {"refusal: parse"}},
	"rtdbauth": {
		"Authenticate": {"rtdb "}, "Catalogue": {noInput}, "Decision.ForwardQuery": {"HTTP: guard"}, "Decision.*": {oneValue}, "Kind.String": {oneValue},
		"NewToken": {"value: token "}, "Token.*": {"value: token "}, "ParseKeyFile": {"value: key file"}, "Place.*": {oneValue}, "Policy.*": {oneValue},
		"Principal.*": {"value: principal"}, "RedactURL": {"redact "}, "Table": {noInput}, "Rows.String": {noInput},
	},
	"rtdbauth/rtdbhttp": {"Forward": {"HTTP: guard"}, "FromContext": {oneValue}, "Guard.Wrap": {"HTTP: guard"}, "Message": {"HTTP: message"}, "Strip": {"HTTP: strip"}},
	"status":            {"Facts.Meaning": {oneValue}, "Meaning.*": {noInput}, "Query.*": {oneValue}},
}

// countedCommands is the same for the subcommands.
var countedCommands = map[string][]string{
	"check": {"command: check ", "--har ", "--cassette ", "curl ", "HTTP "}, "expand": {"command: expand"}, "make": {"command: make"}, "merge": {"command: merge"},
	"patch": {"command: patch"}, "diff": {"command: diff"}, "rtdb": {"command: rtdb"}, "why": {"command: why"}, "fuzz": {"command: fuzz"},
	"proxy": {"transport ", "remember, "}, "aim": {none + "a story costs what the server takes for it; flags limit their number and the time"},
	"conformance": {none + "the other program takes the time, a case after the other"},
	"rules":       {noInput}, "explain": {noInput}, "limits": {noInput}, "operations": {noInput}, "schema": {noInput}, "init": {noInput}, "version": {noInput}, "man": {noInput},
	"completion": {noInput}, "help": {noInput},
}

// The reasons why a function needs no row.
const (
	noInput     = none + "its input, if any, is of the library, not of a size"
	oneValue    = none + "it looks once at one value, such as a time, a name or a member"
	oneEvent    = none + "it does what the method of its event does"
	bookkeeping = none + "it releases what another function holds"
	drawn       = none + "it draws values of a limited size"

	none = "none: " // begins a reason
)

// TestEverythingIsCounted checks that each exported function and each subcommand has rows, or a reason why not, and that no
// entry is out of date.
func TestEverythingIsCounted(t *testing.T) {
	var names []string
	for name := range subjects() {
		names = append(names, name)
	}
	checkRows := func(about string, rows []string) {
		for _, row := range rows {
			isRow := slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, row) })
			if !isRow && !strings.HasPrefix(row, none) {
				t.Errorf("%s: no row begins with %q", about, row)
			}
		}
	}
	for _, folder := range publicPackages(t) {
		entries, functions := counted[folder], surface.Functions(t, filepath.Join("../..", folder))
		used := map[string]bool{}
		for _, f := range functions {
			entry := entryFor(entries, f)
			if used[entry] = true; entry == "" {
				t.Errorf("%s: nothing counts %s", folder, f)
			}
		}
		for entry, rows := range entries {
			if !used[entry] {
				t.Errorf("%s: %s counts nothing", folder, entry)
			}
			checkRows(folder+": "+entry, rows)
		}
	}
	listed := subcommands(t)
	for _, name := range listed {
		if countedCommands[name] == nil {
			t.Errorf("nothing counts the command %s", name)
		}
	}
	for name, rows := range countedCommands {
		if !slices.Contains(listed, name) {
			t.Errorf("there is no command %s", name)
		}
		checkRows(name, rows)
	}
}

// entryFor returns the name of the entry for a function: its own, or that of all methods of its type, or that of its method
// for all types.
func entryFor(entries map[string][]string, function string) string {
	of, method, _ := strings.Cut(function, ".")
	for _, entry := range []string{function, of + ".*", "*." + method} {
		if entries[entry] != nil {
			return entry
		}
	}
	return ""
}

// publicPackages returns the folders of the packages of the module that other modules can import, and that have functions.
func publicPackages(t *testing.T) (folders []string) {
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == "." {
			return err
		}
		if _, err := fs.Stat(root, path+"/go.mod"); err == nil || slices.Contains([]string{"internal", "cmd", "tools", "examples", "testdata", ".git", "docs", "npm"}, d.Name()) {
			return fs.SkipDir
		}
		sources, err := fs.Glob(root, path+"/*.go")
		if len(sources) > 0 && len(surface.Functions(t, filepath.Join("../..", path))) > 0 {
			folders = append(folders, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// subcommands returns the names of the subcommands, which the help lists.
func subcommands(t *testing.T) (names []string) {
	var help bytes.Buffer
	command.Run([]string{"--help"}, nil, &help, &help)
	_, list, _ := strings.Cut(help.String(), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range regexp.MustCompile(`(?m)^  (\S+)`).FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	if len(names) < 20 {
		t.Fatalf("the help lists the commands %v", names)
	}
	return names
}
