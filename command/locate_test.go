package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// findingsAt returns findings of the rule at the paths. Findings of no rule have no offset.
func findingsAt(text, rule string, paths ...diag.Pointer) diag.Findings {
	var fs diag.Findings
	if rule == "" {
		for _, path := range paths {
			fs = append(fs, diag.Finding{Path: path, Offset: -1})
		}
		return fs
	}
	_, all := event.Decode([]byte(text), diag.Documents)
	for _, f := range all {
		if f.Rule.ID == rule && slices.Contains(paths, f.Path) {
			fs = append(fs, f)
		}
	}
	return fs
}

func TestLocate(t *testing.T) {
	for _, test := range []struct {
		name         string
		text         string
		rule         string
		path         diag.Pointer
		line, column int
	}{
		{"whole", `{"a":1}`, "", "", 1, 1},
		{"after white space", "\n\n  {\"a\":1}", "", "", 3, 3},
		{"member", `{"a": 1}`, "", "/a", 1, 7},
		{"missing member", `{"a": {"b": 1}}`, "", "/a/c", 1, 7},
		{"missing deep", `{"a": 1}`, "", "/b/c/d", 1, 1},
		{"element", "{\"a\":\n[1,\n 2]}", "", "/a/1", 3, 2},
		{"tabs are one character", "{\n\t\t\"a\":\t1}", "", "/a", 2, 8},
		{"characters, not bytes", `{"ä日😀": "é", "b": 1}`, "", "/b", 1, 19},
		{"invalid UTF-8", "{\"ä\": \"é\xff\"}", "json.syntax", "/ä", 1, 9},
		{"CRLF", "{\r\n\"a\": 1,\r\n\"b\": 2\r\n}", "", "/b", 3, 6},
		{"escaped name", `{"a~/b": {"c": 1}}`, "", "/a~0~1b/c", 1, 16},
		{"parameter", `{"a":1}`, "", "?a", 0, 0},
		{"header", `{"a":1}`, "", "#Authorization", 0, 0},
		{"empty", "", "json.syntax", "", 1, 1},
		{"cut off", "{\"a\":\n", "json.syntax", "/a", 2, 1},
		{"no object", " [1]", "json.syntax", "", 1, 1},
		{"syntax", "{\"a\": 1,\n\"b\": tru}", "json.syntax", "/b", 2, 9},
		{"something follows", "{}\n {}", "json.syntax", "", 2, 2},
		{"repeated member", "{\"a\": 1,\n\"a\": 2}", "json.duplicate-name", "/a", 2, 6},
		{"repeated below", "{\"x\": {\"a\": 1,\n\"a\": 2}}", "json.duplicate-name", "/x/a", 2, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := locate([]byte(test.text), findingsAt(test.text, test.rule, test.path))[0]
			if got.line != test.line || got.column != test.column {
				t.Errorf("place is %d:%d, want %d:%d", got.line, got.column, test.line, test.column)
			}
		})
	}
}

// TestLocateInAnyOrder shows that places do not depend on the order of the findings.
func TestLocateInAnyOrder(t *testing.T) {
	text := []byte("{\"a\": 1,\n\"b\": 2,\n\"c\": 3}")
	got := locate(text, findingsAt(string(text), "", "/c", "?q", "/a", "/b", "/c"))
	want := []place{{3, 6, 6, 6, 22}, {}, {1, 7, 7, 7, 6}, {2, 6, 6, 6, 14}, {3, 6, 6, 6, 22}}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("place %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

// TestLocateRepeatedTwice shows that each finding about a repeated member has its own place.
func TestLocateRepeatedTwice(t *testing.T) {
	text := []byte("{\"a\": 1,\n\"a\": 2,\n\"a\": 3}")
	got := locate(text, findingsAt(string(text), "json.duplicate-name", "/a"))
	if got[0].line != 2 || got[1].line != 3 {
		t.Errorf("places are %+v", got)
	}
}

// TestWithin: a place in a part of a text is in the line, and in the first one at the column, where the part begins.
func TestWithin(t *testing.T) {
	part := place{line: 5, column: 7, utf16: 8, utf8: 10, offset: 100}
	for in, want := range map[place]place{
		{1, 3, 3, 4, 2}:  {5, 9, 10, 13, 102},
		{2, 3, 3, 3, 20}: {6, 3, 3, 3, 120},
		{}:               {},
	} {
		if got := in.within(part); got != want {
			t.Errorf("%+v is at %+v, want %+v", in, got, want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("abcdefghi ", 20)
	for _, test := range []struct {
		name   string
		text   string
		at     string // the excerpt is about the first occurrence
		width  int
		line   string
		indent string
	}{
		{"short", `{"a": 1}`, "1", 80, `{"a": 1}`, `      `},
		{"tabs", "\t\"a\":\t1", "1", 80, "\t\"a\":\t1", "\t    \t"},
		{"wide", `{"日本": 1}`, "1", 80, `{"日本": 1}`, `         `},
		{"combining", "{\"e\u0300\": 1}", "1", 80, "{\"e\u0300\": 1}", `      `},
		{"one of several lines", "{\r\n\"a\": 1,\r\n\"b\": 2}", "1", 80, `"a": 1,`, `     `},
		{"control characters", "{\"a\x1b[31m\x7f\u202e\": 1}", " 1", 80, "{\"a␛[31m␡\ufffd\": 1}", strings.Repeat(" ", 12)},
		{"invalid UTF-8", "{\"\xff\": 1}", "1", 80, "{\"\ufffd\": 1}", `      `},
		{"end cut", "X" + long, "X", 22, "Xabcdefghi abcdefghi…", ""},
		{"beginning cut", long + "X", "X", 22, "…bcdefghi abcdefghi X", strings.Repeat(" ", 20)},
		{"both cut", long + "X" + long, "X", 22, "…ghi abcdefghi Xabcde…", strings.Repeat(" ", 15)},
		{"hardly any room", long + "X" + long, "X", -5, "…i abcdefghi Xabcde…", strings.Repeat(" ", 13)},
	} {
		t.Run(test.name, func(t *testing.T) {
			line, indent, ok := excerpt([]byte(test.text), strings.Index(test.text, test.at), test.width)
			if !ok || line != test.line || indent != test.indent {
				t.Errorf("excerpt is %q, %q, %t\nwant %q, %q", line, indent, ok, test.line, test.indent)
			}
		})
	}
	for _, text := range []string{"", " \t", "\n", "\r\n"} {
		if line, _, ok := excerpt([]byte(text), 0, 80); ok {
			t.Errorf("the excerpt of %q is %q", text, line)
		}
	}
}

func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"one":                "one",
		"one two  three":     "one two\nthree",
		"seven77 letters":    "seven77\nletters",
		"full row and next":  "full row\nand next",
		"a b c d e f":        "a b c d\ne f",
		"incomprehensible a": "incomprehensible\na",
		"日本語日本語日 a":          "日本語日本語日\na",
	} {
		if got := wrap(text, 8); got != want {
			t.Errorf("wrap(%q) is %q, want %q", text, got, want)
		}
	}
}
