package filter_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
)

var (
	check    = filter.Check(event.Checker{}, filter.Defaults{}).Handle
	expand   = filter.Expand(diag.Documents).Handle
	database = filter.Database(diag.Documents).Handle
)

// FuzzAnswerLine checks that every command answers any line with one JSON object on one line
// that repeats the id, and that check says whether the request is accepted.
func FuzzAnswerLine(f *testing.F) {
	f.Add([]byte(`{"id":1,"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}`))
	f.Add([]byte(`{"id":[1,{}],"op":"response","bodyText":"{\"a\":[1,\n2]}"}`))
	f.Add([]byte(`{"op":"events.insert","params":{"a":["b"]},"grade":{"basis:rfc":"off"},"existing":{},"id":"x"`))
	f.Add([]byte(`{"i\u0064":1e5,"id":2,"parms":{}}`))
	f.Add([]byte(`{"id":1,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY"],"limit":2,"to":"0001-01-01"}`))
	f.Add([]byte(`{"id":1,"method":"GET","url":"/a.json?auth=x","known":{"x":{"kind":"id_token"}},"policy":{}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		if got := answered(t, check, line); got.Accepted == nil {
			t.Errorf("the answer to %q does not say whether it is accepted", line)
		}
		answered(t, expand, line)
		answered(t, database, line)
	})
}

// lineAnswer contains the members that the answers of all commands have in common.
type lineAnswer struct {
	ID       json.RawMessage
	Accepted *bool
	Error    string
}

// answered returns the answer to a line, after checking what is true of all answers.
func answered(t *testing.T, answer func(line, dst []byte) []byte, line []byte) (got lineAnswer) {
	t.Helper()
	text := answer(line, nil)
	if err := json.Unmarshal(text, &got); err != nil || bytes.IndexByte(text, '\n') >= 0 || !utf8.Valid(text) {
		t.Fatalf("the answer to %q is %q: %v", line, text, err)
	}
	var sent struct{ ID json.RawMessage }
	if got.Error == "" && json.Unmarshal(line, &sent) == nil && !sameJSON(t, orNull(sent.ID), got.ID) {
		t.Errorf("the id of %q is answered as %q", line, got.ID)
	}
	return got
}

// sameJSON reports whether encoding/json writes two texts alike.
func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	return bytes.Equal(textA, textB)
}

func orNull(id json.RawMessage) json.RawMessage {
	if id == nil {
		return json.RawMessage("null")
	}
	return id
}

// Breaking a request in any place does not put a part of its token into the answer.
func TestDecisionsHideTokens(t *testing.T) {
	const token = "Zq7-XsecretX"
	line := `{"id":1,"method":"GET","url":"/a.json?auth=` + token + `","headers":[["Authorization","Bearer ` + token + `"]],` +
		`"known":{"` + token + `":{"kind":"id_token","verified":true,"uid":7}},"policy":{"legacy":"` + token + `"}}`
	for end := range len(line) + 1 {
		for _, broken := range []string{line[:end], line[:end] + "\xff" + line[end:], line[:end] + `"` + line[end:], line[end:]} {
			for _, part := range []string{token, "Zq7", "secret"} {
				if answer := database([]byte(broken), nil); strings.Contains(string(answer), part) {
					t.Fatalf("the answer to %s is %s", broken, answer)
				}
			}
		}
	}
}

// Every expansion ends.
func TestExpansionIsLimited(t *testing.T) {
	const series = `"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T09:00:01Z","timeZone":"UTC"},"recurrence":["RRULE:FREQ=SECONDLY"]`
	for line, want := range map[string]int{
		`{` + series + `}`:                        1000,
		`{` + series + `,"limit":10000}`:          10000,
		`{` + series + `,"limit":10001}`:          10000,
		`{` + series + `,"limit":-1}`:             0,
		`{` + series + `,"limit":0}`:              1000,
		`{` + series + `,"to":"0001-01-01"}`:      0,
		`{` + series + `,"from":"9999-12-31"}`:    1000,
		`{` + series + `,"limit":1e4,"from":" "}`: 0,
	} {
		var got struct {
			Instances []json.RawMessage
			Truncated bool
		}
		if err := json.Unmarshal(expand([]byte(line), nil), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Instances) != want || got.Truncated != (want > 0) {
			t.Errorf("%s has %d instances in its answer, truncated %t", line, len(got.Instances), got.Truncated)
		}
	}
}
