package fuzz_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// inGoogle returns findings, in the names of the documents, as [briefs] in those of the public service.
func inGoogle(findings diag.Findings) []string {
	renamed := slices.Clone(findings)
	for i := range renamed {
		if renamed[i].Path == "/videoLink" { // the only member that has another name
			renamed[i].Path = "/hangoutLink"
		}
	}
	return briefs(renamed)
}

// words matches what is within double quotes, or one word.
var words = regexp.MustCompile(`"(?:\\.|[^"\\])*"|\w+`)

// renamed are the names of the documents for which the public service has others.
var renamed = renamedNames()

func renamedNames() (names []string) {
	add := func(name string) {
		if diag.Google.Name(name) != name {
			names = append(names, name)
		}
	}
	for _, f := range event.Fields() {
		add(f.Path)
		for _, c := range f.Constraints {
			for _, value := range c.Values {
				add(value)
			}
		}
	}
	return names
}

// byValue are the rules that depend on the dialect because it stores another value: no fraction of a second, and needsAction
// for an attendee without an answer, so neither alone is a change in google.
var byValue = []string{ruleid.TimeFraction, ruleid.AttendeeOmittedIgnored}

// isCommon reports whether a finding does not depend on the dialect.
func isCommon(f diag.Finding) bool {
	return f.Rule.OnlyIn == nil && f.Rule.KindOf(diag.Google, f.Key) == f.Rule.Kind && f.Rule.ID != ruleid.OperationUnspecified && !slices.Contains(byValue, f.Rule.ID)
}

// isOfDialect reports whether a finding depends on the dialect because of the request. The public service ignores
// attachments without their parameter, and takes the icon of a third party's attachment from the client. The documents show no
// member of another resource than an event.
func isOfDialect(f diag.Finding, in *event.Request) bool {
	path := string(f.Path)
	if op, ok := operation.Lookup(in.Op); ok && diag.OtherBodies.Has(op.When) {
		return strings.HasPrefix(path, "/")
	}
	isOfAttachments := path == "/attachments" || strings.HasPrefix(path, "/attachments/")
	return isOfAttachments && (strings.HasSuffix(path, "/iconLink") || !in.Params.Options().SupportsAttachments)
}

// byDialect returns the findings about a request that do not depend on the dialect, and the others.
func byDialect(findings diag.Findings, in *event.Request) (common, differing diag.Findings) {
	for _, f := range findings {
		if isCommon(f) && !isOfDialect(f, in) {
			common = append(common, f)
		} else {
			differing = append(differing, f)
		}
	}
	return common, differing
}

// neutral returns an event without what the public service adds to it or leaves out: answers of guests, reminders, the
// sequence, defaults, icons of attachments, and other spellings of times.
func neutral(e *event.Event) *event.Event {
	if e == nil {
		return nil
	}
	e = e.WithDefaults()
	e.Sequence = 0
	for i := range e.Attendees {
		if a := &e.Attendees[i]; a.ResponseStatus == "" {
			a.ResponseStatus = "needsAction"
		}
	}
	if e.Reminders == nil {
		e.Reminders = &event.Reminders{UseDefault: new(true)}
	}
	for i := range e.Attachments {
		e.Attachments[i].IconLink = ""
	}
	for _, t := range []*event.Time{e.Start, e.End, e.OriginalStartTime} {
		if t == nil || t.DateTime == "" {
			continue
		}
		if at, err := t.Instant(nil); err == nil {
			t.DateTime, t.TimeZone = at.UTC().Truncate(time.Second).Format(time.RFC3339), ""
		}
	}
	return e
}

// A request says the same in both dialects, and is judged and answered alike, save by the rules that are about one of them.
func TestDialectsAgree(t *testing.T) {
	payload, err := fuzz.Mix{InvalidShare: 0.5}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := payload(rapid.IntRange(0, math.MaxInt).Draw(t, "number"))
		if op, ok := operation.Lookup(p.Event.Op); ok && diag.OtherBodies.Has(op.When) && p.Event.Body == nil {
			p.Event.Body = []byte("{}") // only the public service misses it
		}
		if p.Rule == ruleid.DialectMixed {
			return // in each dialect, another of its names is wrong
		}
		in := p.Event.WithDialect(diag.Google)
		q := fuzz.Payload{Verdict: p.Verdict, Event: &in}
		plain, err := event.Check(p.Event)
		google, errGoogle := event.Check(q.Event)
		if err != nil || errGoogle != nil {
			t.Fatalf("%s: %v, %v", p, err, errGoogle)
		}
		both, inPlain := byDialect(plain.Findings, p.Event)
		bothToo, inOther := byDialect(google.Findings, p.Event)
		if diff := cmp.Diff(sorted(inGoogle(both)), sorted(briefs(bothToo))); diff != "" {
			t.Fatalf("%s\n%s\n(-documents +google):\n%s", p, q.Line(), diff)
		}
		if plain.Accepted != google.Accepted {
			rejecting := inOther
			if google.Accepted {
				rejecting = inPlain
			}
			if !rejecting.Rejected() {
				t.Fatalf("%s\n%s\naccepted: %t, in google %t", p, q.Line(), plain.Accepted, google.Accepted)
			}
			return
		}
		for _, f := range google.Findings {
			for _, word := range words.FindAllString(f.Message(), -1) {
				if slices.Contains(renamed, word) {
					t.Fatalf("%s\nthe message has a name of the documents: %s", q, f)
				}
			}
		}
		for _, pair := range [][2]*event.Event{{plain.Answer, google.Answer}, {plain.Stored, google.Stored}, {plain.CancelledCopy, google.CancelledCopy}} {
			if p.Event.Op == operation.EventsList && pair[0] == nil && pair[1] != nil && pair[1].RecurringEventID != "" && pair[1].Status == "cancelled" {
				continue // only the public service lists it: cancelled.list.exceptions
			}
			if p.Event.Params["maxAttendees"] != nil && pair[1] != nil && pair[1].AttendeesOmitted {
				continue // the documents do not show the parameter of an update or a patch
			}
			if !same(neutral(pair[0]), neutral(pair[1])) {
				t.Fatalf("%s\nis answered with %v, in google with %v", p, pair[0], pair[1])
			}
		}
		var read batch.Request
		if err := read.UnmarshalJSON([]byte(q.Event.String())); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		if !same(read.Existing, p.Event.Existing) || !same(read.Series, p.Event.Series) {
			t.Fatalf("%s\nis read with other events from %s", p, q.Event)
		}
		body, _ := event.Decode(p.Event.Body, p.Event.Dialect) // a rule that only holds in google is broken there
		if other, findings := event.Decode(q.Event.Body, q.Event.Dialect); !findings.Rejected() && !same(body, other) {
			t.Fatalf("%s\nhas another body in %s", p, q.Event)
		}
	})
}

// same reports whether two events are equal, or both missing.
func same(a, b *event.Event) bool {
	return a == b || a != nil && b != nil && a.Equal(*b)
}
