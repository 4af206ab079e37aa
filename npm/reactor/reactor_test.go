package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const day = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`

// escapedDay is day within a string.
var escapedDay = strings.ReplaceAll(day, `"`, `\"`)

// Each function answers any request with one JSON text.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name          string
		answer        func(request, dst []byte) []byte
		request, want string
	}{
		{"check", answerCheck, `{"id":1,"op":"events.delete","existing":{"id":"abcde",` + day + `}}`,
			`{"id":1,"accepted":true,"findings":[],"event":{"id":"abcde","status":"cancelled",` + day + `}}`},
		{"check-no-request", answerCheck, `{"id":1,"op":"events.fly"}`, `{"id":1,"accepted":false,"error":"op is \"events.fly\"; it must be an operation of the service or \"response\""}`},
		{"check-text-no-request", answerCheckText, `{"op":"events.fly"}`,
			`{"answer":{"id":null,"accepted":false,"error":"op is \"events.fly\"; it must be an operation of the service or \"response\""},"places":[]}`},
		{"expand", answerExpand, `{"id":1,` + day + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"],"ask":"count"}`, `{"id":1,"count":3}`},
		{"make", answerMake, `{"id":1,"verb":"truncate","with":{"at":"2026-03-11"},"series":{` + day + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}}`,
			`{"id":1,"event":{` + day + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=1"]},"set":["RRULE:FREQ=DAILY;COUNT=1"],"exceptions":[]}`},
		{"fix", answerFix, `{"request":{"op":"events.insert","bodyText":"{\"status\":\"Confirmed\", ` + escapedDay + `}"},"fix":"safe"}`,
			`{"text":"{\"status\":\"confirmed\", ` + escapedDay + `}","params":{},"made":[{"rule":"event.status.enum","kind":"reject","basis":"stated","path":"/status",` +
				`"message":"The status is \"Confirmed\"; it must be confirmed, tentative or cancelled. Did you mean confirmed?",` +
				`"fix":[{"op":"replace","path":"/body/status","value":"confirmed"}],"fixIs":"safe"}]}`},
		{"fix-patch", answerFix, `{"request":{"op":"events.insert","params":{"text":"a"}},"fix":[{"op":"remove","path":"/params/text"}]}`, `{"params":{},"made":[]}`},
		{"fix-other", answerFix, `{"request":{"op":"events.insert"},"fix":[{"op":"remove","path":"/body/status"}]}`, `{"error":"the fix does not fit the request"}`},
		{"fix-nothing", answerFix, `{"request":{"op":"events.insert"}}`, `{"error":"fix must be \"safe\", \"all\", \"best\" or a JSON Patch"}`},
		{"decide", answerDecide, `{"id":1,"method":"GET","url":"/a.json"}`,
			`{"id":1,"principal":"none","rules":"apply","read":"public","write":"public","findings":[]}`},
		{"diff", answerDiff, `{"a":{"summary":"x"},"b":{"location":"y"}}`,
			`{"differences":[{"path":"/summary","old":"x"},{"path":"/location","new":"y"}]}`},
		{"diff-nothing", answerDiff, `{"a":{"summary":"x"},"b":{"summary":"x"}}`, `{"differences":[]}`},
		{"diff-google", answerDiff, `{"a":{},"b":{"hangoutLink":"https://a.example"},"dialect":"google"}`, `{"differences":[{"path":"/hangoutLink","new":"https://a.example"}]}`},
		{"patch", answerMakePatch, `{"a":{"summary":"a","hangoutLink":"https://a.example"},"b":{},"dialect":"google"}`,
			`{"patch":{"summary":null},"remain":[{"path":"/hangoutLink","old":"https://a.example"}]}`},
		{"unknown-rule", answerRules, `{"id":"time.ordr"}`, `{"error":"unknown rule \"time.ordr\"","rule":"time.ordr","suggestion":"time.order"}`},
		{"no-object", answerDiff, `[]`, `{"error":"it must be a JSON object"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, string(test.answer([]byte(test.request), nil))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEventThatIsNone(t *testing.T) {
	var got struct {
		Event    string
		Findings []struct{ Path string }
	}
	if err := json.Unmarshal(answerDiff([]byte(`{"a":{},"b":{"summary":1}}`), nil), &got); err != nil {
		t.Fatal(err)
	}
	if got.Event != "b" || len(got.Findings) != 1 || got.Findings[0].Path != "/summary" {
		t.Errorf("the answer is %+v", got)
	}
}

// Offsets count UTF-16 code units, as JavaScript does; columns count characters.
func TestPlaces(t *testing.T) {
	body := "{\"summary\":\"é😀\",\n \"location\":\"😀\", \"status\":\"confirmd\"," + day + "}"
	line, err := json.Marshal(map[string]any{"op": "events.insert", "bodyText": body, "params": map[string]string{"maxAttendees": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Answer struct{ Findings []struct{ Path string } }
		Places []*place
	}
	if err := json.Unmarshal(answerCheckText(line, nil), &got); err != nil {
		t.Fatal(err)
	}
	want := []*place{nil, {Line: 2, Column: 27, Offset: 45}}
	if diff := cmp.Diff(want, got.Places); diff != "" {
		t.Errorf("%+v (-want +got):\n%s", got.Answer, diff)
	}
}

// A finding about the text itself is where the text is wrong.
func TestPlaceOfMistake(t *testing.T) {
	var got struct{ Places []*place }
	if err := json.Unmarshal(answerCheckText([]byte(`{"op":"events.insert","bodyText":"{\"summary\":\"a\",\n \"status\" 5}"}`), nil), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*place{{Line: 2, Column: 11, Offset: 26}}, got.Places); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A text has the answer of its line, with the id of the event that both derive from the line.
func TestCheckTextIsCheck(t *testing.T) {
	line := []byte(`{"op":"events.insert","body":{` + day + `}}`)
	want := `{"answer":` + string(answerCheck(line, nil)) + `,"places":[]}`
	if diff := cmp.Diff(want, string(answerCheckText(line, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(want, `"id":"`) {
		t.Errorf("the event has no id: %s", want)
	}
}

func TestVerbs(t *testing.T) {
	var got struct{ Verbs []verbData }
	if err := json.Unmarshal(answerVerbs(nil, nil), &got); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(got.Verbs, func(v verbData) bool { return v.Name == "add-guest" })
	want := verbData{Name: "add-guest", Sentence: "invite guests", IsIntent: true, Arguments: []argumentData{
		{Name: "email", Kind: "text", Usage: "an email `address`", Required: true, Many: true},
	}}
	if diff := cmp.Diff(want, got.Verbs[i]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var alone []string
	for _, v := range got.Verbs {
		if v.Alone {
			alone = append(alone, v.Name)
		}
	}
	if diff := cmp.Diff([]string{"free-busy"}, alone); diff != "" {
		t.Errorf("the verbs about no event (-want +got):\n%s", diff)
	}
}

func TestRules(t *testing.T) {
	var got struct {
		Rules []struct {
			ID    string
			Reads []string
		}
	}
	if err := json.Unmarshal(answerRules([]byte(`{"id":"time.order"}`), nil), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rules) != 1 || got.Rules[0].ID != "time.order" {
		t.Errorf("the answer is %+v", got)
	}
	if err := json.Unmarshal(answerRules([]byte(`{"dialect":"google"}`), nil), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rules) < 200 {
		t.Errorf("there are %d rules", len(got.Rules))
	}
	for _, r := range got.Rules {
		if slices.Contains(r.Reads, "videoLink") {
			t.Errorf("%s has a name of the documents", r.ID)
		}
	}
}

// The schema of a dialect has its names, and no keyword that only some validators support.
func TestSchema(t *testing.T) {
	for _, d := range []struct{ dialect, has, lacks string }{{"documents", "videoLink", "hangoutLink"}, {"google", "hangoutLink", "videoLink"}} {
		text := string(answerSchema([]byte(`{"op":"events.insert","dialect":"`+d.dialect+`"}`), nil))
		for name, want := range map[string]bool{d.has: true, d.lacks: false, "x-calrules-rules": false} {
			if strings.Contains(text, `"`+name+`":`) != want {
				t.Errorf("%s: the schema has %s: %t", d.dialect, name, !want)
			}
		}
	}
}
