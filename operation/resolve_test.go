package operation_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	. "github.com/calrules/calrules/operation"
)

func TestResolve(t *testing.T) {
	tests := []struct {
		method, path string
		want         ID // empty: no match
		params       map[string]string
	}{
		{"GET", "/colors", "colors.get", nil},
		{"POST", "/freeBusy", "freebusy.query", nil},
		{"POST", "/calendars", "calendars.insert", nil},
		{"GET", "/calendars/primary", "calendars.get", map[string]string{"calendarId": "primary"}},
		{"GET", "/calendars/a%40example.org/events/x", EventsGet, map[string]string{"calendarId": "a@example.org", "eventId": "x"}},
		{"GET", "/calendars/a@example.org/events/x", EventsGet, map[string]string{"calendarId": "a@example.org", "eventId": "x"}},

		// The value of a placeholder is never fixed text, or the other way round.
		{"GET", "/calendars/acl", "calendars.get", map[string]string{"calendarId": "acl"}},
		{"GET", "/calendars/acl/acl", "acl.list", map[string]string{"calendarId": "acl"}},
		{"GET", "/calendars/acl/acl/acl", "acl.get", map[string]string{"calendarId": "acl", "ruleId": "acl"}},
		{"POST", "/calendars/c/acl/watch", "acl.watch", map[string]string{"calendarId": "c"}},
		{"PUT", "/calendars/c/acl/watch", "acl.update", map[string]string{"calendarId": "c", "ruleId": "watch"}},
		{"POST", "/calendars/c/events/import", EventsImport, map[string]string{"calendarId": "c"}},
		{"GET", "/calendars/c/events/import", EventsGet, map[string]string{"calendarId": "c", "eventId": "import"}},
		{"POST", "/calendars/c/events/import/move", EventsMove, map[string]string{"calendarId": "c", "eventId": "import"}},
		{"DELETE", "/users/me/calendarList/watch", "calendarList.delete", map[string]string{"calendarId": "watch"}},
		{"POST", "/users/me/settings/watch", "settings.watch", nil},
		{"GET", "/users/me/settings/watch", "settings.get", map[string]string{"setting": "watch"}},

		// Each segment is decoded once.
		{"GET", "/calendars/a%2Facl", "calendars.get", map[string]string{"calendarId": "a/acl"}},
		{"GET", "/calendars/a%252Facl", "calendars.get", map[string]string{"calendarId": "a%2Facl"}},
		{"GET", "/calendars/%3F%23", "calendars.get", map[string]string{"calendarId": "?#"}},
		{"GET", "/calendars/a+b", "calendars.get", map[string]string{"calendarId": "a+b"}},
		{"GET", "/calendars/%70rimary", "calendars.get", map[string]string{"calendarId": "primary"}},
		{"GET", "/%63olors", "colors.get", nil},
		{"GET", "/calendars%2Fc", "", nil},

		// A slash at the end of the path of a collection does not count.
		{"GET", "/calendars/c/events/", EventsList, map[string]string{"calendarId": "c"}},
		{"POST", "/calendars/c/events/", EventsInsert, map[string]string{"calendarId": "c"}},
		{"GET", "/calendars/c/events/e/instances/", EventsInstances, map[string]string{"calendarId": "c", "eventId": "e"}},
		{"POST", "/calendars/", "calendars.insert", nil},
		{"GET", "/users/me/settings/", "settings.list", nil},
		{"GET", "/colors/", "colors.get", nil},
		{"POST", "/freeBusy/", "freebusy.query", nil},

		{"get", "/colors", "", nil},
		{"HEAD", "/colors", "", nil},
		{"", "/colors", "", nil},
		{"PATCH", "/colors", "", nil},
		{"GET", "", "", nil},
		{"GET", "/", "", nil},
		{"GET", "colors", "", nil},
		{"GET", "//colors", "", nil},
		{"GET", "/colors//", "", nil},
		{"GET", "/Colors", "", nil},
		{"GET", "/calendars/", "", nil},
		{"GET", "/calendars//events", "", nil},
		{"GET", "/calendars/c/events//", "", nil},
		{"PUT", "/calendars/c/events/", "", nil},
		{"GET", "/calendars/c/", "", nil},
		{"POST", "/calendars/c/events/watch/", "", nil},
		{"GET", "/calendars/c/events//instances", "", nil},
		{"GET", "/calendars/%", "", nil},
		{"GET", "/calendars/%zz", "", nil},
		{"GET", "/calendars/a%4", "", nil},
		{"GET", "/calendars/c?x=1", "", nil},
		{"GET", "/calendars/c#x", "", nil},
		{"GET", "/calendars/c/events/e/instances/x", "", nil},
		{"POST", "/channels/watch", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			got, ok := Resolve(tt.method, tt.path)
			if ok != (tt.want != "") {
				t.Fatalf("resolves is %t: %v", ok, got)
			}
			if !ok {
				return
			}
			if got.Operation.ID != tt.want {
				t.Errorf("operation is %s, want %s", got.Operation.ID, tt.want)
			}
			if diff := cmp.Diff(tt.params, got.Params); diff != "" {
				t.Errorf("parameters (-want +got):\n%s", diff)
			}
		})
	}
}

// A path that is no operation has a finding with the nearest one, whatever it is.
func TestCheckPath(t *testing.T) {
	for _, test := range []struct {
		request string
		want    string // the operation that a finding names, or ""
	}{
		{"GET /calendars/primary/events", ""}, {"HEAD /colors", ""}, {"OPTIONS /calendars/primary/events", ""}, {"OPTIONS /x", ""},
		{"GET /calendars/primary/events/", "events.list"}, {"HEAD /calendars/primary/events/", "events.list"}, {"POST /calendars/", "calendars.insert"},
		{"GET /calendars/primary/event", "events.list"}, {"GET /calendar/primary/events", "events.list"}, {"GET /calendars/primary/event/abc", "events.get"},
		{"GET /calendars/primary/Events", "events.list"}, {"POST /freebusy", "freebusy.query"}, {"GET /freeBusy", "freebusy.query"},
		{"GET /calendarList", "calendarList.list"}, {"GET /me/calendarList", "calendarList.list"}, {"GET /users/me/calendarlist", "calendarList.list"},
		{"DELETE /calendars/primary/events", "events.delete"}, {"PATCH /calendars/primary/events", "events.patch"}, {"PUT /calendars/primary/events/", "events.update"},
		{"POST /calendars/primary/events/abc", "events.move"}, {"POST /calendars/primary/events/quickadd", "events.quickAdd"},
		{"GET /calendars//events", "events.list"}, {"GET /calendars/primary/events/abc/", "events.get"}, {"GET /calendars/a@example.com/events/abc/instance", "events.instances"},
		{"PATCH /calendars/primary/acl", "acl.patch"}, {"GET /users/me/setting/locale", "settings.get"}, {"POST /channels/Stop", "channels.stop"}, {"GET /", "calendars.get"},
		{"GET /channels", "calendars.get"}, {"GET /users/me", "calendarList.list"}, {"POST /watch", "calendarList.watch"}, // of several, the first
	} {
		method, path, _ := strings.Cut(test.request, " ")
		got := ""
		for _, f := range CheckPath(diag.Google, method, path) {
			if f.Rule.ID != "operation.path" || f.Path != "" {
				t.Errorf("%s: %v", test.request, f)
			}
			got = f.Args[0].Text
		}
		if got != test.want {
			t.Errorf("%s: the finding names %q, want %q", test.request, got, test.want)
		}
	}
	if found := CheckPath(diag.Documents, "GET", strings.Repeat("/events", 1_000_000)); len(found) != 1 {
		t.Errorf("a long path: %v", found)
	}
}

func TestPrimary(t *testing.T) {
	for path, want := range map[string]bool{
		"/calendars/primary":             true,
		"/calendars/%70rimary":           true,
		"/calendars/primary/events/x":    true,
		"/users/me/calendarList/primary": true,
		"/calendars/Primary":             false,
		"/calendars/a@example.org":       false,
		"/calendars/c/events/primary":    false,
		"/users/me/settings/primary":     false,
		"/colors":                        false,
	} {
		m, ok := Resolve("GET", path)
		if !ok || m.IsPrimary() != want {
			t.Errorf("%s: resolves %t, primary %t, want %t", path, ok, m.IsPrimary(), want)
		}
	}
}

// TestOneOperation tests that no method and path address two operations: any two templates of one
// method and length have a segment that is fixed in both and differs.
func TestOneOperation(t *testing.T) {
	for a := range All() {
		for b := range All() {
			if a != b && a.Method == b.Method && overlap(a.Path, b.Path) {
				t.Errorf("%s and %s share paths", a.ID, b.ID)
			}
		}
	}
}

// overlap reports whether a path exists that both templates match.
func overlap(a, b string) bool {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		fixed := !strings.HasPrefix(as[i], "{") && !strings.HasPrefix(bs[i], "{")
		if fixed && as[i] != bs[i] {
			return false
		}
	}
	return true
}

// value generates values of placeholders, most of them easily confused with something else.
func value() *rapid.Generator[string] {
	tricky := []string{"acl", "watch", "import", "events", "instances", "clear", "primary", "%", "%2F", "/", "a/b", ".", "..", "?", "#", "+", " ", "{eventId}", "é", "\xff", "\x00"}
	return rapid.OneOf(
		rapid.SampledFrom(tricky),
		rapid.StringN(1, -1, -1),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 1, 8).Draw(t, "bytes")) }),
	)
}

func TestResolveExpanded(t *testing.T) {
	var all []*Operation
	for op := range All() {
		all = append(all, op)
	}
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom(all).Draw(t, "operation")
		var params map[string]string
		for _, name := range placeholders(op.Path) {
			if params == nil {
				params = map[string]string{}
			}
			params[name] = value().Draw(t, name)
		}
		path, err := op.Expand(params)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Resolve(op.Method, path)
		if !ok || got.Operation != op {
			t.Fatalf("%s %s resolves (%t) to %v, want %s", op.Method, path, ok, got.Operation, op.ID)
		}
		if diff := cmp.Diff(params, got.Params); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", path, diff)
		}
	})
}

// placeholders returns the names of the placeholders of a template.
func placeholders(template string) []string {
	var names []string
	for part := range strings.SplitSeq(template, "/") {
		if strings.HasPrefix(part, "{") {
			names = append(names, strings.Trim(part, "{}"))
		}
	}
	return names
}

func TestExpand(t *testing.T) {
	tests := []struct {
		name   string
		id     ID
		params map[string]string
		want   string // empty: an error
	}{
		{"none", "colors.get", nil, "/colors"},
		{"order does not matter", EventsGet, map[string]string{"eventId": "e", "calendarId": "c"}, "/calendars/c/events/e"},
		{"encoded", "calendars.get", map[string]string{"calendarId": "a/b c%"}, "/calendars/a%2Fb%20c%25"},
		{"absent", EventsGet, map[string]string{"calendarId": "c"}, ""},
		{"empty", "calendars.get", map[string]string{"calendarId": ""}, ""},
		{"no placeholder", "colors.get", map[string]string{"calendarId": "c"}, ""},
		{"fixed text is not a placeholder", "colors.get", map[string]string{"colors": "c"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, _ := Lookup(tt.id)
			got, err := op.Expand(tt.params)
			if got != tt.want || (err != nil) != (tt.want == "") {
				t.Errorf("Expand = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// FuzzResolve compares Resolve with a simple match of all templates, at most one of which may
// match, and tests that expanding the result and resolving again gives the same result.
func FuzzResolve(f *testing.F) {
	for op := range All() {
		f.Add(op.Method, op.Path)
	}
	f.Add("GET", "/calendars/a%2Facl/events/%FF")
	f.Add("GET", "/calendars/%zz")
	f.Fuzz(func(t *testing.T, method, path string) {
		first, ok := Resolve(method, path)
		fit := naiveMatches(method, path)
		if len(fit) > 1 || ok != (len(fit) == 1) {
			t.Fatalf("%s %q resolves (%t), and these fit: %+v", method, path, ok, fit)
		}
		if !ok {
			if first.Operation != nil || first.Params != nil {
				t.Fatalf("no match, but %+v", first)
			}
			return
		}
		if first.Operation.ID != fit[0].Operation.ID {
			t.Fatalf("%s %q resolves to %s, want %s", method, path, first.Operation.ID, fit[0].Operation.ID)
		}
		if diff := cmp.Diff(fit[0].Params, first.Params); diff != "" {
			t.Fatalf("%s %q (-plain +resolved):\n%s", method, path, diff)
		}
		expanded, err := first.Operation.Expand(first.Params)
		if err != nil {
			t.Fatal(err)
		}
		second, ok := Resolve(method, expanded)
		if !ok || second.Operation != first.Operation {
			t.Fatalf("%q resolves to %s, its expansion %q to %+v", path, first.Operation.ID, expanded, second)
		}
		if diff := cmp.Diff(first.Params, second.Params); diff != "" {
			t.Fatalf("%q and %q (-first +second):\n%s", path, expanded, diff)
		}
	})
}

var (
	percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	pathText       = regexp.MustCompile(`^(/([^%/?#]|%[0-9A-Fa-f]{2})+)+$`)
)

// naiveMatches returns every operation whose template matches, with the values of its placeholders.
func naiveMatches(method, path string) (fit []Match) {
	path, hasSlash := strings.CutSuffix(path, "/")
	if !pathText.MatchString(strings.ToValidUTF8(path, "x")) { // the characters do not matter
		return nil
	}
	sent := strings.Split(path, "/")
	for i := range sent {
		sent[i] = percentEncoded.ReplaceAllStringFunc(sent[i], func(code string) string {
			b, _ := strconv.ParseUint(code[1:], 16, 8)
			return string([]byte{byte(b)})
		})
	}
	for op := range All() {
		template := strings.Split(op.Path, "/")
		isCollection := slices.Contains([]string{"list", "insert", "instances"}, op.Name) || op.Path == "/colors" || op.Path == "/freeBusy"
		if op.Method != method || len(template) != len(sent) || hasSlash && !isCollection {
			continue
		}
		m, fits := Match{Operation: op, HasSlash: hasSlash}, true
		for i, part := range template {
			if strings.HasPrefix(part, "{") {
				if m.Params == nil {
					m.Params = map[string]string{}
				}
				m.Params[strings.Trim(part, "{}")] = sent[i]
			} else if part != sent[i] {
				fits = false
			}
		}
		if fits {
			fit = append(fit, m)
		}
	}
	return fit
}
