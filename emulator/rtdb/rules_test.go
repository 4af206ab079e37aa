package rtdb_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/emulator/rtdb"
)

// A rule holds for its location and everything below.
func TestParseRules(t *testing.T) {
	rules, err := rtdb.ParseRules([]byte(`{"rules":{".read":"auth != null","public":{".read":true,"in":{".read":false,".write":"auth != null"}},
		"open":{".write":true,".indexOn":["age"]},"shut":{".write":false}}}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := rtdb.New(rtdb.Options{Verifier: verifier{}, Policy: policy, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, target, body string
		want                 int
	}{
		{"GET", "/.json", "", 401},
		{"GET", "/.json?auth=ada", "", 200},
		{"GET", "/other/x.json", "", 401},
		{"GET", "/other/x.json?auth=ada", "", 200},
		{"GET", "/public.json", "", 200},
		{"GET", "/public/in/x.json", "", 200},
		{"PUT", "/public/in/x.json", "1", 401},
		{"PUT", "/public/in/x.json?auth=ada", "1", 200},
		{"PUT", "/public/x.json?auth=ada", "1", 401},
		{"PUT", "/open/x/y.json", "1", 200},
		{"PUT", "/shut/x.json?auth=ada", "1", 401},
		{"PUT", "/shut/x.json?access_token=robot", "1", 200},
		{"PATCH", "/.json", `{"open/a":1,"open/b":2}`, 200},
		{"PATCH", "/.json?auth=ada", `{"open/a":1,"shut/b":2}`, 401},
		{"POST", "/open.json", "1", 200},
		{"GET", "/other/x.json?access_token=robot&auth_variable_override={%22x%22:1}", "", 200},
		{"GET", "/other/x.json?access_token=robot&auth_variable_override=null", "", 401},
	} {
		if got, text := send(d, test.method, test.target, test.body); got != test.want {
			t.Errorf("%s %s: %d %s, want %d", test.method, test.target, got, text, test.want)
		}
	}
}

// What the emulator cannot evaluate is refused, with the place.
func TestParseRulesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:              "not JSON",
		`{}`:             "no member rules",
		`{"rules":true}`: "rules of /: rules are an object",
		`{"rules":{"a":{".read":"auth.uid == 'x'"}}}`:                                `rules of /a/.read: the emulator knows the conditions true, false and "auth != null", not "auth.uid == 'x'"`,
		`{"rules":{"a":{"$uid":{".read":true}}}}`:                                    "rules of /a/$uid: the emulator has .read and .write for named locations",
		`{"rules":{"a":{".validate":true}}}`:                                         "rules of /a/.validate: the emulator has",
		`{"rules":{"a":{".write":1}}}`:                                               "rules of /a/.write: the emulator knows",
		`{"rules":{".read":false,".read":true}}`:                                     "repeats a member name",
		`{"rules":{"a":{},"a":{".read":true}}}`:                                      "repeats a member name",
		`{"rules":{},"rules":{".read":true}}`:                                        "repeats a member name",
		`{"RULES":{".read":true}}`:                                                   "a member other than rules",
		`{"rules":{}} {}`:                                                            "not JSON",
		`{"rules":null}`:                                                             "no member rules",
		"{\"rules\":{\"a\":{\".read\":\"\xff\"}}}":                                   "not valid UTF-8",
		`{"rules":{"a":` + strings.Repeat("[", 1_000_000) + `}}`:                     "not JSON",
		`{"rules":{"` + strings.Repeat("a", 1_000_000) + `":{".read":true}}}`:        "a: the emulator has .read and .write",
		`{"rules":` + strings.Repeat(`{"a":`, 100) + "{}" + strings.Repeat("}", 101): "the emulator has .read and .write",
	} {
		if _, err := rtdb.ParseRules([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 400 {
			t.Errorf("%.60s: %.400v, want %s", text, err, want)
		}
	}
}
