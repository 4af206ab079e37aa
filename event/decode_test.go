package event_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func TestDecode(t *testing.T) {
	const body = `{"summary":5,"start":{"date":"2026-02-30"},"attendees":[7,{"email":null,"optional":"no"}],"summary":"again","locaton":"Room 4","sequence":1.5}`
	e, findings := event.Decode([]byte(body), diag.Documents)
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s %s", f.Rule.ID, f.Path))
	}
	want := []string{
		"json.type /summary",
		"json.type /attendees/0",
		"json.type /attendees/1/optional",
		"json.duplicate-name /summary",
		"json.unknown-field /locaton",
		"json.type /sequence",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if e.Start.Date != "2026-02-30" || len(e.Attendees) != 2 {
		t.Errorf("the event is %+v", e)
	}
}

// Functions that only decode say so of a name of the other dialect.
func TestDecodeNamesOfTheOtherDialect(t *testing.T) {
	conference := `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":%q}},"conferenceSolution":{"key":{"type":%q}}}}`
	for _, test := range []struct {
		text string
		in   diag.Dialect
		want []string
	}{
		{`{"hangoutLink":"a","eventType":"fromGmail"}`, diag.Google, nil},
		{`{"videoLink":"a","eventType":"fromMail"}`, diag.Documents, nil},
		{`{"hangoutLink":"a","eventType":"fromGmail"}`, diag.Documents, []string{"json.unknown-field /hangoutLink", "dialect.mixed /eventType"}},
		{`{"videoLink":"a","eventType":"fromMail"}`, diag.Google, []string{"json.unknown-field /videoLink", "dialect.mixed /eventType"}},
		{`{"eventType":"hangoutsMeet","extendedProperties":{"private":{"hangoutLink":"fromGmail"}}}`, diag.Documents, nil},
		{fmt.Sprintf(conference, "hangoutsMeet", "videoMeet"), diag.Documents, []string{"dialect.mixed /conferenceData/createRequest/conferenceSolutionKey/type"}},
		{fmt.Sprintf(conference, "hangoutsMeet", "videoMeet"), diag.Google, []string{"dialect.mixed /conferenceData/conferenceSolution/key/type"}},
	} {
		_, findings := event.Decode([]byte(test.text), test.in)
		if diff := cmp.Diff(test.want, rulesAndPaths(findings)); diff != "" {
			t.Errorf("%s in %s: findings (-want +got):\n%s", test.text, test.in, diff)
		}
		for _, f := range findings {
			if !f.OfOtherDialect() {
				t.Errorf("%s in %s: %v is not about the other dialect", test.text, test.in, f)
			}
		}
		_, inPage := event.DecodePage([]byte(`{"items":[`+test.text+`]}`), test.in)
		if len(inPage) != len(findings) {
			t.Errorf("%s in %s: findings about a page: %v", test.text, test.in, inPage)
		}
		if _, err := new(event.Event).AfterPatch([]byte(test.text), test.in); (err != nil) != (findings != nil) {
			t.Errorf("%s in %s: the error of a patch is %v", test.text, test.in, err)
		}
	}
}

func TestOwnNames(t *testing.T) {
	for _, test := range []struct {
		name   string
		params operation.Params
		texts  []string
		want   [2]string
	}{
		{"none", nil, nil, [2]string{}},
		{"names of both dialects", nil, []string{`{"summary":"hangoutLink","extendedProperties":{"private":{"videoLink":"a"}}}`}, [2]string{}},
		{"not JSON", nil, []string{`{"hangoutLink":"a"`}, [2]string{}},
		{"member", nil, []string{`{"hangoutLink":5}`}, [2]string{"", "hangoutLink"}},
		{"null member", nil, []string{`{"videoLink":null}`}, [2]string{"videoLink", ""}},
		{"escaped", nil, []string{`{"\u0068angoutLink":null}`}, [2]string{"", "hangoutLink"}},
		{"value", nil, []string{`{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":"hangoutsMeet"}}}}`}, [2]string{"", "hangoutsMeet"}},
		{"value of another member", nil, []string{`{"eventType":"hangoutsMeet"}`}, [2]string{}},
		{"two texts", nil, []string{`{"eventType":"fromMail"}`, `{"eventType":"fromGmail"}`}, [2]string{"fromMail", "fromGmail"}},
		{"page", nil, []string{`{"items":[{},{"eventType":"fromGmail"}]}`}, [2]string{"", "fromGmail"}},
		{"array", nil, []string{`[{},{"eventType":"fromGmail"}]`}, [2]string{"", "fromGmail"}},
		{"request", nil, []string{`{"op":"events.patch","existing":{"hangoutLink":"a"},"body":{"eventType":"fromMail"}}`}, [2]string{"fromMail", "hangoutLink"}},
		{"query", operation.Params{"eventTypes": {"default", "fromGmail"}, "q": {"fromMail"}}, nil, [2]string{"", "fromGmail"}},
	} {
		var texts [][]byte
		for _, text := range test.texts {
			texts = append(texts, []byte(text))
		}
		if diff := cmp.Diff(test.want, event.OwnNames(test.params, texts...)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", test.name, diff)
		}
	}
}

func ExampleDecode() {
	_, findings := event.Decode([]byte(`{"sequence": "3", "reminders": {"overrides": [{"method": "popup", "minutes": "10"}]}}`), diag.Documents)
	for _, f := range findings {
		fmt.Println(f.Path, f.Rule.ID)
	}
	// Output:
	// /sequence json.type
	// /reminders/overrides/0/minutes json.type
}
