package jsonscan

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// reader has the methods of a decoder.
type reader interface {
	Reset(text []byte, most int)
	Err() *SyntaxError
	Kind() Kind
	Enter() bool
	Member(guess string) (name []byte, isGuess, ok bool)
	More() bool
	Value() ([]byte, bool)
	Bool() (value, ok bool)
	Skip() bool
	IsInMember() bool
	End()
	Offset() int
	Next() int
	Path() diag.Pointer
}

// tour reads a text and records all results of the reader. The bits of skips select the arrays and objects that
// it reads as a whole.
type tour struct {
	reader
	skips uint64
	log   []string
}

func tourOf(r reader, text string, most int, skips uint64) []string {
	r.Reset([]byte(text), most)
	t := &tour{reader: r, skips: skips}
	t.visit()
	r.End()
	return t.log
}

func (t *tour) say(format string, args ...any) { t.log = append(t.log, fmt.Sprintf(format, args...)) }

func (t *tour) visit() {
	kind := t.Kind()
	next := t.Next()
	skip := t.skips&1 != 0
	t.skips = t.skips>>1 | t.skips<<63
	switch {
	case (kind == '{' || kind == '[') && !skip:
		if t.Enter() {
			t.say("entered %s at %d, in a member %t", t.Path(), t.Offset(), t.IsInMember())
			t.visitWithin(kind)
		}
	case t.skips&1 != 0:
		t.say("skip %t", t.Skip())
	case (kind == 't' || kind == 'f') && !skip:
		value, ok := t.Bool()
		t.say("%t, read %t", value, ok)
	default:
		text, ok := t.Value()
		if ok {
			t.say("%s", text)
		}
	}
	if t.Err() == nil { // where reading fails, it does not matter what Kind was
		t.say("%c at %d to %d is %q", kind, next, t.Offset(), t.Path())
	}
}

func (t *tour) visitWithin(kind Kind) {
	if kind == '[' {
		for t.More() {
			t.visit()
		}
		return
	}
	guess := `"a":`
	for name, isGuess, ok := t.Member(guess); ok; name, isGuess, ok = t.Member(guess) {
		t.say("%q is %s, guess %t", name, t.Path(), isGuess)
		t.visit()
		if len(name) > 0 && textEnd(name, 0) == len(name) {
			guess = `"` + string(name) + `":`
		}
	}
}

// compareReaders reads a text with both decoders, and checks it with the names of each object being different.
func compareReaders(t rapid.TB, text string, most int, skips uint64) {
	t.Helper()
	slow, fast := new(slowDecoder), new(Decoder)
	want, got := tourOf(slow, text, most, skips), tourOf(fast, text, most, skips)
	if slow.err != nil { // of which one may learn later than the other
		both := min(len(want), len(got))
		want, got = want[:both], got[:both]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-jsontext +Decoder):\n%s", text, diff)
	}
	compareErrors(t, text, slow.err, fast.err)
	slow.reset([]byte(text), most)
	slow.Value()
	slow.End()
	compareErrors(t, text, slow.err, check([]byte(text), most))
}

// compareErrors compares an error with that of a slow decoder, which does not name most mistakes.
func compareErrors(t rapid.TB, text string, want, got *SyntaxError) {
	t.Helper()
	switch {
	case want == nil || got == nil:
		if want != got {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		return
	case got.Mistake == HalfPair && want.Mistake == EarlyEnd && isCutPair(text[got.Offset:]):
		return // jsontext waits for another half even after a second one, which no half may follow
	case (got.Mistake == NoValue || got.Mistake == NoComma) && want.Path == parent(got.Path):
		want.Path = got.Path // for some characters, jsontext returns the path of what is around the value or object
	}
	if got.Offset != want.Offset || got.Path != want.Path || want.Mistake != 0 && got.Mistake != want.Mistake {
		t.Errorf("%.100q: %v at %q, want byte %d at %q, mistake %d", text, got, got.Path, want.Offset, want.Path, want.Mistake)
	}
}

var isCutPair = regexp.MustCompile(`^(?i)\\ud[c-f][0-9a-f]{2}(\\(u(d([c-f][0-9a-f]?)?)?)?)?$`).MatchString

func parent(path diag.Pointer) diag.Pointer {
	return path[:max(0, strings.LastIndex(string(path), "/"))]
}

// A decoder returns the same results for any text as one of jsontext.
func FuzzDecoder(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text, uint8(3), uint64(0))
		f.Add(text, uint8(200), uint64(0b10110100))
	}
	for _, text := range jsontest.Large() {
		f.Add(text, uint8(200), uint64(0b100))
	}
	f.Fuzz(func(t *testing.T, text string, most uint8, skips uint64) {
		if len(text) <= jsontest.MaxFuzzed {
			compareReaders(t, text, int(most), skips)
		}
	})
}

var oddTexts = []string{
	"", " ", "{", "[", "}", "]", ",", ":", "{}", " [ ] ", "[}", "{]", "[[]", "{} {}", "[],", "null", "nul", "nullx", "truefalse", "12a", "-", "-0", "01", "1.", "1.e1", "1e", "1E+5", "-1.25e-2",
	`""`, `"`, `"a`, `"\u00e9"`, `"\u00g9"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0061"`, `"\ude00"`, `"\udc00"`, `"\udfff"`, `"\ud7ff\ud800\udc00\udbff\udfff\ue000"`, `"\ud800\udbff"`, `"\ud800\ue000"`, `"\x"`, `"\`, "\"\x01\"", "\"\x7f\"", "\"\xff\"", "\"\xffa\"", "\"\xc3\"", `"é\"\\"`, "\"\xed\xa0\x80\"", `"12345678\"12345678"`, `"1234567é1234567"`, `"\n \u0041 "`,
	`{"a":1,"a":2}`, `{"a" : [1, 2 ,{"b":[]}] , "c":{}}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{,}`, `{"a":1,,}`, `{1:2}`, `{"a":1]`, `[1,]`, `[,1]`, `[1 2]`, `[1:2]`, `[1,2`, `[1,`, `{"a":[1,{"b":`, `{"a~b/c":{"":[0,tru]}}`,
	`[[[[]]]]`, `[[[[[1]]]],2]`, `{"a":{"b":{"c":{"d":1,`, "\ufeff{}", "\xff\xfe{\x00}\x00", "\xfe\xff\x00{\x00}", "[1]\x00", "{\"a\":\t\r\n1}", "{\"a\":\f1}",
}

func TestDecoder(t *testing.T) {
	for _, text := range oddTexts {
		for _, most := range []int{0, 1, 2, 3, math.MaxInt} {
			for _, skips := range []uint64{0, 1, 2, 3, math.MaxUint64} {
				compareReaders(t, text, most, skips)
			}
		}
	}
	for _, levels := range []int{maxLevels - 1, maxLevels, maxLevels + 1} {
		text := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		for _, skips := range []uint64{0b1000, math.MaxUint64} {
			compareReaders(t, text, math.MaxInt, skips)
			compareReaders(t, text, 100, skips)
			compareReaders(t, `{"a":[`+text[:levels+500]+"x]}", 100, skips)
			compareReaders(t, `{"a":[`+strings.Repeat(`{"b":`, levels)+"x", 100, skips)
		}
	}
}

// A decoder that is released keeps usual buffers only, and no text.
func TestRelease(t *testing.T) {
	for _, test := range []struct {
		length, bytes int // of the buffers
		keeps         bool
	}{{256, 64 << 10, true}, {257, 64<<10 + 1, false}} {
		var d Decoder
		d.Reset([]byte("[["), 1)
		for d.Enter() {
		}
		d.outer, d.names, d.string = make([]level, test.length), map[memberName]bool{}, make([]byte, test.bytes)
		for i := range test.length {
			d.names[memberName{object: i}] = true
		}
		d.Release()
		hasOuter, hasNames, hasString := cap(d.outer) > 0, d.names != nil, d.string != nil
		if hasOuter != test.keeps || hasNames != test.keeps || hasString != test.keeps || d.text != nil || d.Err() != nil {
			t.Errorf("with buffers of %d it keeps levels: %t, names: %t, a string: %t, the text %q and the error %v",
				test.length, hasOuter, hasNames, hasString, d.text, d.Err())
		}
	}
}

// A locator that is released keeps usual buffers only.
func TestReleaseOfLocator(t *testing.T) {
	for _, test := range []struct {
		targets, tokens int // the lengths of the buffers
		keeps           bool
	}{{256, 256, true}, {257, 256, false}, {256, 257, false}} {
		l := &locator{targets: make([]target, test.targets), tokens: make([]string, test.tokens)}
		l.release()
		if hasTargets, hasTokens := l.targets != nil, l.tokens != nil; hasTargets != test.keeps || hasTokens != test.keeps {
			t.Errorf("%+v: it keeps targets: %t, tokens: %t", test, hasTargets, hasTokens)
		}
	}
}

// The name that was read last has a place in the text.
func TestName(t *testing.T) {
	const text = `{"a":1, "b\n" : 2}`
	var d Decoder
	d.Reset([]byte(text), 1)
	d.Enter()
	var got []string
	for _, _, ok := d.Member(""); ok; _, _, ok = d.Member("") {
		start, end := d.Name()
		got = append(got, text[start:end])
		d.Skip()
	}
	if diff := cmp.Diff([]string{"a", `b\n`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the caller does not expect is an error, and nothing is read after it.
func TestDecoderRefuses(t *testing.T) {
	enter := (*Decoder).Enter
	member := func(d *Decoder) bool { _, _, ok := d.Member(""); return ok }
	value := func(d *Decoder) bool { _, ok := d.Value(); return ok }
	text := func(d *Decoder) bool { _, _, _, ok := d.String(); return ok }
	for _, test := range []struct {
		text string
		do   []func(*Decoder) bool // all but the last succeed
	}{
		{"7", []func(*Decoder) bool{enter}},
		{"null", []func(*Decoder) bool{enter}},
		{"}", []func(*Decoder) bool{member}},
		{"]", []func(*Decoder) bool{(*Decoder).More}},
		{"[}", []func(*Decoder) bool{enter, member}},
		{"{]", []func(*Decoder) bool{enter, (*Decoder).More}},
		{`["a":1]`, []func(*Decoder) bool{enter, member}},
		{`{"a":"b":1}`, []func(*Decoder) bool{enter, member, member}},
		{`{"a":1}`, []func(*Decoder) bool{enter, (*Decoder).More}},
		{`{"a":1}`, []func(*Decoder) bool{enter, member, text}},
		{`{"a":1}`, []func(*Decoder) bool{enter, member, value, value}},
		{`{"a"}`, []func(*Decoder) bool{enter, member}},
	} {
		t.Run(test.text, func(t *testing.T) {
			var d Decoder
			d.Reset([]byte(test.text), 100)
			for i, do := range test.do {
				if got, want := do(&d), i < len(test.do)-1; got != want || (d.Err() == nil) != want {
					t.Fatalf("step %d: %t with the error %v", i, got, d.Err())
				}
			}
			err, offset := d.Err(), d.Offset()
			if text(&d) || value(&d) || d.Enter() || d.Skip() || member(&d) || d.More() || d.Err() != err || d.Offset() != offset {
				t.Errorf("reading goes on after %v", err)
			}
		})
	}
}

// Both decoders read a text up to a mistake in the same way, and report it at the same place.
func TestDecoderMistakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.Object(3, jsontest.String(), false).Draw(t, "text")
		skips := rapid.Uint64().Draw(t, "skips")
		compareReaders(t, text, 100, skips)
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		mistake := rapid.SampledFrom([]string{"", ",", ":", "}", "]", "[", "{", "\"", "\\", "0", " ", "\x00", "\xff", "é", "null"}).Draw(t, "mistake")
		compareReaders(t, text[:at]+mistake+text[at+1:], 100, skips)
		compareReaders(t, text[:at]+mistake+text[at:], 100, skips)
		compareReaders(t, text[:at], 100, skips)
	})
}

// Strings are quoted as jsontext does it, whether or not they need escapes.
func FuzzAppendQuote(f *testing.F) {
	for _, s := range []string{"", "plain", "12345678", `a "quote"`, "a\b", "tab\t", "\x7f", "Grüße", "\xff", "\x80", "12345678\n", "<&>", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, _ := jsontext.AppendQuote([]byte("x"), s)
		if got := AppendQuote([]byte("x"), s); string(got) != string(want) {
			t.Errorf("%q is quoted as %s, want %s", s, got, want)
		}
	})
}

func TestAppendStrings(t *testing.T) {
	for _, list := range [][]string{{}, {""}, {"a", "\"b\""}, {"a", "b", "c"}} {
		want, _ := json.Marshal(list)
		if got := AppendStrings([]byte("x"), list); string(got) != "x"+string(want) {
			t.Errorf("%q is written as %s, want %s", list, got, want)
		}
	}
}

// Quoting a text copies it once.
func TestAppendQuoteAllocates(t *testing.T) {
	dst, s := make([]byte, 0, 1000), strings.Repeat("a \"quote\"\n", 20)
	if n := testing.AllocsPerRun(10, func() { AppendQuote(dst, s) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Strings are read as jsontext reads them.
func FuzzUnquote(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || text[0] != '"' {
			return
		}
		end, _, m := scanString([]byte(text), 0, lax, nil)
		want, err := jsontext.AppendUnquote(nil, text)
		if m != 0 || end < len(text) {
			return
		}
		if got := Unquote([]byte(text)); string(got) != string(want) {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
		var d Decoder
		d.Reset([]byte(text), 0)
		start, end, got, ok := d.String()
		if got == nil && ok {
			got = d.text[start+1 : end-1]
		}
		if ok != (err == nil) || ok && string(got) != string(want) {
			t.Errorf("%q is read as %q, %t; want %q, and the error of jsontext is %v", text, got, ok, want, err)
		}
	})
}

// Scanning several bytes at once gives the same result as scanning characters.
func FuzzTextEnd(f *testing.F) {
	f.Add([]byte("plain \x1f\"\\\x7f\x80\xff and more of it"), 3)
	f.Add([]byte("Grüße an alle\""), 0)
	f.Add([]byte("ASCII \\n"), 0)
	f.Add([]byte("\xffa"), 0)
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		if 0 <= at && at <= len(text) {
			checkTextEnd(t, text, at)
		}
	})
}

// checkTextEnd compares textEnd with a loop over the characters.
func checkTextEnd(t *testing.T, text []byte, at int) {
	t.Helper()
	want := at
	for want < len(text) {
		r, size := utf8.DecodeRune(text[want:])
		if r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError && size == 1 {
			break
		}
		want += size
	}
	if got := textEnd(text, at); got != want {
		t.Fatalf("%q from %d to %d, want %d", text, at, got, want)
	}
}

// All characters are read, and their neighbors and longer forms are not, at the end of a text and before it, and beside other
// characters.
func TestTextEnd(t *testing.T) {
	const end = "\"       "
	for _, around := range [][2]string{{"", ""}, {"", "\""}, {"", end}, {"é", end}, {"日", end}, {"", "é" + end}, {"", "日" + end}} {
		check := func(character ...byte) {
			for cut := range len(character) + 1 {
				checkTextEnd(t, slices.Concat([]byte(around[0]), character[:cut], []byte(around[1])), 0)
			}
		}
		for i := range 1 << 21 {
			if last := i & 0x3F; i >= 1<<16 && last != 0 && last != 0x3F {
				continue // in a long character, the value of the last byte does not matter
			}
			check(0xF0|byte(i>>18), 0x80|byte(i>>12&0x3F), 0x80|byte(i>>6&0x3F), 0x80|byte(i&0x3F))
			if i < 1<<16 {
				check(0xE0|byte(i>>12), 0x80|byte(i>>6&0x3F), 0x80|byte(i&0x3F))
			}
			if i < 1<<11 {
				check(0xC0|byte(i>>6), 0x80|byte(i&0x3F))
			}
		}
	}
}
