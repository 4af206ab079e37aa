package jsonscan

import "testing"

func TestReason(t *testing.T) {
	for _, test := range []struct {
		text, want string
		offset     int
	}{
		{"", "it is empty", 0},
		{"\ufeff{}", "it begins with a byte order mark (U+FEFF); save it as UTF-8 without one", 0},
		{"\xff\xfe{\x00", "it begins with a byte order mark of UTF-16; save it as UTF-8 without one", 0},
		{"\xfe\xff\x00{", "it begins with a byte order mark of UTF-16; save it as UTF-8 without one", 0},
		{`{"a":1`, "it ends too early", 6},
		{`{"a":"x`, "it ends too early", 7},
		{`{"a":}`, `"}" is where a value must begin`, 5},
		{`{"a":NaN}`, `"N" is where a value must begin`, 5},
		{`{"a":é}`, `"é" is where a value must begin`, 5},
		{`[,1]`, `"," is where a value must begin`, 1},
		{`{"a" 1}`, `"1" is where a colon must follow a name`, 5},
		{`{"a"}`, `"}" is where a colon must follow a name`, 4},
		{`{"a":01}`, `"1" is where a comma or "}" must follow a value`, 6},
		{`{"a":1]`, `"]" is where a comma or "}" must follow a value`, 6},
		{`[1 2]`, `"2" is where a comma or "]" must follow an element`, 3},
		{`{"a":1,}`, "a comma is before the end of an object or array; remove it", 6},
		{"[1, \n]", "a comma is before the end of an object or array; remove it", 2},
		{`{,}`, "a comma is before the end of an object or array; remove it", 1},
		{`{a:1}`, `"a" is where a name in double quotes must begin`, 1},
		{`{1:1}`, `"1" is where a name in double quotes must begin`, 1},
		{`{"a":1,b:2}`, `"b" is where a name in double quotes must begin`, 7},
		{`{"a":tru}`, `"}" is where the word true, false or null must continue`, 8},
		{`{"a":-}`, `"}" is where a number must have a digit`, 6},
		{`{"a":1.e}`, `"e" is where a number must have a digit`, 7},
		{"{\"a\":\"\t\"}", `a string contains the control character "\t"; write it as an escape`, 6},
		{`{"a":"\x"}`, "a string contains a backslash that does not begin an escape of JSON; write it twice", 6},
		{`{"a":"\ud800"}`, "a string contains an escaped half of a surrogate pair, which is not a character; write both halves or remove it", 6},
		{"{\"a\":\"\xff\"}", "it is not valid UTF-8", 6},
		{`{"a":1, "a":2}`, "a member has the name of an earlier member of its object; write each name once", 8},
		{`{"x":[{"a":1,"\u0061":2}]}`, "a member has the name of an earlier member of its object; write each name once", 13},
		{`{} x`, "something follows the value", 3},
	} {
		err := check([]byte(test.text), 100)
		if err == nil || err.Reason() != test.want || err.Offset != test.offset {
			t.Errorf("%q: %v, want %s (byte %d)", test.text, err, test.want, test.offset+1)
		}
	}
}
