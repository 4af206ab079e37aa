package jsonscan_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

func TestEdits(t *testing.T) {
	const spaced = "{\n  \"a\": 1,\n  \"b\": [1, {\"c\" : null}]\n}\n"
	type edit func(text []byte, path diag.Pointer) ([]byte, bool)
	with := func(f func([]byte, diag.Pointer, []byte) ([]byte, bool), value string) edit {
		return func(text []byte, path diag.Pointer) ([]byte, bool) { return f(text, path, []byte(value)) }
	}
	rename := func(name string) edit {
		return func(text []byte, path diag.Pointer) ([]byte, bool) { return jsonscan.Rename(text, path, name) }
	}
	for _, test := range []struct {
		name string
		edit edit
		path diag.Pointer
		text string
		want string // "" if there is no such place
	}{
		{"replace", with(jsonscan.Replace, `"x"`), "/b/1/c", spaced, "{\n  \"a\": 1,\n  \"b\": [1, {\"c\" : \"x\"}]\n}\n"},
		{"replace an element", with(jsonscan.Replace, `"x"`), "/b/0", spaced, "{\n  \"a\": 1,\n  \"b\": [\"x\", {\"c\" : null}]\n}\n"},
		{"replace all", with(jsonscan.Replace, `{}`), "", " [] ", " {} "},
		{"replace nothing", with(jsonscan.Replace, `0`), "/b/2", spaced, ""},
		{"replace a name that is an index", with(jsonscan.Replace, `0`), "/0", `{"0":1}`, `{"0":0}`},
		{"replace in a scalar", with(jsonscan.Replace, `0`), "/a/b", spaced, ""},
		{"replace one of two", with(jsonscan.Replace, `0`), "/a", `{"a":1,"\u0061":2}`, ""},
		{"replace within one of two", with(jsonscan.Replace, `0`), "/a/b", `{"a":{"b":1},"c":2,"a":{}}`, ""},
		{"replace beside two", with(jsonscan.Replace, `0`), "/b", `{"a":1,"a":2,"b":3}`, `{"a":1,"a":2,"b":0}`},
		{"insert", with(jsonscan.Insert, `true`), "/d", spaced, "{\n  \"a\": 1,\n  \"b\": [1, {\"c\" : null}],\n  \"d\": true\n}\n"},
		{"insert deeper", with(jsonscan.Insert, `true`), "/b/1/d", spaced, "{\n  \"a\": 1,\n  \"b\": [1, {\"c\" : null,\"d\": true}]\n}\n"},
		{"insert behind a space before a comma", with(jsonscan.Insert, `0`), "/a/d", `{"a":{"b":1 ,"c":2}}`, `{"a":{"b":1 ,"c":2,"d":0}}`},
		{"insert into nothing", with(jsonscan.Insert, `true`), "/d", `{ }`, `{"d":true }`},
		{"insert without space", with(jsonscan.Insert, `0`), "/b", `{"a":1}`, `{"a":1,"b":0}`},
		{"insert a name with escapes", with(jsonscan.Insert, `0`), "/a~1\"", `{}`, `{"a/\"":0}`},
		{"insert what is there", with(jsonscan.Insert, `0`), "/a", spaced, ""},
		{"insert into an array", with(jsonscan.Insert, `0`), "/b/2", spaced, ""},
		{"insert into what is not there", with(jsonscan.Insert, `0`), "/x/y", spaced, ""},
		{"remove the first", jsonscan.Remove, "/a", spaced, "{\n  \"b\": [1, {\"c\" : null}]\n}\n"},
		{"remove the last", jsonscan.Remove, "/b", spaced, "{\n  \"a\": 1\n}\n"},
		{"remove one of two", jsonscan.Remove, "/a", `{"a":1,"a":2}`, ""},
		{"remove the only", jsonscan.Remove, "/b/1/c", spaced, "{\n  \"a\": 1,\n  \"b\": [1, {}]\n}\n"},
		{"remove the first element", jsonscan.Remove, "/b/0", spaced, "{\n  \"a\": 1,\n  \"b\": [{\"c\" : null}]\n}\n"},
		{"remove from the middle", jsonscan.Remove, "/1", `[0, 1, 2]`, `[0, 2]`},
		{"remove all", jsonscan.Remove, "", spaced, ""},
		{"rename", rename("e"), "/b/1/c", spaced, "{\n  \"a\": 1,\n  \"b\": [1, {\"e\" : null}]\n}\n"},
		{"rename an element", rename("e"), "/b/1", spaced, ""},
		{"rename to what is there", rename("b"), "/a", spaced, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := test.edit([]byte(test.text), test.path)
			if string(got) != test.want || ok != (test.want != "") {
				t.Errorf("%q, %t, want %q", got, ok, test.want)
			}
		})
	}
}
