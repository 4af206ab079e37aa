package diag_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/wording"
)

// tooMany is a rule with each kind of place.
var tooMany = diag.Rule{ID: "guests.many", Kind: diag.Reject, Says: diag.Sentences{
	{Key: "many", Text: "{The member} is {value}, {word} and {n|guest|guests}; {hint}"}, {Key: "hint", Text: "send {limit}."},
}}

// messageOf returns what a finding says in the words of a caller.
func messageOf(texts diag.Texts, value string, n int64) string {
	report := engine.Collector{Dialect: diag.Google, Texts: texts}
	report.For(&tooMany, "").Report("/guests", "many", diag.Name("member", "created"), diag.Value("value", value), diag.Plain("word", value),
		diag.Number("n", n), wording.Part("hint", "hint"), wording.Text("limit", "at most {n}"), wording.Also("hint"))
	return report.Findings[0].Message()
}

// FuzzTexts checks the laws of replaced sentences. Texts are refused exactly if one is empty or has a place that its sentence
// does not have. A value that was sent is written as it is: its braces are no places. A message is made even of a wrong text.
func FuzzTexts(f *testing.F) {
	long := strings.Repeat("{hint}{value}", 50)
	for _, seed := range []struct{ many, hint, value string }{
		{"{The member} ist {value}, {n|Gast|Gäste}. {hint}", "Sende {limit}.", "{limit}"},
		{"{hint}", "{hint}", "{n|a|b}"}, {"{", "}", "{value}"}, {"{value", "{value}}", "{"}, {"{{value}}", "{}{ value}", "}"},
		{"{n|{value}|}", "{n|}", "\x00\xff{"}, {"{n||||}", "{The }", "{The value}"}, {"{fromMail}{fromGmail}", "{nobody}", "{fromMail}"},
		{"", "x", ""}, {"{The The value}", "{value|a|b}", strings.Repeat("{limit}", 20)}, {long, long, "v"}, {strings.Repeat("{a", 1000), "{1}{ü}", "v"},
	} {
		f.Add(seed.many, seed.hint, seed.value, int64(1))
	}
	f.Add("{n|one|many}", "{limit}", "", int64(math.MinInt64))
	known := diag.NewCatalogue([]*diag.Rule{&tooMany})
	place := regexp.MustCompile(`(?s)\{([A-Za-z][^}]*)\}`)
	isWrong := func(text string, places ...string) bool {
		for _, match := range place.FindAllStringSubmatch(text, -1) {
			name, _, _ := strings.Cut(strings.TrimPrefix(match[1], "The "), "|")
			if !slices.Contains(places, name) && diag.Google.Name(name) == name {
				return true
			}
		}
		return text == ""
	}
	f.Fuzz(func(t *testing.T, many, hint, value string, n int64) {
		const mark = "MARK" // is in no text
		if len(many)+len(hint) > 1<<12 || strings.Contains(many+hint, mark) {
			return
		}
		texts := diag.Texts{"guests.many/many": many, "guests.many/hint": hint}
		err := texts.Validate(known)
		if want := isWrong(many, "member", "value", "word", "n", "hint") || isWrong(hint, "limit"); (err != nil) != want {
			t.Fatalf("the error of %q is %v, want one: %t", texts, err, want)
		}
		if err != nil {
			if len(many)+len(hint) < 1<<6 { // a text that names itself is written within itself, a few times
				messageOf(texts, value, n)
			}
			return
		}
		said := messageOf(texts, value, n)
		marked := strings.ReplaceAll(messageOf(texts, mark, n), engine.Quote(mark), engine.Quote(value))
		if want := strings.ReplaceAll(marked, mark, value); said != want {
			t.Fatalf("%q with the value %q says\n%q, want\n%q", texts, value, said, want)
		}
	})
}

// A message of many values grows as any slice does: it is not copied for each of them.
func TestLongMessage(t *testing.T) {
	const most = 100
	texts := diag.Texts{"guests.many/many": strings.Repeat("{value}", 10_000)}
	if n := testing.AllocsPerRun(3, func() { messageOf(texts, "v", 1) }); n > most {
		t.Errorf("a message of 10,000 values takes %.0f allocations, want at most %d", n, most)
	}
}
