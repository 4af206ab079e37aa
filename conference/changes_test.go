package conference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

// conferences are conference data of all kinds: none, asked for, given, of every status, contradictory, and malformed.
var conferences = []string{
	"", "{}", obj(`"conferenceId":"x"`), obj(`"signature":"s"`), obj(`"signature":null`), obj(`"entryPoints":[5]`), obj(meet, `"entryPoints":[5,{}]`), obj(meet, `"entryPoints":[5]`),
	obj(request1), obj(pending1), obj(success1), obj(failure1), obj(`"createRequest":{"requestId":null}`),
	obj(pending1, `"conferenceId":"x"`), obj(pending1, entries(more)), obj(success1, meet), obj(success1, meet, entries(more)),
	obj(failure1, `"signature":"s"`), obj(failure1, entries(more)), obj(failure1, meet),
	obj(meet), obj(meet, entries(more)), obj(meet, entries(sip, more), `"conferenceId":"abc-mnop-xyz","signature":"s"`),
	obj(meet, `"conferenceId":""`), obj(`"conferenceSolution":{"key":{"type":"eventVideo"}},"conferenceId":"x"`),
	obj(`"conferenceSolution":{"key":{"type":"eventVideo"}},"conferenceId":null`), obj(holoDeck, entries(more), `"signature":"t"`),
	obj(`"conferenceSolution":{"key":{"type":"eventVideo"}},"conferenceId":""`), obj(`"conferenceSolution":{}`), obj(`"conferenceSolution":{"key":null}`),
}

// TestChanges makes every change from one conference to another. Each finding has a place in the conference and says
// something, a check without a report does nothing else, and what is stored does not change when it is sent back.
func TestChanges(t *testing.T) {
	for _, stored := range conferences {
		for _, body := range conferences {
			for _, on := range []diag.When{diag.Insert, diag.Update, diag.Patch, diag.Response} {
				for version := range 2 {
					for _, unknown := range []bool{false, true} {
						checkChange(t, stored, body, on, version, unknown)
					}
				}
			}
		}
	}
}

func checkChange(t *testing.T, stored, body string, on diag.When, version int, unknown bool) {
	t.Helper()
	name := fmt.Sprintf("%s to %s on %v, version %d, unknown %t", stored, body, on, version, unknown)
	change := func() conference.Change {
		return conference.Change{On: on, Stored: read(t, stored), Next: read(t, body), Sent: read(t, body), Unknown: unknown, Present: body != "", Version: version}
	}
	found := change().Check()
	for _, f := range found {
		if f.Message() == "" || strings.ContainsAny(f.Message(), "{}") && !strings.Contains(body+stored, "{}") {
			t.Errorf("%s: %v", name, f)
		}
	}
	if !on.Has(diag.Write) || found.Rejected() {
		return
	}
	next := change().Apply()
	again := conference.Change{Stored: next, Next: next, Sent: next, Present: next != nil, Version: version}
	if diff := cmp.Diff(next, again.Apply()); diff != "" {
		t.Errorf("%s: what is stored changes when it is sent back (-stored +again):\n%s", name, diff)
	}
}

// TestFound has what is found in single changes, each finding as its rule and the key of its sentence.
func TestFound(t *testing.T) {
	const signed, another, code = `"signature":"s"`, `"signature":"t"`, `"conferenceId":"abc-mnop-xyz"`
	const repeated, changed = "conference.request.id-repeated repeated", "conference.signature changed"
	missing, unknown := []string{"conference.type.enum missing"}, []string{"conference.type.enum one-of"}
	asking := func(key string) string {
		return obj(`"createRequest":{"requestId":"r","conferenceSolutionKey":` + key + `}`)
	}
	for _, test := range []struct {
		stored, body string
		want         []string
	}{
		{obj(pending1), obj(request1), []string{repeated}},
		{obj(pending1), obj(request1, code), []string{repeated}},
		{obj(pending1), obj(pending1, meet), []string{"conference.request.unspecified clash"}},
		{obj(pending1, meet), obj(pending1), nil},
		{obj(success1, meet, entries(sip)), obj(success1), []string{"conference.request.unspecified removed"}},
		{"", asking("{}"), missing},
		{"", asking(`{"type":""}`), unknown},
		{"", asking(`{"type":"x"}`), unknown},
		{"", asking("null"), nil},
		{"", obj(request1, `"conferenceSolution":{}`), missing},
		{obj(meet, code, signed), obj(meet, code, another), []string{changed}},
		{obj(meet, signed), obj(meet, another), []string{changed}},
		{obj(meet, code, signed), obj(meet, request1, another), []string{"conference.request.unspecified beside"}},
		{obj(meet, code, signed), obj(request1, another), nil},
	} {
		change := conference.Change{On: diag.Update, Stored: read(t, test.stored), Next: read(t, test.body), Sent: read(t, test.body), Present: true, Version: 1}
		var got []string
		for _, f := range change.Check() {
			got = append(got, f.Rule.ID+" "+f.Key)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", test.stored, test.body, diff)
		}
	}
}
