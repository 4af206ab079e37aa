package batch_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// intentArguments are the arguments of each intent, as JSON. AT and LATER are the original starts of instances.
var intentArguments = map[string]string{
	"respond":            `{"email":GUEST,"status":"tentative","comment":"perhaps"}`,
	"add-guest":          `{"email":["new@example.com","newer@example.com"]}`,
	"remove-guest":       `{"email":GUEST}`,
	"reschedule":         `{"to":LATER}`,
	"cancel-instance":    `{"at":AT}`,
	"restore-instance":   `{"at":AT}`,
	"change-following":   `{"at":AT,"change":{"summary":"New","location":null}}`,
	"move-following":     `{"at":AT,"to":LATER}`,
	"end-following":      `{"at":AT}`,
	"request-conference": `{}`,
	"copy-conference": `{"other":{"conferenceData":{"conferenceId":"abc-defg-hij","conferenceSolution":{"key":{"type":"addOn"},"name":"Rooms"},` +
		`"entryPoints":[{"entryPointType":"video","uri":"https://rooms.example.com/abc"}]}}}`,
	"set-private":      `{"key":"ticket","value":"7"}`,
	"clear-private":    `{"key":"ticket"}`,
	"make-id":          `{}`,
	"insert-or-import": `{}`,
	"free-busy":        `{"from":"2026-01-01","to":"2026-12-01","calendar":["primary","ada@example.com"]}`,
	"set-color":        `{"color":"Tomato"}`,
}

// refusals are the rules because of which a stored event does not allow an intent, with the reason.
var refusals = map[string]string{
	"type.plain":                  "status events have neither guests nor conferences",
	"birthday.private-properties": "birthdays have no private extended properties",
	"status.delete.gone":          "a cancelled series has no instances to end",
}

// open are the rules that leave open what an intent does, in the dialect of the documents.
var open = map[string]string{
	"operation.unspecified":       "the documents do not show the body of a free/busy query",
	"status.unspecified":          "the documents do not show how a cancelled instance comes back",
	"response-status.unspecified": "the documents do not show all transitions of an answer",
}

// An intent answers requests about which there is nothing but advice, or the reason why there are none.
func TestIntentsPassTheRules(t *testing.T) {
	events := fuzz.Event("")
	for _, v := range batch.Verbs {
		if !v.IsIntent() {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			made := 0
			rapid.Check(t, func(t *rapid.T) {
				stored := events.Draw(t, "stored")
				stored.ID = "stored1"
				in := rapid.SampledFrom([]diag.Dialect{diag.Documents, diag.Google}).Draw(t, "dialect")
				line, ok := intentLine(t, v.Name, stored, in)
				if !ok {
					return
				}
				var m batch.Making
				if err := m.UnmarshalJSON(line); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				answer := batch.Make(&m)
				_, rules, refused := strings.Cut(answer.Error, "would not do it")
				if refused && !slices.ContainsFunc(slices.Collect(maps.Keys(refusals)), func(rule string) bool { return strings.Contains(rules, rule) }) {
					t.Fatalf("%s\n%s", line, answer.Error)
				}
				for _, r := range answer.Requests {
					made++
					checkSent(t, line, r)
				}
			})
			if made == 0 && testdepth.Full() { // few draws may all not allow it

				t.Error("no request was made")
			}
		})
	}
}

// intentLine returns the request for an intent about a stored event or, if it recurs, one of its first instances.
func intentLine(t *rapid.T, verb string, stored *event.Event, in diag.Dialect) ([]byte, bool) {
	arguments := intentArguments[verb]
	s := event.Series{Event: stored}
	if strings.Contains(arguments, "AT") || strings.Contains(arguments, "LATER") {
		var starts []*event.Time
		for i, err := range s.Instances(event.Window{}) {
			if err != nil || len(starts) == 4 {
				break
			}
			starts = append(starts, i.OriginalStartTime)
		}
		if len(starts) == 0 {
			if strings.Contains(arguments, "AT") || stored.Start == nil {
				return nil, false
			}
			starts = append(starts, stored.Start)
		}
		at := rapid.IntRange(0, len(starts)-1).Draw(t, "at")
		cancelled := rapid.IntRange(0, len(starts)-1).Draw(t, "cancelled")
		if verb == "restore-instance" {
			at = cancelled
		}
		if len(stored.Recurrence) > 0 {
			if with, err := s.Cancel(starts[cancelled]); err == nil {
				s = with
			}
		}
		text := func(t *event.Time) string { b, _ := json.Marshal(t); return string(b) }
		arguments = strings.NewReplacer("AT", text(starts[at]), "LATER", text(starts[len(starts)-1])).Replace(arguments)
	}
	guest := "nobody@example.com"
	if len(stored.Attendees) > 0 {
		guest = cmp.Or(stored.Attendees[0].Email, guest)
	}
	if verb == "clear-private" {
		stored.ExtendedProperties = &event.ExtendedProperties{Private: map[string]string{"ticket": "7"}}
	}
	quote := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	arguments = strings.ReplaceAll(arguments, "GUEST", quote(guest))
	line := map[string]any{"verb": verb, "with": json.RawMessage(arguments), "existing": json.RawMessage(stored.AppendIn(in, nil)), "dialect": in.String()}
	var exceptions []json.RawMessage
	for _, e := range s.Exceptions {
		exceptions = append(exceptions, e.AppendIn(in, nil))
	}
	line["exceptions"] = exceptions
	b, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	return b, true
}

// checkSent checks a request as it is written in the answer.
func checkSent(t *rapid.T, line []byte, sent batch.Sent) {
	text, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	r := batch.Request{Request: event.Request{Dialect: sent.Dialect}}
	if err := r.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	delete(r.Params, "eventId")
	r.Existing, r.Absent, r.Series = sent.Existing, sent.Absent, sent.Series
	found, err := event.Find(&r.Request)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Kind != diag.Advise && (open[f.Rule.ID] == "" || sent.Dialect != diag.Documents) {
			t.Fatalf("%s\n%s\n%s: %s", line, text, f.Rule.ID, f.Message())
		}
	}
}
