package diag_test

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/wording"
)

// speaking is a rule with every kind of place.
var speaking = &diag.Rule{ID: "a.speaking", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Says: diag.Sentences{
	{Key: "plain", Text: `Send {"date": null}.`},
	{Key: "value", Text: "{The member} is {value}; it must be {limit}."},
	{Key: "count", Text: "There are {n|guest|guests}."},
	{Key: "name", Text: "Only {fromMail} is {word}."},
	{Key: "hint", Text: "Leave {member} out."},
	{Key: "time", Text: "It ends at {end}."},
	{Key: "end-in-zone", Text: "{endTime} in {endZone}"},
	{Key: "endless", Text: "It is {endless}."},
}}

func TestMessage(t *testing.T) {
	words := []string{"birthday", "default", "fromMail"}
	for _, test := range []struct {
		key  string
		args []diag.Arg
		in   diag.Dialect
		want string
	}{
		{"plain", nil, diag.Documents, `Send {"date": null}.`},
		{"value", []diag.Arg{diag.Name("member", "status"), diag.Value("value", `a "{limit}"`), diag.Names("limit", words)}, diag.Documents,
			`The status is "a \"{limit}\""; it must be birthday, default or fromMail.`},
		{"value", []diag.Arg{diag.Name("member", "minutes"), diag.Number("value", -1), diag.Names("limit", words)}, diag.Google,
			`The value of minutes is -1; it must be birthday, default or fromGmail.`},
		{"value", []diag.Arg{diag.Name("member", "status"), diag.Value("value", "fromMail"), wording.Text("limit", "a type (not {fromMail})")}, diag.Google,
			`The status is "fromMail"; it must be a type (not fromGmail).`},
		{"count", []diag.Arg{diag.Number("n", 1)}, diag.Documents, "There are 1 guest."},
		{"count", []diag.Arg{diag.Number("n", 2)}, diag.Documents, "There are 2 guests."},
		{"name", []diag.Arg{diag.Name("word", "videoLink")}, diag.Documents, "Only fromMail is videoLink."},
		{"name", []diag.Arg{diag.Name("word", "videoLink")}, diag.Google, "Only fromGmail is hangoutLink."},
		{"count", []diag.Arg{diag.Number("n", 2), wording.Also("hint"), diag.Name("member", "start"), wording.Also("did-you-mean"), diag.Name("suggestion", "end")},
			diag.Documents, "There are 2 guests. Leave start out. Did you mean end?"},
		{"time", []diag.Arg{diag.Plain("end", "2026-03-10")}, diag.Documents, "It ends at 2026-03-10."},
		{"time", []diag.Arg{wording.Part("end", "end-in-zone"), diag.Plain("endTime", "09:00"), diag.Plain("endZone", "{end}")}, diag.Documents, "It ends at 09:00 in {end}."},
		{"endless", []diag.Arg{wording.Part("endless", "endless")}, diag.Documents, "It is It is It is It is ...."},
		{"time", []diag.Arg{wording.JSON("end", `"{a}\u0000"`)}, diag.Google, `It ends at "{a}\u0000".`},
		{"time", []diag.Arg{wording.JSON("end", strings.Repeat("é", 30))}, diag.Google, "It ends at " + strings.Repeat("é", 20) + "…."},
		{"time", []diag.Arg{wording.JSON("end", "x"+strings.Repeat("é", 30))}, diag.Google, "It ends at x" + strings.Repeat("é", 19) + "…."},
		{"time", []diag.Arg{wording.Character("end", '\'')}, diag.Google, `It ends at '\''.`},
		{"name", []diag.Arg{wording.Text("word", "{word}")}, diag.Documents, "Only fromMail is ."}, // it ends
	} {
		f := diag.Finding{Rule: speaking, Key: test.key, Args: test.args, Dialect: test.in}
		if got := f.Message(); got != test.want {
			t.Errorf("%s: %q, want %q", test.key, got, test.want)
		}
	}
}

func TestFindingData(t *testing.T) {
	long := strings.Repeat("x", 100)
	f := diag.Finding{Rule: speaking, Key: "value", Dialect: diag.Google, Args: []diag.Arg{
		diag.Value("value", long), diag.Names("limit", []string{"default", "fromMail"}), diag.Name("suggestion", "fromMail"),
	}}
	if f.Value() != long || f.Limit() != "default or fromGmail" || f.Suggestion() != "fromGmail" {
		t.Errorf("value %q, limit %q, suggestion %q", f.Value(), f.Limit(), f.Suggestion())
	}
	number := diag.Finding{Rule: speaking, Key: "value", Args: []diag.Arg{wording.JSON("value", long), wording.Part("limit", "name"), diag.Name("word", "it")}}
	if number.Value() != long || number.Limit() != "Only fromMail is it." {
		t.Errorf("value %q, limit %q", number.Value(), number.Limit())
	}
	if text, ok := f.Arg("nothing"); ok || text != "" {
		t.Errorf("an argument that is missing is %q", text)
	}
}

func TestFindingIs(t *testing.T) {
	f := diag.Finding{Rule: stated, Cause: observed}
	if !f.Is(stated.ID) || !f.Is(observed.ID) || f.Is(rfc.ID) || (diag.Finding{}).Is("") {
		t.Error("a finding is about its rule and its cause, and about no other")
	}
}

// A finding that names its cause says what the cause says, even if its rule has a sentence with the same key.
func TestMessageOfCause(t *testing.T) {
	whole := &diag.Rule{ID: "a.whole", Says: diag.Sentences{{Key: "hint", Text: "Not this."}, {Key: "end", Text: "Send both."}}}
	f := diag.Finding{Rule: whole, Cause: speaking, Key: "hint", Args: []diag.Arg{diag.Name("member", "end"), wording.Also("end")}}
	if got := f.Message(); got != "Leave end out. Send both." {
		t.Error(got)
	}
}

// A program says of a rule of others what fits, with parts that the rule has.
func TestSaying(t *testing.T) {
	report := engine.Collector{Texts: diag.Texts{"a.speaking/plain": "Send nothing."}}
	further := diag.Sentences{{Key: "hint", Text: "{field}: {reason}"}}
	report.For(speaking, "").WithSentences(further).Report("", "hint", diag.Plain("field", "Date"), wording.Part("reason", "plain"))
	report.For(speaking, "").Report("", "hint", diag.Name("member", "end"))
	if got := report.Findings[0].Message() + " " + report.Findings[1].Message(); got != "Date: Send nothing. Leave end out." || report.Findings[0].Rule != speaking {
		t.Error(got)
	}
}

// A caller's sentences are used for its findings, and only for those.
func TestTexts(t *testing.T) {
	texts := diag.Texts{"a.speaking/count": "{n|Gast|Gäste}.", "/did-you-mean": "{suggestion}?"}
	if err := texts.Validate(diag.NewCatalogue([]*diag.Rule{speaking})); err != nil {
		t.Fatal(err)
	}
	report := engine.Collector{Texts: texts}
	report.For(speaking, "").Report("", "count", diag.Number("n", 2), wording.Also("did-you-mean"), diag.Name("suggestion", "end"))
	report.For(speaking, "").Report("", "hint", diag.Name("member", "end"))
	if got := report.Findings[0].Message() + " " + report.Findings[1].Message(); got != "2 Gäste. end? Leave end out." {
		t.Error(got)
	}
	long := engine.Collector{Texts: diag.Texts{"/shortened": "{n} Zeichen: {value}", "/or": "oder", "a.speaking/value": "{member} ist {value}, nicht {limit}."}}
	long.For(speaking, "").Report("", "value", diag.Name("member", "status"), diag.Value("value", strings.Repeat("ä", 41)), diag.Names("limit", []string{"a", "b"}))
	if got, want := long.Findings[0].Message(), "status ist 41 Zeichen: \""+strings.Repeat("ä", 40)+"\", nicht a oder b."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	bad := diag.Texts{"a.speaking/none": "x", "a.other/count": "x", "/count": "x", "a.speaking/count": "{m} {fromMail}"}
	err := bad.Validate(diag.NewCatalogue([]*diag.Rule{speaking}))
	want := `"/count" is not a rule id, a slash and the key of one of its sentences
"a.other/count" is not a rule id, a slash and the key of one of its sentences
"a.speaking/count" has the place {m}, which the sentence does not have
"a.speaking/none" is not a rule id, a slash and the key of one of its sentences`
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// A finding says the same when the memory of the request is used again, and does not keep it alive.
func TestFindingOwnsItsData(t *testing.T) {
	seen := strings.Repeat("x", 1<<20)
	freed := make(chan bool, 1)
	runtime.AddCleanup(unsafe.StringData(seen), func(freed chan bool) { freed <- true }, freed)
	var report engine.Collector
	report.For(speaking, "").Report("", "value", diag.Name("member", seen[:3]), diag.Value("value", seen[:10]), wording.JSON("limit", seen[:4]))
	seen = ""
	for range 10 {
		runtime.GC()
		select {
		case <-freed:
			if got := report.Findings[0].Message(); got != `The xxx is "xxxxxxxxxx"; it must be xxxx.` {
				t.Error(got)
			}
			return
		default:
		}
	}
	t.Error("the finding keeps the body alive")
}

// A finding costs its arguments and a copy of what was sent.
func TestFindingAllocations(t *testing.T) {
	seen, limit := strings.Repeat("x", 100), []string{"a", "b"}
	report := engine.Collector{Findings: make(diag.Findings, 0, 1000)}
	allocs := testing.AllocsPerRun(100, func() {
		report.For(speaking, "").Report("/a", "value", diag.Name("member", seen[:5]), diag.Value("value", seen), diag.Names("limit", limit), wording.Also("hint"))
	})
	if allocs > 2 {
		t.Errorf("a finding takes %.0f allocations, want at most 2", allocs)
	}
}

// A finding is about the body only if its offset says so.
func TestOffset(t *testing.T) {
	var report engine.Collector
	r := report.For(speaking, "")
	r.Report("", "plain")
	r.At(0).Report("", "plain")
	r.At(7).Report("", "plain")
	for i, want := range []int{-1, 0, 7} {
		if got := report.Findings[i].Offset; got != want {
			t.Errorf("the offset of finding %d is %d, want %d", i, got, want)
		}
	}
}
