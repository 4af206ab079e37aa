package ndjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/ndjson"
)

// line has a member of each kind.
type line struct {
	ID           json.RawMessage
	Text, Word   string
	Yes          *bool
	Count        int64
	Size         float64
	List         []string
	Map          map[string]string
	Inner        *inner
	Body, Halves []byte
	Dialect      diag.Dialect
}

type inner struct{ Zone string }

var innerForm = ndjson.NewObject("inner", ndjson.Of("zone", func(v *inner) *string { return &v.Zone }, ndjson.NotEmpty))

var form = ndjson.NewObject("a request",
	ndjson.Raw("id", func(v *line) *json.RawMessage { return &v.ID }).OrNull(),
	ndjson.Of("text", func(v *line) *string { return &v.Text }, ndjson.Text[string]),
	ndjson.Of("word", func(v *line) *string { return &v.Word }, ndjson.Word("one", "two", "three")),
	ndjson.Of("yes", func(v *line) **bool { return &v.Yes }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("count", func(v *line) *int64 { return &v.Count }, ndjson.Natural),
	ndjson.Of("size", func(v *line) *float64 { return &v.Size }, ndjson.Number),
	ndjson.Of("list", func(v *line) *[]string { return &v.List }, ndjson.List(ndjson.Text[string])),
	ndjson.Of("map", func(v *line) *map[string]string { return &v.Map }, ndjson.Map(ndjson.Text[string])),
	ndjson.Of("inner", func(v *line) **inner { return &v.Inner }, ndjson.Opt(innerForm.Value)),
	ndjson.Raw("body", func(v *line) *[]byte { return &v.Body }).Verbatim(),
	ndjson.Of("halves", func(v *line) *[]byte { return &v.Halves }, ndjson.WTF8),
	ndjson.Of("dialect", func(v *line) *diag.Dialect { return &v.Dialect }, ndjson.Decoded[diag.Dialect]),
)

func TestRead(t *testing.T) {
	for text, want := range map[string]line{
		`{}`: {},
		` { "text" : "a\u00e9" , "id" : -1.5e3 } `:             {Text: "aé", ID: []byte("-1.5e3")},
		`{"te\u0078t":"b","body":"x"}`:                         {Text: "b", Body: []byte(`"x"`)},
		`{"id":null,"text":null,"yes":null,"body":null}`:       {ID: []byte("null"), Body: []byte("null")},
		`{"list":[],"map":{},"inner":{}}`:                      {List: []string{}, Map: map[string]string{}, Inner: &inner{}},
		`{"list":["a","b"],"map":{"a":"b","c":null}}`:          {List: []string{"a", "b"}, Map: map[string]string{"a": "b"}},
		`{"word":"three","yes":false,"count":7,"size":-0.5}`:   {Word: "three", Yes: new(false), Count: 7, Size: -0.5},
		`{"inner":{"zone":"a","other":1},"later":{"a":[1,2]}}`: {Inner: &inner{"a"}},
		"{\"body\":\"\xff\",\"text\":\"é\"}":                   {Body: []byte("\"\xff\""), Text: "é"},
		`{"halves":"\ud800","":1}`:                             {Halves: []byte("\xED\xA0\x80")},
		`{"halves":""}`:                                        {Halves: []byte{}},
		`{"count":0,"dialect":"google"}`:                       {Dialect: diag.Google},
		`{"text":"\ud83d\ude00"}`:                              {Text: "😀"},
		`{"text":"\ufffd"}`:                                    {Text: "\uFFFD"},
	} {
		var got line
		if err := form.Read([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// The error is the first one, it names the member and shows no value; the id is read even then.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                          "the line must be a JSON object",
		`{"id":7,"text":}`:                            `the line is not JSON: expected a value, found "}" (byte 16)`,
		`{"id":7,"te`:                                 "the line is not JSON: unexpected end of input (byte 12)",
		`{"text":"a","text":"b","id":7}`:              "text appears twice",
		`{"id":7,"id":8}`:                             "id appears twice",
		`{"id":7,"text":"a","id":8}`:                  "id appears twice",
		`{"id":7,"other":1,"other":2}`:                `"other" appears twice`,
		`{"tetx":1,"id":7}`:                           `"tetx" is not a member of a request; did you mean text?`,
		"{\"text\":\"\xff\",\"id\":7}":                "text is not valid UTF-8",
		"{\"other\":\"\xff\",\"id\":7}":               "a member that is unknown is not valid UTF-8",
		`{"id":7,"text":1,"list":2}`:                  "text is a number; it must be a string",
		`{"id":7,"text":"\ud800"}`:                    "text contains half of a surrogate pair",
		`{"id":7,"halves":1}`:                         "halves is a number; it must be a string",
		`{"id":7,"word":"four"}`:                      "word is an unknown word; it must be one, two or three",
		`{"id":7,"word":""}`:                          "word is an unknown word; it must be one, two or three",
		`{"id":7,"word":[]}`:                          "word is an array; it must be a string",
		`{"id":7,"yes":"yes"}`:                        "yes is a string; it must be true or false",
		`{"id":7,"count":true}`:                       "count is a boolean; it must be a whole number",
		`{"id":7,"count":1e3}`:                        "count is a number; it must be a whole number, in digits and within range",
		`{"id":7,"count":-1}`:                         "count is negative; it must be 0 or more",
		`{"id":7,"count":9223372036854775808}`:        "count is a number; it must be a whole number, in digits and within range",
		`{"id":7,"size":"1"}`:                         "size is a string; it must be a number",
		`{"id":7,"size":1e400}`:                       "size is a number; it must be a number within range",
		`{"id":7,"list":{}}`:                          "list is an object; it must be an array",
		`{"id":7,"list":["a",7]}`:                     "a value in list is a number; it must be a string",
		`{"id":7,"list":["a",null]}`:                  "a value in list is null; it must be a string",
		`{"id":7,"list":["\ud800"]}`:                  "a value in list contains half of a surrogate pair",
		`{"id":7,"map":[]}`:                           "map is an array; it must be an object",
		`{"id":7,"map":{"a":{"b":"c"}}}`:              "a value in map is an object; it must be a string",
		`{"id":7,"map":{"a":"b","a":null}}`:           "map.a appears twice",
		`{"id":7,"dialect":1}`:                        "dialect is a number; it must be a string",
		`{"id":7,"dialect":"x"}`:                      "dialect must be documents or google",
		`{"id":7,"inner":7}`:                          "inner is a number; it must be an object",
		`{"id":7,"inner":{"zone":7}}`:                 "inner.zone is a number; it must be a string",
		`{"id":7,"inner":{"zone":""}}`:                "inner.zone is empty; leave it out if it is unknown",
		`{"id":7,"inner":{"zone":"a","zone":"b"}}`:    "inner.zone appears twice",
		`{"id":7,"inner":{"other":1,"zoen":"Paris"}}`: `"zoen" is not a member of inner; did you mean zone?`,
	} {
		var got line
		var id json.RawMessage
		err := form.ReadLine([]byte(text), &got, &id)
		if id == nil {
			id = got.ID
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", text, err, want)
		}
		if strings.HasPrefix(text, "{") && string(id) != "7" {
			t.Errorf("%s: the id is %s", text, id)
		}
	}
}

// An object with members of others has no misspelt ones.
func TestMembersOfOthers(t *testing.T) {
	open := ndjson.NewObject("", ndjson.Of("zone", func(v *inner) *string { return &v.Zone }, ndjson.Text[string]))
	var got inner
	if err := open.Read([]byte(`{"zoen":1,"zone":"a"}`), &got); err != nil || got.Zone != "a" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := open.Read([]byte(`{"zoen":1,"zoen":1}`), &got); err == nil {
		t.Error("no error for a member that appears twice")
	}
}

// Each shows no name in an error, which may be a secret. Two halves of surrogate pairs are two names.
func TestEach(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":null,"c":"d"}`:   `a=1 c="d" `,
		`{"\ud800":1,"\udfff":2}`:    "\xED\xA0\x80=1 \xED\xBF\xBF=2 ",
		`{"a":1,"\u0061":2}`:         "a=1 a JSON object repeats a member name; write each name once",
		`[]`:                         "it must be a JSON object",
		"{\"a\":\"\xff\"}":           "a value in it is not valid UTF-8",
		`{"a":1,"stop":2,"after":3}`: "a=1 stopped",
	} {
		var got strings.Builder
		err := ndjson.Each([]byte(text), func(name string, value []byte) error {
			if name == "stop" {
				return fmt.Errorf("stopped")
			}
			fmt.Fprintf(&got, "%s=%s ", name, value)
			return nil
		})
		if err != nil {
			got.WriteString(err.Error())
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", text, got.String(), want)
		}
	}
}

// FuzzRead compares what is read with encoding/json, and finds the id.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"text":"a","id":{"a":null},"body":"\\"}`))
	f.Add([]byte(`{"text":"\ufffd\ud83d\ude00","list":["a", "b"],"later":[1,"}"]}`))
	f.Add([]byte("{\"id\":1,\"body\":\"\xff\"}\r"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var got line
		err := form.Read(text, &got)
		var want struct {
			ID, Body json.RawMessage
			Text     string
			List     []string
		}
		var members map[string]json.RawMessage
		if err != nil || json.Unmarshal(text, &members) != nil {
			return
		}
		for name, into := range map[string]any{"id": &want.ID, "body": &want.Body, "text": &want.Text, "list": &want.List} {
			if members[name] == nil {
				continue
			}
			if err := json.Unmarshal(members[name], into); err != nil {
				t.Errorf("%s of %q is read, but is an error: %v", name, text, err)
			}
		}
		if string(got.ID) != string(want.ID) || string(got.Body) != string(want.Body) || got.Text != want.Text || !cmp.Equal(got.List, want.List) {
			t.Errorf("%q is read as %+v, want %+v", text, got, want)
		}
		if found := ndjson.FindID(text); string(found) != strings.TrimSpace(string(got.ID)) {
			t.Errorf("the id of %q is found as %q", text, found)
		}
	})
}
