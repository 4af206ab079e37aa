package operation_test

import (
	"testing"

	. "github.com/calrules/calrules/operation"
)

// TestCheckAllocations tests that checking a valid request does not allocate.
func TestCheckAllocations(t *testing.T) {
	insert, _ := Lookup(EventsInsert)
	caller := &Caller{Scopes: []string{"https://scope.example/auth/calendar"}}
	params := Params{"conferenceDataVersion": {"1"}, "sendUpdates": {"all"}}
	calendar := &Calendar{Primary: new(bool)}
	for name, check := range map[string]func(){
		"bare":    func() { Request{Operation: insert}.Check() },
		"params":  func() { Request{Operation: insert, Params: params}.Check() },
		"known":   func() { Request{Operation: insert, Caller: caller, Calendar: calendar}.Check() },
		"options": func() { _ = params.Options() },
	} {
		if n := testing.AllocsPerRun(100, check); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, bm := range []struct {
		name   string
		id     ID
		params Params
		caller *Caller
	}{
		{"bare", EventsInsert, nil, nil},
		{"get", EventsGet, nil, nil},
		{"typical", EventsInsert, Params{"conferenceDataVersion": {"1"}, "sendUpdates": {"all"}}, &Caller{Scopes: []string{"https://scope.example/auth/calendar"}}},
		{"refused", EventsInsert, Params{"conferenceDataVersion": {"2"}, "sendupdates": {"all"}}, &Caller{Scopes: []string{}}},
	} {
		op, _ := Lookup(bm.id)
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Request{Operation: op, Params: bm.params, Caller: bm.caller}.Check()
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	for _, bm := range []struct{ name, method, path string }{
		{"fixed", "GET", "/colors"},
		{"two-params", "GET", "/calendars/team%40example.org/events/weekly1/instances"},
		{"last", "POST", "/users/me/settings/watch"},
		{"none", "GET", "/calendars/primary/attachments"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Resolve(bm.method, bm.path)
			}
		})
	}
}

func BenchmarkFlags(b *testing.B) {
	params := Params{"conferenceDataVersion": {"1"}, "sendUpdates": {"all"}}
	b.ReportAllocs()
	for b.Loop() {
		params.Options()
	}
}
