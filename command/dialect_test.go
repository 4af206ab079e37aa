package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
)

// The notes about the dialect.
const (
	noteDefault    = "calrules: read in the dialect documents; use --dialect google for Google Calendar\n"
	noteDocuments  = "calrules: read in the dialect documents, because only that dialect has the name videoLink; choose with --dialect\n"
	noteGoogle     = "calrules: read in the dialect google, because only that dialect has the name hangoutLink; choose with --dialect\n"
	noteBoth       = "calrules: read in the dialect documents, but hangoutLink is a name in google and videoLink a name in documents; choose with --dialect [dialect.mixed]\n"
	hintGoogle     = "calrules: this looks like a Google Calendar event; use --dialect google\n"
	hintDocuments  = "calrules: this looks like an event with the documents' names; use --dialect documents\n"
	ownOfDocuments = `"videoLink":"https://meet.example.com/a",`
	ownOfGoogle    = `"hangoutLink":"https://meet.example.com/a",`
)

// kindsOfFiles are files by the dialects that alone have names of theirs, with the dialect in which they are read, and what the
// command says about it unless somebody asked for a dialect, and if somebody asked for one.
var kindsOfFiles = []struct {
	name, members     string
	want              diag.Dialect
	note              string
	documents, google string // the hints
}{
	{"none", "", diag.Documents, noteDefault, "", ""},
	{"google", ownOfGoogle, diag.Google, noteGoogle, hintGoogle, ""},
	{"documents", ownOfDocuments, diag.Documents, noteDocuments, "", hintDocuments},
	{"both", ownOfDocuments + ownOfGoogle, diag.Documents, noteBoth, hintGoogle, hintDocuments},
}

// series is a recurring event with further members.
func series(members string) string {
	return `{"id":"series1",` + members + `"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`
}

// Every command that reads events decides their dialect in one way, from all files of a call.
func TestDialectOfFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("plain.json", series(""))
	write("refused.txt", `{"error":{"code":400,"message":"Invalid start time.","errors":[{"reason":"invalid"}]}}`)
	write("patch.json", `{"summary":"a"}`)
	for _, kind := range kindsOfFiles {
		files := filepath.Join(dir, kind.name)
		if err := os.Mkdir(files, 0o777); err != nil {
			t.Fatal(err)
		}
		write(kind.name+".json", series(kind.members))
		write(kind.name+"/one.json", series(kind.members))
		write(kind.name+"-page.json", `{"kind":"calendar#events","items":[`+series("")+","+series(kind.members)+`]}`)
		write(kind.name+"-list.json", `[`+strings.Replace(series(kind.members), `"recurrence"`, `"originalStartTime":{"dateTime":"2026-03-11T09:00:00Z"},"x"`, 1)+`]`)
		write(kind.name+"-line.json", `{"op":"events.insert","body":`+series(kind.members)+`}`)
	}
	for _, call := range []string{
		"check KIND.json",
		"check -",
		"check KIND",
		"check KIND-page.json",
		"check plain.json KIND.json",
		"check --op patch --stored KIND.json patch.json",
		"check --op delete --stored KIND.json",
		"diff plain.json KIND.json",
		"diff - plain.json",
		"patch KIND.json plain.json",
		"merge KIND.json patch.json",
		"merge plain.json KIND.json",
		"expand KIND.json",
		"expand --exceptions KIND-list.json plain.json",
		"expand --exceptions KIND-page.json plain.json",
		"make count KIND.json",
		"make count --exceptions KIND-list.json plain.json",
		"make explain KIND.json",
		"make equal --with KIND.json plain.json",
		"why --request KIND.json refused.txt",
		"why --request KIND-line.json refused.txt",
		"why --request patch.json --op patch --stored KIND.json refused.txt",
	} {
		for _, kind := range kindsOfFiles {
			for _, ask := range []struct {
				args []string
				note string
			}{
				{nil, kind.note},
				{[]string{"--dialect", "documents"}, kind.documents},
				{[]string{"--dialect", "google"}, kind.google},
			} {
				args := strings.Fields(strings.ReplaceAll(call, "KIND", kind.name))
				for i, arg := range args {
					if _, err := os.Stat(filepath.Join(dir, arg)); err == nil && i > 0 {
						args[i] = filepath.Join(dir, arg)
					}
				}
				_, stdout, stderr := runWith(series(kind.members), append(args, ask.args...)...)
				isNoted := strings.HasSuffix(stderr, ask.note) && (ask.note != "" || !strings.Contains(stderr, "dialect "))
				if strings.HasPrefix(call, "make count") && ask.args == nil && !strings.Contains(stderr, ".json: ") { // its answer has the dialect
					var answer struct{ Dialect diag.Dialect }
					err := json.Unmarshal([]byte(stdout), &answer)
					isNoted = err == nil && answer.Dialect == kind.want && stderr == ""
				}
				if !isNoted {
					t.Errorf("%s %s: standard error is %q, want %q at the end", strings.ReplaceAll(call, "KIND", kind.name), ask.args, stderr, ask.note)
				}
			}
		}
	}
}

// A type of conference that only one dialect has decides the dialect as a file does, and the files and the type are judged together.
func TestDialectOfType(t *testing.T) {
	for _, test := range []struct {
		event, kind string
		want        diag.Dialect
	}{
		{series(""), "hangoutsMeet", diag.Google},
		{series(""), "videoMeet", diag.Documents},
		{series(""), "addOn", diag.Documents},
		{series(ownOfGoogle), "addOn", diag.Google},
	} {
		_, stdout, stderr := runWith(test.event, "make", "request-conference", "--type", test.kind, "-")
		var answer struct{ Dialect diag.Dialect }
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil || answer.Dialect != test.want {
			t.Errorf("%s: %v, the dialect is %s, and standard error is %q", test.kind, err, answer.Dialect, stderr)
		}
	}
	if _, _, stderr := runWith(series(ownOfDocuments), "make", "request-conference", "--type", "hangoutsMeet", "-"); !strings.HasSuffix(stderr, "[dialect.mixed]\n") {
		t.Errorf("with names of both, standard error is %q", stderr)
	}
}

// The answers in JSON have the dialect.
func TestDialectInJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(series(ownOfGoogle)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"check -", "expand -", "diff - " + file, "make count -", "why --request " + file + " -"} {
		args := strings.Fields(call)
		if args[0] != "make" {
			args = append(args, "--format", "ndjson")
		}
		stdin := series(ownOfGoogle)
		switch args[0] {
		case "diff":
			stdin = series("")
		case "why":
			stdin = `{"error":{"code":400,"message":"Invalid start time.","errors":[{"reason":"invalid"}]}}`
		}
		_, stdout, stderr := runWith(stdin, args...)
		var answer struct{ Dialect diag.Dialect }
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil || answer.Dialect != diag.Google || stderr != "" {
			t.Errorf("%s: %v, the dialect is %s, and standard error is %q", call, err, answer.Dialect, stderr)
		}
	}
}
