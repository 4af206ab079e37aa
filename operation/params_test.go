package operation_test

import (
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	. "github.com/calrules/calrules/operation"
)

func TestParamsJSON(t *testing.T) {
	tests := []struct {
		name, text string
		want       Params
		wantErr    string // part of the error
	}{
		{"null", `null`, nil, ""},
		{"none", `{}`, Params{}, ""},
		{"string", `{"a":"1"}`, Params{"a": {"1"}}, ""},
		{"empty", `{"":""}`, Params{"": {""}}, ""},
		{"array", `{"a":["1","2"]}`, Params{"a": {"1", "2"}}, ""},
		{"no values", `{"a":[]}`, Params{"a": {}}, ""},
		{"two", `{"a":"1","b":["2"]}`, Params{"a": {"1"}, "b": {"2"}}, ""},
		{"twice", `{"a":"1","a":"2"}`, nil, `"a" appears twice`},
		{"number", `{"maxAttendees":1}`, nil, `"maxAttendees" is a number; it must be a string`},
		{"boolean", `{"a":true}`, nil, `"a" is a boolean`},
		{"null value", `{"a":null}`, nil, `"a" is null`},
		{"object", `{"a":{}}`, nil, `"a" is an object`},
		{"number in array", `{"a":["1",2]}`, nil, `"a" contains a number`},
		{"array in array", `{"a":[[]]}`, nil, `"a" contains an array`},
		{"no object", `[]`, nil, "params is an array; it must be an object"},
		{"query text", `"a=1"`, nil, "params is a string; it must be an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got Params
			err := json.Unmarshal([]byte(tt.text), &got)
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Fatalf("error is %v, want one with %q", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestParamsError finds the place and the rule of what is wrong.
func TestParamsError(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                      " json.type",
		`{"alt":1}`:               "?alt json.type",
		`{"alt":["a",null]}`:      "?alt json.type",
		`{"alt":"a","alt":["b"]}`: "?alt json.duplicate-name",
		`{"alt":`:                 " json.syntax",
	} {
		refused, ok := errors.AsType[*diag.Error](new(Params).UnmarshalJSON([]byte(text)))
		if !ok || len(refused.Findings) != 1 {
			t.Fatalf("%s: no finding", text)
		}
		f := refused.Findings[0]
		if got := string(f.Path) + " " + f.Rule.ID; got != want || f.Kind != diag.Reject || f.Message() == "" {
			t.Errorf("%s: %v, want %s", text, f, want)
		}
	}
}

// TestParamsTruncated tests that UnmarshalJSON reports truncated text even if its caller has not checked the text.
func TestParamsTruncated(t *testing.T) {
	const whole = `{"a":"1","b":["2"]}`
	for i := range whole {
		var p Params
		if err := p.UnmarshalJSON([]byte(whole[:i])); err == nil {
			t.Errorf("%s is decoded as %v", whole[:i], p)
		}
	}
}

func TestParamsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Params(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "params"))
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Params
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", text, diff)
		}
	})
}

func TestFlags(t *testing.T) {
	tests := []struct {
		name, query string
		want        Options
	}{
		{"none", "", Options{}},
		{"all",
			"conferenceDataVersion=1&eventLabelVersion=1&maxAttendees=7&sendNotifications=true&sendUpdates=none" +
				"&supportsAttachments=true&syncToken=s&updatedMin=u&showDeleted=true&iCalUID=i&destination=d&text=t",
			Options{
				ConferenceDataVersion: 1, EventLabelVersion: 1, MaxAttendees: 7, SendNotifications: true, SendUpdates: "none",
				SupportsAttachments: true, SyncToken: "s", UpdatedMin: "u", ShowDeleted: true, ICalUID: "i", Destination: "d", Text: "t",
			}},
		{"malformed",
			"conferenceDataVersion=01&eventLabelVersion=2&maxAttendees=0&sendNotifications=1&sendUpdates=false" +
				"&supportsAttachments=TRUE&showDeleted=yes",
			Options{}},
		{"first of several", "eventLabelVersion=1&eventLabelVersion=0", Options{EventLabelVersion: 1}},
		{"great", "maxAttendees=9223372036854775807", Options{MaxAttendees: math.MaxInt}},
		{"too great", "maxAttendees=9223372036854775808", Options{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			query, err := url.ParseQuery(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, Params(query).Options()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFlagsWithoutValues(t *testing.T) {
	p := Params{"sendUpdates": {}, "text": nil, "syncToken": {"s"}}
	if diff := cmp.Diff(Options{SyncToken: "s"}, p.Options()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValue(t *testing.T) {
	p := Params{"empty": {""}, "two": {"a", "b"}, "none": {}}
	for _, tt := range []struct {
		name, want string
		ok         bool
	}{{"empty", "", true}, {"two", "a", true}, {"none", "", false}, {"absent", "", false}} {
		if got, ok := p.Value(tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("Value(%s) = %q, %t, want %q, %t", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// TestKnowledgeJSON tests that JSON distinguishes unknown from none.
func TestKnowledgeJSON(t *testing.T) {
	for _, text := range []string{`{}`, `{"scopes":[]}`, `{"serviceAccount":false,"domainWideDelegation":true,"email":"a@b","creator":true,"scopes":["x"]}`} {
		var c Caller
		roundTrip(t, text, &c)
	}
}

func roundTrip(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(v); err != nil || string(got) != text {
		t.Errorf("%s comes back as %s, %v", text, got, err)
	}
}

func TestParam(t *testing.T) {
	insert, _ := Lookup(EventsInsert)
	if p := insert.Param("sendUpdates"); p == nil || p.Name != "sendUpdates" {
		t.Errorf("Param returns %v for sendUpdates", p)
	}
	if p := insert.Param("sendupdates"); p != nil {
		t.Errorf("Param returns %v for a misspelled name", p)
	}
}
