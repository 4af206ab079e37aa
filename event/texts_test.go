package event_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/operation"
)

// german has every sentence of ten rules, and those that all rules share.
var german = diag.Texts{
	"/did-you-mean":  "Ist {suggestion} gemeint?",
	"/go-name":       "Ein Wert in Go hat die Namen der Dokumente. Setzen Sie {suggestion}.",
	"/other-dialect": "So heißt {suggestion} im Dialekt {other}.",
	"/or":            "oder",
	"/shortened":     "{value}… ({n} Zeichen)",

	"event.id.unique/exists": "Die id {value} gibt es in diesem Kalender schon. Wähle eine andere, oder lass sie weg.",

	"time.same-form/timed-end":   "Das Ende hat dateTime, der Anfang date. Sende für beide date oder für beide dateTime.",
	"time.same-form/all-day-end": "Das Ende hat date, der Anfang dateTime. Sende für beide date oder für beide dateTime.",
	"time.same-form/patch-hint":  `Um die Form zu ändern, sende in start und end das andere Mitglied als null, wie in {"date": null}.`,

	"time.order/before":           "Das Ende {end} liegt vor dem Anfang {start}. Sende ein Ende nach dem Anfang.",
	"time.order/end-in-zone":      "{endTime} ({endZone})",
	"time.order/end-skipped":      "{endTime} ({endZone}; diese Zeit überspringt die Uhr, es ist also {endInstant})",
	"time.order/start-in-zone":    "{startTime} ({startZone})",
	"time.order/start-skipped":    "{startTime} ({startZone}; diese Zeit überspringt die Uhr, es ist also {startInstant})",
	"time.order/patch-hint":       "Sende Anfang und Ende zusammen.",
	"time.order/patch-hint-start": "Wer den Anfang eines gespeicherten Termins verschiebt, sendet auch sein Ende.",
	"time.order/patch-hint-end":   "Wer das Ende vor den gespeicherten Anfang verschiebt, sendet auch den Anfang.",

	"time.empty/equal":         "Anfang und Ende sind gleich, der Termin dauert also nicht.",
	"time.empty/equal-instant": "Das Ende {end} ist derselbe Zeitpunkt wie der Anfang {start}, der Termin dauert also nicht.",
	"time.empty/end-in-zone":   "{endTime} ({endZone})",
	"time.empty/end-skipped":   "{endTime} ({endZone}; diese Zeit überspringt die Uhr, es ist also {endInstant})",
	"time.empty/start-in-zone": "{startTime} ({startZone})",
	"time.empty/start-skipped": "{startTime} ({startZone}; diese Zeit überspringt die Uhr, es ist also {startInstant})",
	"time.empty/later":         "Sende ein Ende nach dem Anfang.",
	"time.empty/next-day":      "Ein Termin von einem Tag endet am nächsten Tag.",

	"attendee.duplicate/again": "Die Adresse {value} steht schon an /attendees/{first}. Entferne einen der beiden Einträge.",

	"attendee.service-account/adds": "Ein Dienstkonto fügt {n|Gast|Gäste} hinzu, ohne dass ihm die Domäne übertragen ist.",

	"reminders.default-and-overrides/both": `Es gibt {n|eigene Erinnerung|eigene Erinnerungen}, obwohl useDefault wahr ist. Sende "useDefault": false.`,

	"birthday.shape/timed":      "Der Geburtstag hat eine Uhrzeit. Sende date in start und end.",
	"birthday.shape/not-annual": `Der Geburtstag wiederholt sich nicht jährlich. Sende "recurrence": ["RRULE:FREQ=YEARLY"].`,

	"update.etag/other":       "Verlangt ist das etag {value}, der gespeicherte Termin hat ein anderes. Lies ihn neu.",
	"update.etag/none":        "Verlangt ist das etag {value}, der gespeicherte Termin hat keines. Sende keine Bedingung.",
	"update.etag/weak-stored": "Verlangt ist das etag {value}, der gespeicherte Termin hat ein schwaches. Sende keine Bedingung.",
	"update.etag/weak-sent":   "Verlangt ist das schwache etag {value}, der gespeicherte Termin hat ein starkes. Sende es ohne W/.",
	"update.etag/quotes":      "Verlangt ist das etag {value}, der gespeicherte Termin hat es in Anführungszeichen. Sende sie mit.",
	"update.etag/absent":      "Verlangt ist das etag {value}, es ist kein Termin gespeichert. Lege ihn an.",

	"event.locked/changed": "Geändert wird {member}, aber die Kopie ist gesperrt. Sende den gespeicherten Wert.",
}

func withTexts(t testing.TB, c *event.Checker, texts diag.Texts) *event.Checker {
	t.Helper()
	with, err := c.WithTexts(texts)
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// A program says in another language what a rule says.
func ExampleChecker_WithTexts() {
	checker, err := new(event.Checker).WithTexts(diag.Texts{
		"reminders.default-and-overrides/both": `Es gibt {n|eigene Erinnerung|eigene Erinnerungen}, obwohl useDefault wahr ist.`,
	})
	if err != nil {
		panic(err) // no rule has such a sentence
	}
	findings, err := checker.Find(&event.Request{Op: operation.EventsInsert, Body: []byte(`{"start": {"date": "2026-03-10"}, "end": {"date": "2026-03-11"},
		"reminders": {"useDefault": true, "overrides": [{"method": "popup", "minutes": 10}, {"method": "email", "minutes": 60}]}}`)})
	if err != nil {
		panic(err) // the request cannot be checked
	}
	fmt.Println(findings[0])
	// Output:
	// /reminders/overrides: Es gibt 2 eigene Erinnerungen, obwohl useDefault wahr ist. [reminders.default-and-overrides]
}

// The language is complete: it has every sentence of its rules.
func TestGermanIsComplete(t *testing.T) {
	translated := map[string]bool{}
	for key := range german {
		id, _, _ := strings.Cut(key, "/")
		translated[id] = true
	}
	if n := len(translated) - 1; n != 10 { // one is that of the shared sentences
		t.Errorf("%d rules are translated, want 10", n)
	}
	for id := range translated {
		says := engine.Common()
		if id != "" {
			says = event.Catalogue().Lookup(id).Says
		}
		for _, s := range says {
			if german[id+"/"+s.Key] == "" {
				t.Errorf("%s/%s is not translated", id, s.Key)
			}
		}
	}
}

// Findings say the texts of the checker, in every form in which they are written, and the others what they always say.
func TestWithTexts(t *testing.T) {
	checker := withTexts(t, nil, german)
	for _, test := range []struct {
		line string
		want string // of the findings of translated rules, or of all findings
	}{
		{`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"}}}`,
			"Anfang und Ende sind gleich, der Termin dauert also nicht. Ein Termin von einem Tag endet am nächsten Tag."},
		{`{"op":"events.insert","body":{"id":"abcde","start":{"date":"2026-03-10"},"end":{"dateTime":"2026-03-10T10:00:00Z"}},"calendar":{"ids":["abcde"]}}`,
			"Die id \"abcde\" gibt es in diesem Kalender schon. Wähle eine andere, oder lass sie weg.\n" +
				"Das Ende hat dateTime, der Anfang date. Sende für beide date oder für beide dateTime."},
		{`{"op":"events.insert","body":{"start":{"dateTime":"2026-03-29T02:30:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-29T00:10:00Z","timeZone":"Europe/Berlin"}}}`,
			"Das Ende 2026-03-29T00:10:00Z (Europe/Berlin) liegt vor dem Anfang 2026-03-29T02:30:00 (Europe/Berlin; diese Zeit überspringt die Uhr, es ist also 2026-03-29T03:30:00+02:00). " +
				"Sende ein Ende nach dem Anfang."},
		{`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":10}]}}}`,
			`Es gibt 1 eigene Erinnerung, obwohl useDefault wahr ist. Sende "useDefault": false.`},
		{`{"op":"events.insert","params":{"sendUpdates":"all"},"caller":{"serviceAccount":true},"body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
			"attendees":[{"email":"a@example.com"},{"email":"a@EXAMPLE.com"}]}}`,
			"Ein Dienstkonto fügt 2 Gäste hinzu, ohne dass ihm die Domäne übertragen ist.\n" +
				"Die Adresse \"a@EXAMPLE.com\" steht schon an /attendees/0. Entferne einen der beiden Einträge."},
		{`{"op":"events.patch","existing":{"id":"abc12","locked":true,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}},"body":{"summary":"Mine"}}`,
			"Geändert wird summary, aber die Kopie ist gesperrt. Sende den gespeicherten Wert."},
		{`{"op":"events.patch","existing":{"id":"abc12","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}},"body":{"start":{"date":"2026-03-20"}}}`, // patch.whole
			"Das Ende 2026-03-11 liegt vor dem Anfang 2026-03-20. Sende ein Ende nach dem Anfang. Wer den Anfang eines gespeicherten Termins verschiebt, sendet auch sein Ende."},
		{`{"op":"events.patch","ifMatch":"\"` + strings.Repeat("x", 50) + `\"","existing":{"id":"abc12","etag":"\"1\""},"body":{"summary":"Mine"}}`,
			`Verlangt ist das etag "\"` + strings.Repeat("x", 39) + `"… (52 Zeichen), der gespeicherte Termin hat ein anderes. Lies ihn neu.`},
		{`{"op":"events.insert","body":{"eventType":"birthday","visibility":"private","transparency":"transparent","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"iCalUID":"a@b","id":"abcde"}}`,
			"Der Geburtstag wiederholt sich nicht jährlich. Sende \"recurrence\": [\"RRULE:FREQ=YEARLY\"].\n" +
				"The event has both an id and an iCalUID; a new event should have only one. Leave one of them out."},
	} {
		var req batch.Request
		if err := json.Unmarshal([]byte(test.line), &req); err != nil {
			t.Fatal(err)
		}
		findings := must(checker.Find(&req.Request))
		var said []string
		for _, f := range findings {
			said = append(said, f.Message())
			text := must(json.Marshal(f))
			var read diag.Finding
			if err := json.Unmarshal(text, &read); err != nil || read.Message() != f.Message() || !strings.Contains(f.String(), f.Message()) {
				t.Errorf("%s is written as %s", f, text)
			}
		}
		if got := strings.Join(said, "\n"); got != test.want {
			t.Errorf("%s\nis answered with\n%s\nwant\n%s", test.line, got, test.want)
		}
		for i, e := range findings.Problem(400).Errors {
			if !slices.Contains(said, e.Detail) {
				t.Errorf("error %d of the problem details is %q", i, e.Detail)
			}
		}
	}
}

// The texts of a checker are checked once, do not change with the caller's map, and are added to those that it has.
func TestWithTextsIsACopy(t *testing.T) {
	own := diag.Texts{"event.id.unique/exists": "Eins."}
	first := withTexts(t, nil, own)
	own["event.id.unique/exists"] = "Zwei."
	second := withTexts(t, first, diag.Texts{"time.empty/later": "Drei."})
	both := withTexts(t, second, own)
	for c, want := range map[*event.Checker]string{new(event.Checker): "The id \"abcde\" already exists", first: "Eins.", second: "Eins.", both: "Zwei."} {
		findings := must(c.Find(&event.Request{Op: operation.EventsInsert, Calendar: &operation.Calendar{IDs: operation.IDList{"abcde"}},
			Event: &event.Event{ID: "abcde", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}}}))
		if len(findings) != 1 || !strings.HasPrefix(findings[0].Message(), want) {
			t.Errorf("the findings are %v, want one that says %s", findings, want)
		}
	}
	if c, err := first.WithTexts(diag.Texts{"company.max-length/long": "Lang."}); err == nil || c != nil {
		t.Error("a text of a rule that the checker does not have is taken")
	}
	if _, err := withRules(t, *first, maxLength).WithTexts(diag.Texts{"company.max-length/long": "Länger als {length}?"}); err != nil {
		t.Error(err)
	}
}

// overwritten are requests with findings of many kinds: their messages have values, names, numbers and parts of what was sent.
var overwritten = []string{
	`{"op":"events.insert","body":{"start":{"dateTime":"2026-03-10T10:00:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-10T09:00:00","timeZone":"Europe/Berlin"},"status":"busy","sumary":"x"}}`,
	`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"attendees":[{"email":"a@b"},{"email":"a@B"},{"email":"not an address","responseStatus":"maybe"}],"kind":"calendar#other"}}`,
	`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;INTERVALL=2","XRULE:FREQ=DAILY"],"colorId":5}}`,
	`{"op":"events.patch","existing":{"id":"abc12","status":"confirmed","etag":"\"1\"","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}},"ifMatch":"\"2\"","body":{"status":"tentative","id":"other","eventType":"fromGmail"},"dialect":"google"}`,
	`{"op":"events.insert","params":{"conferenceDataVersion":"1","sendupdates":"all"},"body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"conferenceData":{"createRequest":{"requestId":""},"entryPoints":[{"entryPointType":"video","uri":"nowhere"}]}}}`,
	`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"extendedProperties":{"private":{"` + strings.Repeat("k", 45) + `":"v"}},"source":{"url":"ftp://example.com"}}}`,
	`{"op":"response","body":{"id":"x","birthdayProperties":{"type":"self","contact":"people/c1"},"created":"yesterday"}}`,
}

// messages checks a request whose body is in a buffer, writes other bytes into the buffer, uses the memory of the check for
// others, and then returns what the findings say.
func messages(t *testing.T, checker *event.Checker, req event.Request) (said []string) {
	body := slices.Clone(req.Body)
	req.Body = body
	findings, err := checker.Find(&req)
	if err != nil {
		t.Error(err)
	}
	for i := range body {
		body[i] = '#'
	}
	for range 3 {
		if _, err := checker.Find(&event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}); err != nil {
			t.Error(err)
		}
	}
	for _, f := range findings {
		said = append(said, fmt.Sprint(f, " ", f.Value(), " ", f.Limit(), " ", f.Suggestion()))
	}
	return said
}

// A finding owns its data: it says the same after the buffer of the body is overwritten and the memory of the check is
// used again, and when two goroutines read it.
func TestFindingsOwnTheirData(t *testing.T) {
	checker := new(event.Checker)
	want := map[int][]string{}
	for i, line := range overwritten {
		var req batch.Request
		if err := json.Unmarshal([]byte(line), &req); err != nil {
			t.Fatal(err)
		}
		for _, f := range must(checker.Find(&req.Request)) {
			want[i] = append(want[i], fmt.Sprint(f, " ", f.Value(), " ", f.Limit(), " ", f.Suggestion()))
		}
		if len(want[i]) < 2 {
			t.Errorf("%s has only the findings %q", line, want[i])
		}
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for range 20 {
				for i := range maps.Keys(want) {
					var req batch.Request
					if err := json.Unmarshal([]byte(overwritten[i]), &req); err != nil {
						t.Error(err)
					}
					if got := messages(t, checker, req.Request); !slices.Equal(got, want[i]) {
						t.Errorf("findings said\n%s\nand say\n%s", strings.Join(want[i], "\n"), strings.Join(got, "\n"))
					}
				}
			}
		})
	}
	both.Wait()
}

// Two goroutines may read one finding: a message is made anew by each call.
func TestFindingIsReadByTwo(t *testing.T) {
	findings := must(withTexts(t, nil, german).Find(&event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}))
	var both sync.WaitGroup
	said := make([]string, 2)
	for i := range said {
		both.Go(func() {
			for _, f := range findings {
				said[i] += f.String() + f.Value()
			}
		})
	}
	both.Wait()
	if said[0] != said[1] || said[0] == "" {
		t.Errorf("one goroutine reads %q, the other %q", said[0], said[1])
	}
}

// Every rule that reports declares what it says, and the findings about its examples say sentences that are declared.
func TestSentencesAreDeclared(t *testing.T) {
	for rule := range event.Catalogue().All() {
		if (rule.Kind != "") != (len(rule.Says) > 0) {
			t.Errorf("%s of kind %s has %d sentences", rule.ID, rule.Kind, len(rule.Says))
		}
		for _, example := range []diag.Example{rule.Good.Example(), rule.Bad.Example()} {
			var req batch.Request
			if json.Unmarshal([]byte(example.Request), &req) != nil {
				continue // a request of another form
			}
			result, err := req.Check(new(event.Checker))
			if err != nil {
				continue
			}
			for _, f := range result.Findings {
				says := f.Rule.Says
				if f.Cause != nil {
					says = f.Cause.Says
				}
				if _, ok := says.Text(f.Key); !ok || f.Message() == "" {
					t.Errorf("%s says %q, which is not declared", f.Rule.ID, f.Key)
				}
			}
		}
	}
}

// The public service has no documents that a client of it knows: in its dialect no sentence says what they require.
func TestNothingIsRequiredByTheDocumentsInGoogle(t *testing.T) {
	for rule := range event.Catalogue().All() {
		for _, s := range rule.Says {
			if rule.HoldsIn(diag.Google) && strings.Contains(s.Text, "documents require") {
				t.Errorf("%s/%s: %s", rule, s.Key, s.Text)
			}
		}
	}
}
