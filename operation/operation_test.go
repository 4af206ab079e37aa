package operation_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	. "github.com/calrules/calrules/operation"
)

// TestTable compares the operations with a copy of the document's endpoint table.
func TestTable(t *testing.T) {
	want, err := os.ReadFile("testdata/endpoints.md")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	got.WriteString("| Resource | Operation | Method and path |\n|---|---|---|\n")
	count := 0
	for op := range All() {
		count++
		fmt.Fprintf(&got, "| %s | %s | %s %s |\n", op.Resource, op.Name, op.Method, op.Path)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-document +operations):\n%s", diff)
	}
	if count != 38 {
		t.Errorf("there are %d operations, want 38", count)
	}
}

func TestLookup(t *testing.T) {
	for op := range All() {
		id := ID(strings.ToLower(op.Resource[:1]) + op.Resource[1:] + "." + op.Name)
		if op.ID != id {
			t.Errorf("%s %s has the id %s, want %s", op.Resource, op.Name, op.ID, id)
		}
		if got, ok := Lookup(id); got != op || !ok {
			t.Errorf("Lookup(%s) = %v, %t", id, got, ok)
		}
	}
	for _, id := range []ID{"", Response, "Events.insert", "events.Insert", "events", "insert", "channels.watch"} {
		if op, ok := Lookup(id); op != nil || ok {
			t.Errorf("Lookup(%q) = %v, %t", id, op, ok)
		}
	}
}

// TestDetails tests what is true of every operation beyond its row of the table.
func TestDetails(t *testing.T) {
	var watches, shown, bodies []ID
	for op := range All() {
		if bits.OnesCount64(uint64(op.When)) != 1 {
			t.Errorf("%s: When is %s, want a single occasion", op.ID, op.When)
		}
		if op.Effect.Creates.Has(OneChannel) {
			watches = append(watches, op.ID)
		}
		if op.ParamsShown {
			shown = append(shown, op.ID)
		}
		if op.EventBody {
			bodies = append(bodies, op.ID)
		}
		if got := op.QuotaUnits == constraint.PatchQuotaUnits; got != (op.Name == "patch") {
			t.Errorf("%s costs %d units", op.ID, op.QuotaUnits)
		}
		if (op.Scopes != nil) != (op.ID == EventsInsert) {
			t.Errorf("%s: scopes are %v", op.ID, op.Scopes)
		}
	}
	if diff := cmp.Diff([]ID{"acl.watch", "calendarList.watch", EventsWatch, "settings.watch"}, watches); diff != "" {
		t.Errorf("watches (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ID{EventsInsert}, shown); diff != "" {
		t.Errorf("parameters shown (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ID{EventsImport, EventsInsert, EventsPatch, EventsUpdate}, bodies); diff != "" {
		t.Errorf("event bodies (-want +got):\n%s", diff)
	}
}

// TestEffects tests that an operation reads or writes, and that what is created can be deleted.
func TestEffects(t *testing.T) {
	for op := range All() {
		e := op.Effect
		if e.Writes() == (e.Reads != 0) || e.Writes() == (op.Method == "GET" || op.ID == "freebusy.query") {
			t.Errorf("%s: the effect is %+v", op.ID, e)
		}
		if by := Deleting(e.Creates); (by == nil) != (e.Creates == 0) {
			t.Errorf("%s: what it creates is deleted by %v", op.ID, by)
		}
		if isMailed := op.HasParam("sendUpdates"); e.Mails != isMailed {
			t.Errorf("%s: mails is %t, and sendUpdates is a parameter: %t", op.ID, e.Mails, isMailed)
		}
	}
	if by := Deleting(OneChannel); by == nil || by.ID != "channels.stop" {
		t.Errorf("a channel is deleted by %v", by)
	}
}

// TestNotifies tests that watchers learn of each change: those of events also of a deleted calendar, those of entries of
// calendar lists also of calendars and of access to them, and those of rules of access control also of a new owner.
func TestNotifies(t *testing.T) {
	const owner = "calendars.transferOwnership"
	for op := range All() {
		e := op.Effect
		written := e.Creates | e.Changes | e.Deletes
		want := map[Things]bool{
			OneEvent:      written.Has(OneEvent|AllEvents) || e.Deletes.Has(OneCalendar),
			OneListEntry:  written.Has(OneListEntry | OneCalendar | OneAccessRule),
			OneAccessRule: written.Has(OneAccessRule) || op.ID == owner,
		}
		for thing, isNotified := range want {
			if e.Notifies.Has(thing) != isNotified {
				t.Errorf("%s: watchers of %v are notified: %t", op.ID, thing.Names(), !isNotified)
			}
		}
	}
}

// TestWhen tests that every operation has the occasion that its name suggests.
func TestWhen(t *testing.T) {
	for op := range All() {
		want := string(op.ID)
		if op.Resource == "Events" && !op.Effect.Creates.Has(OneChannel) {
			want = op.Name
		}
		if got := op.When.String(); got != want {
			t.Errorf("%s: occasion is %s, want %s", op.ID, got, want)
		}
	}
}

// TestParams tests that every parameter is complete.
func TestParams(t *testing.T) {
	for op := range All() {
		seen := map[string]bool{}
		for _, p := range op.Params {
			if p.Name == "" || p.Type == "" || p.Section == "" || seen[p.Name] {
				t.Errorf("%s: %+v is incomplete or listed twice", op.ID, p)
			}
			seen[p.Name] = true
			if p.Type == "enum" && p.Values == nil {
				t.Errorf("%s: %s has no values", op.ID, p.Name)
			}
		}
	}
}

// In the public service, an operation has the parameters that the documents list, and others.
func TestParamsIn(t *testing.T) {
	got := map[string]Param{}
	for op := range All() {
		if diff := cmp.Diff(op.Params, op.ParamsIn(diag.Documents), ignoreHidden); diff != "" {
			t.Errorf("%s in the documents (-want +got):\n%s", op.ID, diff)
		}
		observed := op.ParamsIn(diag.Google)
		for i, p := range observed {
			if !op.HasParam(p.Name) || (i < len(op.Params)) != (op.Param(p.Name) != nil) {
				t.Errorf("%s has %s", op.ID, p.Name)
			}
			if p.Section == "observed" {
				got[p.Name] = p
			}
		}
	}
	int32Max := new(int64(math.MaxInt32))
	for _, want := range []Param{
		{Name: "eventTypes", Type: "enum", Values: []string{"birthday", "default", "focusTime", "fromGmail", "outOfOffice", "workingLocation"}, Repeated: true},
		{Name: "maxResults", Type: "integer", Format: "int32", Min: new(int64(1)), Max: int32Max, Default: "100"}, {Name: "q", Type: "string"},
		{Name: "singleEvents", Type: "boolean", Default: "false"}, {Name: "prettyPrint", Type: "boolean", Default: "true", Standard: true},
		{Name: "timeMin", Type: "string", Format: "date-time"}, {Name: "originalStart", Type: "string", Format: "date or date-time"},
		{Name: "timeZone", Type: "string", Format: "time-zone", Default: "calendar"},
		{Name: "userIp", Type: "string", Deprecated: "use quotaUser", Standard: true},
	} {
		want.Section = "observed"
		if diff := cmp.Diff(want, got[want.Name], ignoreHidden); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// ignoreHidden compares parameters by what they show.
var ignoreHidden = cmpopts.IgnoreUnexported(Param{})

func TestOperationJSON(t *testing.T) {
	op, _ := Lookup(EventsMove)
	got, err := json.Marshal(op)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"events.move","resource":"Events","name":"move","method":"POST",` +
		`"path":"/calendars/{calendarId}/events/{eventId}/move",` +
		`"summary":"Moves an event to another calendar, which changes the event's organizer.",` +
		`"effect":{"creates":["event"],"deletes":["event"],"notifies":["event"],"mails":true},` +
		`"params":[{"name":"destination","type":"string","required":true,"section":"calendar.md, Behavior rules per operation, 7"}],` +
		`"paramsShown":false,"eventBody":false}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPageSize(t *testing.T) {
	for _, c := range []struct {
		id    ID
		asked string
		want  int
	}{
		{EventsList, "", 250}, {EventsList, "1", 1}, {EventsList, "0", 250}, {EventsList, "10", 10}, {EventsList, "9999999999999999999999", 2500}, {EventsInstances, "2501", 2500},
		{"acl.list", "", 100}, {"calendarList.list", "-1", 100}, {"settings.list", "many", 100}, {"acl.list", "251", 250}, {"colors.get", "10", 0},
	} {
		op, _ := Lookup(c.id)
		if got := op.PageSize(c.asked); got != c.want {
			t.Errorf("%s, %q: %d, want %d", c.id, c.asked, got, c.want)
		}
	}
}
