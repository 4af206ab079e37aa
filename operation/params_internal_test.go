package operation

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// FuzzParams compares what is read with encoding/json, which reads the last of two equal names and replaces what is not UTF-8.
func FuzzParams(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { "a" : "b" , "c":"" } `, `{"a":"b","a":"c"}`, `{"a":"b","\u0061":"c"}`, `{"\u0061":"c"}`, `{"":"c"}`, `{"a":["\u00e4",""]}`,
		`{"a":"\u00e4"}`, `{"a":"ä"}`, `{"ä":"b"}`, `{"a":["b"]}`, `{"a":1}`, `{"a":"b"`, `{"a":"b"} x`, `{"a":"b",}`, `null`, `[]`, ``, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := Params{"earlier": {"value"}}
		if got.UnmarshalJSON(text) != nil {
			return
		}
		var all map[string]any
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatalf("%q is read, but also an error: %v", text, err)
		}
		if len(got) != len(all) {
			t.Errorf("%q has %d parameters, want %d", text, len(got), len(all))
		}
		for name, value := range all {
			var want []string
			switch value := value.(type) {
			case string:
				want = []string{value}
			case []any:
				want = []string{}
				for _, element := range value {
					want = append(want, element.(string))
				}
			}
			if diff := cmp.Diff(want, got[name]); diff != "" {
				t.Errorf("%q: %q is read differently (-encoding/json +got):\n%s", text, name, diff)
			}
		}
	})
}

// TestParamsMapIsUsedAgain tests that a small map is used again and a large one is not, since clearing it would make
// every later query as costly as the largest one.
func TestParamsMapIsUsedAgain(t *testing.T) {
	many := []byte(`{"a":"1"`)
	for i := range 100 {
		many = fmt.Appendf(many, `,"p%d":"1"`, i)
	}
	params := Params{}
	decode := func(text string) (earlier Params) {
		earlier = params
		if err := params.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatalf("%.20s: %v", text, err)
		}
		return earlier
	}
	if earlier := decode(`{"a":"1"}`); len(earlier) != 1 {
		t.Errorf("a small map is not used again: it is %v", earlier)
	}
	decode(string(many) + "}")
	if earlier := decode(`{"a":"1"}`); len(earlier) != 101 || len(params) != 1 {
		t.Errorf("a map of %d parameters is used again", len(earlier))
	}
}

func TestReportValue(t *testing.T) {
	between := Param{Name: "level", Type: integerType, Min: new(int64(1)), Max: new(int64(9))}
	page := Param{Name: maxResults, Type: integerType, Min: new(int64(1)), Max: new(int64(math.MaxInt32))}
	after := Param{Name: "after", Type: stringType, Format: timeFormat}
	start := Param{Name: "start", Type: stringType, Format: startFormat}
	zone := Param{Name: "zone", Type: stringType, Format: zoneFormat}
	to := Param{Name: "to", Type: enumType, Values: []string{"all"}}
	for _, test := range []struct {
		param Param
		value string
		key   string // of the finding; "" for none
	}{
		{between, "1", ""}, {between, "9", ""}, {between, "0", "low"}, {between, "10", "high"}, {between, "x", "integer"},
		{between, "99999999999999999999", "high"}, {between, "-99999999999999999999", "low"},
		{page, "0", ""}, {page, "-2147483649", ""}, {page, "2147483648", ""}, {page, "x", "integer"},
		{after, "2026-03-10T09:00:00Z", ""}, {after, "2026-03-10", "time"},
		{start, "2026-03-10T09:00:00Z", ""}, {start, "2026-03-10", ""}, {start, "2026-03-10T09:00:00", "start"}, {start, "", "start"},
		{zone, "Europe/Berlin", ""}, {zone, "Europe/Nowhere", "zone"}, {zone, "", "zone"},
		{Param{Name: "all", Type: booleanType}, "true", ""}, {Param{Name: "all", Type: booleanType}, "1", "boolean"},
		{Param{Name: "q", Type: stringType}, "x", ""},
		{to, "al", "enumeration"}, {to, "all", ""},
	} {
		report := engine.Collector{Dialect: diag.Google}
		test.param.reportValue(report.For(&paramValue, ""), test.value)
		got := ""
		for _, f := range report.Findings {
			got = f.Key
		}
		if got != test.key {
			t.Errorf("%s=%s: the finding is %q, want %q", test.param.Name, test.value, got, test.key)
		}
	}
}

// Params that are no object, no JSON, or hold what is no value, have errors of their own.
func TestMalformedParams(t *testing.T) {
	for text, want := range map[string]string{
		`[1]`: "json.type", `5`: "json.type", `{"a":`: "json.syntax", ``: "json.syntax", `{"a":"b","a":"c"}`: "json.duplicate-name", `{"a":1}`: "json.type",
	} {
		e, ok := errors.AsType[*diag.Error](new(Params).UnmarshalJSON([]byte(text)))
		if !ok || e.Findings[0].Rule.ID != want {
			t.Errorf("%s: %v, want %s", text, e, want)
		}
	}
}

func TestIDFunc(t *testing.T) {
	even := IDFunc(func(id string) bool { return len(id)%2 == 0 })
	if !even.Has("ab") || even.Has("abc") || IDFunc(nil).Has("ab") {
		t.Error("a set of ids has others")
	}
}

// A parameter that the public service takes for every operation has one value, as others have.
func TestRepeatedSystemParam(t *testing.T) {
	op, _ := Lookup(EventsInsert)
	for _, test := range []struct {
		name    string
		dialect diag.Dialect
		want    bool
	}{{"callback", diag.Google, true}, {"callback", diag.Documents, true}, {"fields", diag.Google, true}, {"unheard-of", diag.Google, false}} {
		_, found := Request{Operation: op, Params: Params{test.name: {"a", "b"}}, Dialect: test.dialect}.Check()
		got := false
		for _, f := range found {
			got = got || f.Rule.ID == "param.repeated"
		}
		if got != test.want {
			t.Errorf("%s in %v: repeated is %t, want %t", test.name, test.dialect, got, test.want)
		}
	}
}
