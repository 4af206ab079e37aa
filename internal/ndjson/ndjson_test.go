package ndjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/ndjson"
)

var form = ndjson.Form{Members: []string{"id", "text", "body"}, Verbatim: "body"}

// read reads a line as its members, and the error, a line each.
func read(line string) []string {
	var id json.RawMessage
	var got []string
	err := form.Read([]byte(line), &id, func(name string, value []byte) error {
		got = append(got, name+" "+string(value))
		return nil
	})
	if id != nil {
		got = append(got, "id "+string(id))
	}
	if err != nil {
		got = append(got, "error "+err.Error())
	}
	return got
}

func TestRead(t *testing.T) {
	for line, want := range map[string][]string{
		`{}`: nil,
		` { "text" : [ 1 , {"a":"]}\\\""} ] , "id" : -1.5e3 } `: {`text [ 1 , {"a":"]}\\\""} ]`, "id -1.5e3"},
		`{"te\u0078t":true,"body":"x"}`:                         {"text true", `body "x"`},
		`{"text":null,"body":null,"id":null}`:                   {"body null", "id null"},
		"{\"body\":\"\xff\"}":                                   {"body \"\xff\""},
		"{\"other\":\"\xff\"}":                                  {`error "other" is not valid UTF-8`},
		`{"other":1,"other":2}`:                                 nil,
		`{"":1}`:                                                nil,
		`{"text":1,"text":2,"id":3}`:                            {"text 1", "id 3", "error text appears twice"},
		`{"id":1,"id":2}`:                                       {"id 1", "error id appears twice"},
		`{"text":1,"body":2,"text":3}`:                          {"text 1", "body 2", "error text appears twice"},
		"{\"text\":\"é\",\"body\":\"\xff\"}":                    {`text "é"`, "body \"\xff\""},
		`{"tetx":1,"id":3}`:                                     {"id 3", `error "tetx" is not a member of a request; did you mean text?`},
		`[]`:                                                    {"error the line must be a JSON object"},
		`{"id":3,"text":}`:                                      {"id 3", "error the line is not JSON: \"}\" is where a value must begin (byte 15)"},
		`{"id":3,"te`:                                           {"id 3", "error the line is not JSON: it ends too early (byte 11)"},
	} {
		if diff := cmp.Diff(want, read(line)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestUnmarshal(t *testing.T) {
	var v struct {
		Name  string
		Yes   bool
		Count int
		Size  float64
		List  []string
		Map   map[string]string
	}
	for value, want := range map[string]string{
		`{"Name":1}`:     "m.Name is a number; it must be a string",
		`{"Yes":"yes"}`:  "m.Yes is a string; it must be true or false",
		`{"Count":true}`: "m.Count is a boolean; it must be a whole number",
		`{"Count":1e3}`:  "m.Count is a number; it must be a whole number, in digits and within range",
		`{"Size":1e400}`: "m.Size is a number; it must be a number within range",
		`{"List":{}}`:    "m.List is an object; it must be an array",
		`{"Map":[]}`:     "m.Map is an array; it must be an object",
		`[]`:             "m is an array; it must be an object",
		`{}`:             "",
	} {
		err := ndjson.Unmarshal("m", []byte(value), &v)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", value, err, want)
		}
	}
}

// An error about a value in an array or an object says so.
func TestUnmarshalValues(t *testing.T) {
	for _, test := range []struct {
		value  string
		target any
		want   string
	}{
		{`7`, new([]string), "m is a number; it must be an array"},
		{`["a",7]`, new([]string), "a value in m is a number; it must be a string"},
		{`[]`, new(map[string]string), "m is an array; it must be an object"},
		{`{"a":{"b":"c"}}`, new(map[string]string), "a value in m is an object; it must be a string"},
	} {
		if err := ndjson.Unmarshal("m", []byte(test.value), test.target); err == nil || err.Error() != test.want {
			t.Errorf("%s: the error is %v, want %s", test.value, err, test.want)
		}
	}
}

func TestUnmarshalStrings(t *testing.T) {
	for _, value := range []string{`""`, `"a"`, `"a\nb"`, `"\u00e9"`, `"é"`, `"~"`, "\"\x7f\"", `"\ud83d\ude00"`, `"\ud800"`, `"\ud800\udbff"`, "\"a\xff\xfe\""} {
		var got, want string
		if err := ndjson.Unmarshal("m", []byte(value), &got); err != nil {
			t.Errorf("%s: %v", value, err)
		}
		if err := json.Unmarshal([]byte(value), &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s is read as %q", value, got)
		}
	}
	if err := ndjson.Unmarshal("m", []byte("7"), new(string)); err == nil {
		t.Error("a number is read as a string")
	}
}

func TestUnmarshalObject(t *testing.T) {
	for value, want := range map[string]string{
		`{}`: "", `{"zone":"a","other":1}`: "",
		`7`:                          "m is a number; it must be an object",
		`{"zone":"a","zone":"b"}`:    "m.zone appears twice",
		`{"other":1,"other":2}`:      "m.other appears twice",
		`{"other":1,"zoen":"Paris"}`: `"zoen" is not a member of m; did you mean zone?`,
	} {
		var v struct{ Zone string }
		err := ndjson.UnmarshalObject("m", []byte(value), &v, "zone")
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", value, err, want)
		}
	}
}

func TestReadObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"a","list":["b"],"later":1}`: "a [b]",
		`{"name":null,"list":["b"]}`:          " [b]",
		`{"name":7,"list":["b"]}`:             " [b], name is a number; it must be a string",
		`{"name":7,"list":8}`:                 " [], name is a number; it must be a string",
		`{"name":"\ud800"}`:                   " [], name contains half of a surrogate pair",
		`{"list":["\ud800"]}`:                 " [], list contains half of a surrogate pair",
		`{"name":"a","name":"b"}`:             "a [], " + ndjson.ErrDuplicate.Error(),
		`{"name":"a"`:                         " [], " + ndjson.ErrNotJSON.Error(),
		`["name"]`:                            " [], " + ndjson.ErrNoObject.Error(),
		"{\"name\":\"\xff\"}":                 " [], " + ndjson.ErrNotUTF8.Error(),
	} {
		var name string
		var list []string
		err := ndjson.ReadObject([]byte(text), ndjson.Members{"name": ndjson.To(&name), "list": ndjson.To(&list)})
		got := fmt.Sprint(name, " ", list)
		if err != nil {
			got += ", " + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// FuzzRead compares what is read with encoding/json, and finds the id.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"text":[1,"}"],"id":{"a":null},"body":"\\"}`))
	f.Add([]byte("{\"id\":1,\"body\":\"\xff\"}\r"))
	f.Fuzz(func(t *testing.T, line []byte) {
		got := map[string]json.RawMessage{}
		var id json.RawMessage
		err := form.Read(line, &id, func(name string, value []byte) error {
			got[name] = value
			return nil
		})
		var want map[string]json.RawMessage
		if err != nil || json.Unmarshal(line, &want) != nil {
			return
		}
		for name, value := range got {
			if string(want[name]) != string(value) {
				t.Errorf("%s of %q is read as %q", name, line, value)
			}
		}
		if found := ndjson.FindID(line); string(found) != strings.TrimSpace(string(id)) {
			t.Errorf("the id of %q is found as %q", line, found)
		}
	})
}
