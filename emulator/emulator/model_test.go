package emulator_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store"
)

// modelEvent is an event of the model: what the actions change.
type modelEvent struct {
	Summary string
	Start   int // day of March
	Status  string
	etag    string
}

// machine compares an emulator with a map, over a history of requests.
type machine struct {
	*client
	handler *emulator.Server
	store   *store.Memory
	model   map[string]modelEvent
	token   string                // of the last synchronization
	replica map[string]modelEvent // the events of a client that only synchronizes
}

func newMachine(t *testing.T) *machine {
	m := &machine{store: new(store.Memory), model: map[string]modelEvent{}, replica: map[string]modelEvent{}}
	m.client = newDirect(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }))
	m.restart()
	return m
}

// restart opens the same store again, as a new process does.
func (m *machine) restart() {
	var err error
	if m.handler, err = emulator.Open(m.store, emulator.WithClock(clock)); err != nil {
		m.t.Fatal(err)
	}
}

const eventsPath = "/calendars/primary/events"

func times(day int) string {
	return fmt.Sprintf(`"start":{"date":"2026-03-%02d"},"end":{"date":"2026-03-%02d"}`, day, day+1)
}

func (m *machine) keep(o object) {
	var day int
	start, _ := o["start"].(map[string]any)
	fmt.Sscanf(object(start).text("date"), "2026-03-%d", &day)
	m.model[o.text("id")] = modelEvent{o.text("summary"), day, o.text("status"), o.text("etag")}
}

func (m *machine) drawID(t *rapid.T) string {
	return rapid.SampledFrom([]string{"event1", "event2", "event3", "event4"}).Draw(t, "id")
}

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"insert": func(t *rapid.T) {
			id, day, summary := m.drawID(t), rapid.IntRange(1, 28).Draw(t, "day"), rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "summary")
			body := fmt.Sprintf(`{"id":%q,"summary":%q,%s}`, id, summary, times(day))
			if _, taken := m.model[id]; taken {
				m.do(409, "POST", eventsPath, body)
				return
			}
			m.keep(m.do(200, "POST", eventsPath, body))
			m.expect(t, id, modelEvent{summary, day, "confirmed", ""})
		},
		"patch": func(t *rapid.T) {
			id, summary := m.drawID(t), rapid.SampledFrom([]string{"D", "E"}).Draw(t, "summary")
			was, ok := m.model[id]
			status := map[bool]int{true: 200, false: 404}[ok]
			etag := rapid.SampledFrom([]string{"", was.etag, `"0"`}).Draw(t, "etag")
			if ok && etag == `"0"` {
				status = 412
			}
			header := []string{"If-Match: " + etag}
			if etag == "" {
				header = nil
			}
			o := m.do(status, "PATCH", eventsPath+"/"+id, fmt.Sprintf(`{"summary":%q}`, summary), header...)
			if status == 200 {
				m.keep(o)
				m.expect(t, id, modelEvent{summary, was.Start, was.Status, ""})
			}
		},
		"update": func(t *rapid.T) {
			id, day := m.drawID(t), rapid.IntRange(1, 28).Draw(t, "day")
			was, ok := m.model[id]
			if !ok {
				m.do(404, "PUT", eventsPath+"/"+id, `{`+times(day)+`}`)
				return
			}
			m.keep(m.do(200, "PUT", eventsPath+"/"+id, fmt.Sprintf(`{%s,"status":%q}`, times(day), was.Status)))
			m.expect(t, id, modelEvent{"", day, was.Status, ""})
		},
		"delete": func(t *rapid.T) {
			id := m.drawID(t)
			was, ok := m.model[id]
			switch {
			case !ok:
				m.do(404, "DELETE", eventsPath+"/"+id, "")
			case was.Status == "cancelled":
				m.do(410, "DELETE", eventsPath+"/"+id, "")
			default:
				m.do(204, "DELETE", eventsPath+"/"+id, "")
				m.keep(m.do(200, "GET", eventsPath+"/"+id, ""))
				m.expect(t, id, modelEvent{was.Summary, was.Start, "cancelled", ""})
			}
		},
		"synchronize": func(t *rapid.T) {
			query := "?maxResults=" + rapid.SampledFrom([]string{"1", "2", "250"}).Draw(t, "page")
			if m.token != "" {
				query += "&syncToken=" + m.token
			}
			for page := ""; ; {
				o := m.do(200, "GET", eventsPath+query+page, "")
				for _, i := range o.items() {
					m.replicate(i)
				}
				if m.token = o.text("nextSyncToken"); m.token != "" {
					break
				}
				page = "&pageToken=" + o.text("nextPageToken")
			}
			want := maps.Clone(m.model)
			maps.DeleteFunc(want, func(_ string, e modelEvent) bool { return e.Status == "cancelled" })
			if diff := cmp.Diff(want, m.replica, cmp.AllowUnexported(modelEvent{})); diff != "" {
				t.Fatalf("the replica differs (-model +replica):\n%s", diff)
			}
		},
		"restart": func(*rapid.T) { m.restart() },
		"": func(t *rapid.T) {
			o := m.do(200, "GET", eventsPath+"?showDeleted=true", "")
			got := o.of("id")
			slices.Sort(got)
			want := slices.Sorted(maps.Keys(m.model))
			if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
				t.Fatalf("the list differs (-model +list):\n%s", diff)
			}
		},
	}
}

// replicate applies an item of a list as a client does.
func (m *machine) replicate(i object) {
	if i.text("status") == "cancelled" {
		delete(m.replica, i.text("id"))
		return
	}
	model := m.model
	m.model = m.replica
	m.keep(i)
	m.model = model
}

// expect compares an event with what the action should have made of it.
func (m *machine) expect(t *rapid.T, id string, want modelEvent) {
	got := m.model[id]
	got.etag = ""
	if got != want {
		t.Fatalf("%s is %+v, want %+v", id, got, want)
	}
}

// TestModel compares the emulator with a plain model over many histories, with restarts.
func TestModel(t *testing.T) {
	m := newMachine(t)
	for range draws(1, 10, 30) { // fifty histories each, or a hundred if all are drawn
		rapid.Check(t, func(r *rapid.T) {
			if err := m.handler.Reset(); err != nil {
				r.Fatal(err)
			}
			m.model, m.replica, m.token = map[string]modelEvent{}, map[string]modelEvent{}, ""
			r.Repeat(m.actions())
		})
	}
}
