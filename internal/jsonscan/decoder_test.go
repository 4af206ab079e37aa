package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
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
	Skip() bool
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
	if err := r.Err(); err != nil {
		t.say("%+v", *err)
	}
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
			t.say("entered %s at %d", t.Path(), t.Offset())
			t.visitWithin(kind)
		}
	case t.skips&1 != 0:
		t.say("skip %t", t.Skip())
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
	guess := "a"
	for name, isGuess, ok := t.Member(guess); ok; name, isGuess, ok = t.Member(guess) {
		t.say("%q is %s, guess %t", name, t.Path(), isGuess)
		t.visit()
		if end, _ := textEnd(name, 0); len(name) > 0 && end == len(name) {
			guess = string(name)
		}
	}
}

func compareReaders(t interface {
	Errorf(string, ...any)
}, text string, most int, skips uint64) {
	want := tourOf(new(slowDecoder), text, most, skips)
	got := tourOf(new(Decoder), text, most, skips)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-jsontext +Decoder):\n%s", text, diff)
	}
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
	`""`, `"`, `"a`, `"\u00e9"`, `"\u00g9"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0061"`, `"\ude00"`, `"\udc00"`, `"\udfff"`, `"\ud7ff\ud800\udc00\udbff\udfff\ue000"`, `"\ud800\udbff"`, `"\ud800\ue000"`, `"\x"`, `"\`, "\"\x01\"", "\"\x7f\"", "\"\xff\"", "\"\xffa\"", "\"\xc3\"", `"é\"\\"`, "\"\xed\xa0\x80\"", `"12345678\"12345678"`, `"1234567é1234567"`,
	`{"a":1,"a":2}`, `{"a" : [1, 2 ,{"b":[]}] , "c":{}}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{,}`, `{"a":1,,}`, `{1:2}`, `{"a":1]`, `[1,]`, `[,1]`, `[1 2]`, `[1:2]`, `[1,2`, `{"a":[1,{"b":`, `{"a~b/c":{"":[0,tru]}}`,
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
	for _, levels := range []int{maxRecursion + 1, maxLevels - 1, maxLevels, maxLevels + 1} {
		text := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		for _, skips := range []uint64{0b1000, math.MaxUint64} {
			compareReaders(t, text, math.MaxInt, skips)
			compareReaders(t, text, 100, skips)
			compareReaders(t, `{"a":[`+text[:levels+maxRecursion/2]+"x]}", 100, skips)
			compareReaders(t, `{"a":[`+strings.Repeat(`{"b":`, levels)+"x", 100, skips)
		}
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
		{`{"a"}`, []func(*Decoder) bool{enter, member, value}},
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
	for _, s := range []string{"", "plain", "12345678", `a "quote"`, "a\b", "tab\t", "\x7f", "Grüße", "\xff", "12345678\n", "<&>", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, _ := jsontext.AppendQuote([]byte("x"), s)
		if got := AppendQuote([]byte("x"), s); string(got) != string(want) {
			t.Errorf("%q is quoted as %s, want %s", s, got, want)
		}
	})
}

// Scanning strings eight bytes at a time gives the same result as scanning single bytes.
func FuzzTextEnd(f *testing.F) {
	f.Add([]byte("plain \x1f\"\\\x7f\x80\xff and more of it"), 3)
	f.Add([]byte("Grüße an alle\""), 0)
	f.Add([]byte("ASCII \\n"), 0)
	f.Add([]byte("ASCII"), 0)
	f.Add([]byte("\xffa"), 0)
	isSpecial := func(c byte) bool { return c < ' ' || c == '"' || c == '\\' }
	isHigh := func(c byte) bool { return c >= utf8.RuneSelf }
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		if at < 0 || at > len(text) {
			return
		}
		want := len(text)
		if i := slices.IndexFunc(text[at:], isSpecial); i >= 0 {
			want = at + i
		}
		got, isASCII := textEnd(text, at)
		if got != want {
			t.Errorf("%q from %d to %d, want %d", text, at, got, want)
		}
		if isASCII && slices.ContainsFunc(text[at:got], isHigh) || !isASCII && !slices.ContainsFunc(text[at:], isHigh) {
			t.Errorf("%q from %d to %d: ASCII %t", text, at, got, isASCII)
		}
	})
}

// slowDecoder is the simple version of [Decoder]: a decoder of jsontext reads the text.
type slowDecoder struct {
	json   jsontext.Decoder
	buffer bytes.Buffer // what json reads
	text   []byte
	most   int  // levels of nesting
	kind   Kind // of the next token
	err    *SyntaxError
}

// Reset makes d read text from its beginning. Values may be nested at most most levels deep.
func (d *slowDecoder) Reset(text []byte, most int) {
	d.reset(text, most, jsontext.AllowDuplicateNames(true))
}

func (d *slowDecoder) reset(text []byte, most int, options ...jsontext.Options) {
	d.text, d.most, d.err = text, most, nil
	d.buffer = *bytes.NewBuffer(text)
	d.json.Reset(&d.buffer, options...)
	d.peek()
}

// Release drops the text.
func (d *slowDecoder) Release() {
	d.text, d.err = nil, nil
	d.buffer = bytes.Buffer{}
}

// Err returns why reading stopped, or nil.
func (d *slowDecoder) Err() *SyntaxError { return d.err }

// peek looks at the next token.
func (d *slowDecoder) peek() {
	if d.kind = 0; d.err == nil {
		d.kind = d.json.PeekKind()
	}
}

// Kind returns the kind of the value to read.
func (d *slowDecoder) Kind() Kind { return d.kind }

// Enter reads the beginning of an object or array.
func (d *slowDecoder) Enter() bool {
	return d.readToken() && !d.exceeds(d.json.StackDepth())
}

func (d *slowDecoder) readToken() bool {
	if d.err != nil {
		return false
	}
	_, err := d.json.ReadToken()
	if err != nil {
		d.fail(err)
	}
	return err == nil
}

// Member reads the name of the next member of an object or, if there is none, the end of the object.
func (d *slowDecoder) Member(guess string) (name []byte, isGuess, ok bool) {
	if d.peek(); d.kind == '}' {
		d.readToken()
		return nil, false, false
	}
	if d.err != nil {
		return nil, false, false
	}
	quoted, err := d.json.ReadValue()
	if err != nil {
		d.fail(err)
		return nil, false, false
	}
	isGuess, name = string(quoted) == `"`+guess+`"`, bytes.Clone(Unquote(quoted))
	d.peek()
	return name, isGuess, true
}

// More reports whether another element of an array follows. If none does, it reads the end of the array.
func (d *slowDecoder) More() bool {
	if d.peek(); d.kind == ']' {
		d.readToken()
		return false
	}
	return d.err == nil
}

// Value reads a value and returns its text, which is valid until the next call.
func (d *slowDecoder) Value() ([]byte, bool) {
	text, ok := d.Scalar()
	return text, ok && !(isNested(text) && d.exceeds(d.json.StackDepth()+depth(text)))
}

// Scalar is like [slowDecoder.Value] for a value that is not an array or object: it does not check how
// deeply the value is nested.
func (d *slowDecoder) Scalar() ([]byte, bool) {
	if d.err != nil {
		return nil, false
	}
	text, err := d.json.ReadValue()
	if err != nil {
		d.fail(err)
	}
	return text, err == nil
}

// Bool reads true or false.
func (d *slowDecoder) Bool() (value, ok bool) {
	value = d.kind == 't'
	ok = d.readToken()
	return value && ok, ok
}

// Skip reads a value, however deeply it is nested.
func (d *slowDecoder) Skip() bool {
	_, ok := d.Scalar()
	return ok
}

// End checks that only white space follows.
func (d *slowDecoder) End() {
	if d.err != nil {
		return
	}
	if next := skipSpace(d.text, d.Offset()); next < len(d.text) {
		d.err = &SyntaxError{Offset: next, Reason: "something follows the value"}
	}
}

// Offset returns where the last value or token that was read ends, in bytes.
func (d *slowDecoder) Offset() int { return int(d.json.InputOffset()) }

// Next returns where the value to read begins.
func (d *slowDecoder) Next() int { return d.After(d.Offset()) }

// After returns where the next value after an offset begins. [slowDecoder.Offset] has returned the offset.
func (d *slowDecoder) After(offset int) int { return skipSeparators(d.text, offset) }

// Path returns the path to the last value or name that was read.
func (d *slowDecoder) Path() diag.Pointer { return diag.Pointer(d.json.StackPointer()) }

// exceeds reports whether depth is more than the limit, and then stops.
func (d *slowDecoder) exceeds(depth int) bool {
	if depth <= d.most {
		return false
	}
	d.Stop(tooDeep(d.most))
	return true
}

// Stop ends reading after the last value, for a reason.
func (d *slowDecoder) Stop(reason string) {
	d.err = &SyntaxError{Path: d.Path(), Offset: d.Offset(), Reason: reason}
}

// fail stops because of an error of jsontext.
func (d *slowDecoder) fail(err error) {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok: // io.EOF: reading from memory has no other error
		d.err = &SyntaxError{Offset: len(d.text), Reason: "it is empty"}
	case syntax.ByteOffset == 0 && bytes.HasPrefix(d.text, []byte(byteOrderMark)):
		d.err = &SyntaxError{Reason: "it begins with a byte order mark (U+FEFF); save it as UTF-8 without one"}
	case syntax.ByteOffset == 0 && isUTF16(d.text):
		d.err = &SyntaxError{Reason: "it begins with a byte order mark of UTF-16; save it as UTF-8 without one"}
	case strings.Count(string(syntax.JSONPointer), "/") > d.most:
		d.exceeds(d.most + 1) // before the error
	default:
		d.err = &SyntaxError{Path: diag.Pointer(syntax.JSONPointer), Offset: int(syntax.ByteOffset), Reason: reason(d.text, syntax)}
	}
}

// scanRecursively is scanNested as a function that calls itself.
func scanRecursively(text []byte, at, most int) (end, depth int) {
	if most == 0 {
		return Fail, 0
	}
	isObject := text[at] == '{'
	last := text[at] + 2 // in ASCII, the closing bracket is two after the opening one
	at = skipSpace(text, at+1)
	if at < len(text) && text[at] == last {
		return at + 1, 1
	}
	for {
		if isObject {
			name, _ := ScanString(text, at)
			if name == Fail {
				return Fail, 0
			}
			if at = skipColon(text, name); at == Fail {
				return Fail, 0
			}
		}
		within := 0
		if at < len(text) && isOpening(text[at]) {
			end, within = scanRecursively(text, at, most-1)
		} else {
			end, _ = scanValue(text, at, most-1)
		}
		if end == Fail {
			return Fail, 0
		}
		depth = max(depth, within)
		at = skipSpace(text, end)
		switch {
		case at < len(text) && text[at] == last:
			return at + 1, depth + 1
		case at < len(text) && text[at] == ',':
			at = skipSpace(text, at+1)
		default:
			return Fail, 0
		}
	}
}

// A value is read as a function that calls itself reads it.
func TestScanNested(t *testing.T) {
	compare := func(text string) {
		t.Helper()
		at := skipSpace([]byte(text), 0)
		if at == len(text) || !isOpening(text[at]) {
			return
		}
		for _, most := range []int{0, 1, 2, 3, 7, math.MaxInt} {
			end, depth := scanRecursively([]byte(text), at, most)
			if gotEnd, gotDepth := scanNested([]byte(text), at, most); gotEnd != end || end != Fail && gotDepth != depth {
				t.Fatalf("%q with %d levels: %d %d, want %d %d", text, most, gotEnd, gotDepth, end, depth)
			}
		}
	}
	for _, text := range oddTexts {
		compare(text)
	}
	rapid.Check(t, func(r *rapid.T) {
		text := jsontest.Object(5, jsontest.String(), false).Draw(r, "text")
		compare(text)
		at := rapid.IntRange(0, len(text)-1).Draw(r, "at")
		mistake := rapid.SampledFrom([]string{"", ",", ":", "}", "]", "[", "{", "\"", "0", " ", "null"}).Draw(r, "mistake")
		compare(text[:at] + mistake + text[at+1:])
		compare(text[:at])
	})
}

// depth returns how deep the arrays and objects of a value are nested.
func depth(text []byte) int {
	deepest, level := 0, 0
	for _, bracket := range brackets(text) {
		if isOpening(bracket) {
			level++
			deepest = max(deepest, level)
		} else {
			level--
		}
	}
	return deepest
}
