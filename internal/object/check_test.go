package object_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// record is an object with a member for each kind of declaration.
type record struct {
	Title   string
	Status  string
	Width   *int64
	Guests  int64
	Labels  map[string]string
	Owner   *owner
	Entries []entry
	Copies  []entry
	Loose   []entry
	Checked string
	Foreign *owner
	ETag    string
	Locked  bool
	Silent  string
	Creator *owner

	extra object.Extra
}

type owner struct {
	Email string
	Self  bool

	extra object.Extra
}

type entry struct {
	ID     string
	Method string
	Icon   string
	Own    bool

	extra object.Extra
}

// rule returns a rule that applies to writes and is checked by its declaration.
func rule(id string) *diag.Rule { return &diag.Rule{ID: id, Kind: diag.Reject, When: diag.Write} }

var (
	insertOnly = &diag.Rule{ID: "width", Kind: diag.Reject, When: diag.Insert}
	ownCheck   = &diag.Rule{ID: "checked", When: diag.Write, Check: func(*record, engine.Reporter) {}}
	service    = rule("service")
	email      = rule("email")
	method     = rule("method") // about the value, and that it is there
)

var ownerTable = object.NewTable(func(o *owner) *object.Extra { return &o.extra },
	object.String("email", func(o *owner) *string { return &o.Email }).Must(constraint.AddrSpec, email),
	object.Bool("self", func(o *owner) *bool { return &o.Self }).ServerWritten(service),
)

var entryTable = object.NewTable(func(e *entry) *object.Extra { return &e.extra },
	object.String("id", func(e *entry) *string { return &e.ID }),
	object.String("method", func(e *entry) *string { return &e.Method }).Require(method).Must(constraint.ReminderMethod, method),
	object.String("icon", func(e *entry) *string { return &e.Icon }).ServerWritten(service),
	object.Bool("own", func(e *entry) *bool { return &e.Own }).ServerWritten(service),
)

var recordTable = object.NewTable(func(r *record) *object.Extra { return &r.extra },
	object.String("title", func(r *record) *string { return &r.Title }).Require(rule("title")),
	object.String("status", func(r *record) *string { return &r.Status }).Must(constraint.EventStatus, rule("status")),
	object.OptInt("width", func(r *record) **int64 { return &r.Width }).Must(constraint.GadgetSize, insertOnly),
	object.Int("guests", func(r *record) *int64 { return &r.Guests }).Must(constraint.AdditionalGuests, rule("guests")),
	object.StringMap("labels", func(r *record) *map[string]string { return &r.Labels }).
		MustMap(constraint.PropertyKey, constraint.PropertyValue, rule("labels")),
	object.Object("owner", func(r *record) **owner { return &r.Owner }, ownerTable),
	object.Array("entries", func(r *record) *[]entry { return &r.Entries }, entryTable,
		object.Pairings[entry]{Identity: byID}).Must(constraint.ReminderOverrides, rule("count")),
	object.Array("copies", func(r *record) *[]entry { return &r.Copies }, entryTable,
		object.Pairings[entry]{Identity: byID, Known: object.ByContent(entryTable)}),
	object.Array("loose", func(r *record) *[]entry { return &r.Loose }, entryTable),
	object.String("checked", func(r *record) *string { return &r.Checked }).
		Require(ownCheck).Must(constraint.ChatStatus, ownCheck).MustIf(constraint.AutoDeclineMode, ownCheck, "with a status"),
	object.Object("foreign", func(r *record) **owner { return &r.Foreign }, ownerTable).CheckedElsewhere(),
	object.String("etag", func(r *record) *string { return &r.ETag }).ServerWritten(service),
	object.Bool("locked", func(r *record) *bool { return &r.Locked }).ServerWritten(service),
	object.String("silent", func(r *record) *string { return &r.Silent }).ServerWritten(nil),
	object.Object("creator", func(r *record) **owner { return &r.Creator }, ownerTable).ServerWritten(service),
)

// byID pairs entries of the same id.
func byID(elements, stored []entry) []int {
	pairs := make([]int, len(elements))
	for i, e := range elements {
		pairs[i] = slices.IndexFunc(stored, func(s entry) bool { return s.ID == e.ID && s.ID != "" })
	}
	return pairs
}

// decodeRecord decodes a text, or returns nil if it is empty.
func decodeRecord(text string) *record {
	if text == "" {
		return nil
	}
	r := new(record)
	recordTable.Decode([]byte(text), r, object.Reading{Nulls: object.NullIsKept})
	return r
}

// places returns the rules and paths of the findings.
func places(report *engine.Collector) []string {
	all := []string{}
	for _, f := range report.Findings {
		all = append(all, f.Rule.ID+" "+string(f.Path))
	}
	return all
}

// constraints returns the findings of CheckConstraints.
func constraints(c object.Checking, v, stored *record, at diag.Pointer, only object.Set) []string {
	c.Report = new(engine.Collector)
	if c.On == 0 {
		c.On = diag.Insert
	}
	recordTable.CheckConstraints(c, v, stored, at, only)
	return places(c.Report)
}

var (
	longKey   = strings.Repeat("k", constraint.PropertyKeyMaxLength+1)
	longValue = strings.Repeat("v", constraint.PropertyValueMaxLength+1)
)

func TestCheckConstraints(t *testing.T) {
	sixEntries := `[` + strings.TrimSuffix(strings.Repeat(`{"method":"popup"},`, 6), ",") + `]`
	for _, test := range []struct {
		name, text string // the title is added to the text
		checking   object.Checking
		want       []string
	}{
		{name: "empty"},
		{name: "text/valid", text: `"status":"tentative"`},
		{name: "text/invalid", text: `"status":"busy"`, want: []string{"status /status"}},
		{name: "text/empty", text: `"status":""`, want: []string{"status /status"}},
		{name: "text/null", text: `"status":null`},
		{name: "int/valid", text: `"width":1,"guests":0`},
		{name: "int/zero", text: `"width":0`, want: []string{"width /width"}},
		{name: "int/negative", text: `"guests":-1`, want: []string{"guests /guests"}},
		{name: "int/null", text: `"width":null,"guests":null`},
		{name: "int/other-occasion", text: `"width":0,"guests":-1`, checking: object.Checking{On: diag.Update}, want: []string{"guests /guests"}},
		{name: "count/most", text: `"entries":[{"method":"popup"},{"method":"popup"},{"method":"popup"},{"method":"popup"},{"method":"popup"}]`},
		{name: "count/more", text: `"entries":` + sixEntries, want: []string{"count /entries"}},
		{name: "map/longest", text: `"labels":{"` + longKey[1:] + `":"` + longValue[1:] + `","":""}`},
		{name: "map/key", text: `"labels":{"` + longKey + `":"","b":""}`, want: []string{"labels /labels/" + longKey}},
		{name: "map/value", text: `"labels":{"a":"","b":"` + longValue + `"}`, want: []string{"labels /labels/b"}},
		{name: "map/both", text: `"labels":{"` + longKey + `":"` + longValue + `"}`, want: []string{"labels /labels/" + longKey, "labels /labels/" + longKey}},
		{name: "map/sorted", text: `"labels":{"z":"` + longValue + `","a":"` + longValue + `"}`, want: []string{"labels /labels/a", "labels /labels/z"}},
		{name: "map/escaped", text: `"labels":{"a/b~c":"` + longValue + `"}`, want: []string{"labels /labels/a~1b~0c"}},
		{name: "object/valid", text: `"owner":{"email":"ada@example.com"}`},
		{name: "object/empty", text: `"owner":{}`},
		{name: "object/invalid", text: `"owner":{"email":"ada"}`, want: []string{"email /owner/email"}},
		{name: "array/invalid", text: `"entries":[{"method":"email"},{"method":"sms"}]`, want: []string{"method /entries/1/method"}},
		{name: "array/missing", text: `"entries":[{"id":"a"}]`, want: []string{"method /entries/0/method"}},
		{name: "array/null", text: `"entries":[{"method":null}]`, want: []string{"method /entries/0/method"}},
		{name: "array/empty-text", text: `"entries":[{"method":""}]`, want: []string{"method /entries/0/method"}},
		{name: "array/not-an-object", text: `"entries":[5,{"method":"sms"}]`, want: []string{"method /entries/1/method"}},
		{name: "array/partial", text: `"entries":[{}]`, checking: object.Checking{Partial: true}, want: []string{"method /entries/0/method"}},
		{name: "array/none-added", text: `"entries":[{},{"method":"sms"}]`, checking: object.Checking{NoneAdded: true}, want: []string{"method /entries/1/method"}},
		{name: "array/all", text: `"loose":[{}],"copies":[{}],"entries":[{}]`,
			want: []string{"method /entries/0/method", "method /copies/0/method", "method /loose/0/method"}},
		{name: "rule-with-a-check", text: `"checked":"busy"`},
		{name: "checked-elsewhere", text: `"foreign":{"email":"ada"}`},
		{name: "in-order-of-the-table", text: `"guests":-1,"owner":{"email":"x"},"width":0,"status":"x"`,
			want: []string{"status /status", "width /width", "guests /guests", "email /owner/email"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := `{"title":"a"}`
			if test.text != "" {
				text = `{"title":"a",` + test.text + `}`
			}
			want := append([]string{}, test.want...)
			if diff := cmp.Diff(want, constraints(test.checking, decodeRecord(text), nil, "", object.All)); diff != "" {
				t.Errorf("findings of %s (-want +got):\n%s", text, diff)
			}
		})
	}
}

func TestCheckConstraintsRequired(t *testing.T) {
	for _, test := range []struct {
		name, text string
		checking   object.Checking
		only       object.Set
		want       []string
	}{
		{"missing", `{}`, object.Checking{}, object.All, []string{"title /title"}},
		{"empty", `{"title":""}`, object.Checking{}, object.All, []string{"title /title"}},
		{"null", `{"title":null}`, object.Checking{}, object.All, []string{"title /title"}},
		{"present", `{"title":"a"}`, object.Checking{}, object.All, nil},
		{"other-occasion", `{}`, object.Checking{On: diag.Response}, object.All, nil},
		{"partial/missing", `{}`, object.Checking{Partial: true}, object.All, nil},
		{"partial/null", `{"title":null}`, object.Checking{Partial: true}, object.All, []string{"title /title"}},
		{"partial/empty", `{"title":""}`, object.Checking{Partial: true}, object.All, []string{"title /title"}},
		{"not-selected", `{"status":"x","width":0}`, object.Checking{}, recordTable.Set("width"), []string{"title /title", "width /width"}},
		{"none-selected", `{"status":"x"}`, object.Checking{}, 0, []string{"title /title"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := append([]string{}, test.want...)
			if diff := cmp.Diff(want, constraints(test.checking, decodeRecord(test.text), nil, "", test.only)); diff != "" {
				t.Errorf("findings of %s (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestCheckConstraintsBelowAPlace(t *testing.T) {
	v := decodeRecord(`{"status":"x","labels":{"a":"` + longValue + `"},"owner":{"email":"x"},"entries":[{}]}`)
	want := []string{"title /outer/title", "status /outer/status", "labels /outer/labels/a", "email /outer/owner/email", "method /outer/entries/0/method"}
	if diff := cmp.Diff(want, constraints(object.Checking{}, v, nil, "/outer", object.All)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// Only what is new about an element is reported if the pairing finds its stored element.
func TestCheckConstraintsOfStoredElements(t *testing.T) {
	for _, test := range []struct {
		name         string
		sent, stored string // the array
		want         []string
	}{
		{"unchanged", `[{"id":"1","method":"sms"}]`, `[{"id":"1","method":"sms"}]`, nil},
		{"changed", `[{"id":"1","method":"fax"}]`, `[{"id":"1","method":"sms"}]`, []string{"/0/method"}},
		{"other-member-changed", `[{"id":"1","method":"sms","icon":"i"}]`, `[{"id":"1","method":"sms"}]`, nil},
		{"moved", `[{"id":"2","method":"sms"},{"id":"1","method":"sms"}]`, `[{"id":"1","method":"sms"},{"id":"2","method":"sms"}]`, nil},
		{"added", `[{"id":"1","method":"sms"},{"id":"2","method":"sms"}]`, `[{"id":"1","method":"sms"}]`, []string{"/1/method"}},
		{"missing-and-stored-without", `[{"id":"1"}]`, `[{"id":"1"}]`, nil},
		{"missing-and-stored-with", `[{"id":"1"}]`, `[{"id":"1","method":"sms"}]`, nil},
		{"missing-and-added", `[{"id":"2"}]`, `[{"id":"1"}]`, []string{"/0/method"}},
		{"empty-as-stored", `[{"id":"1","method":""}]`, `[{"id":"1","method":""}]`, nil},
		{"empty-as-stored-in-a-changed-element", `[{"id":"1","method":"","icon":"i"}]`, `[{"id":"1","method":""}]`, []string{"/0/method"}},
		{"nothing-stored", `[{"id":"1","method":"sms"}]`, ``, []string{"/0/method"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := &record{}
			if test.stored != "" {
				stored = decodeRecord(`{"entries":` + test.stored + `}`)
			}
			want := []string{}
			for _, path := range test.want {
				want = append(want, "method /entries"+path)
			}
			got := constraints(object.Checking{}, decodeRecord(`{"title":"a","entries":`+test.sent+`}`), stored, "", object.All)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings of %s with %s stored (-want +got):\n%s", test.sent, test.stored, diff)
			}
		})
	}
}

func TestCheckConstraintsPairings(t *testing.T) {
	const one, other = `[{"id":"1","method":"sms"}]`, `[{"id":"1","method":"sms","icon":"i"}]`
	for _, test := range []struct {
		array, sent string
		want        []string
	}{
		{"entries", one, []string{}},
		{"entries", other, []string{}}, // the same identity
		{"copies", one, []string{}},
		{"copies", other, []string{"method /copies/0/method"}}, // not the same content
		{"loose", one, []string{"method /loose/0/method"}},     // without a pairing
	} {
		stored := decodeRecord(`{"` + test.array + `":` + one + `}`)
		got := constraints(object.Checking{}, decodeRecord(`{"title":"a","`+test.array+`":`+test.sent+`}`), stored, "", object.All)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.array, test.sent, diff)
		}
	}
}

// drawnMember is a member as text, with its findings for a create.
type drawnMember struct {
	text string
	want []string
}

// members are valid and invalid values of the members, in the order of the table.
var members = [][]drawnMember{
	{{`"title":"a"`, nil}, {``, []string{"title /title"}}, {`"title":null`, []string{"title /title"}}},
	{{``, nil}, {`"status":"confirmed"`, nil}, {`"status":"x"`, []string{"status /status"}}},
	{{``, nil}, {`"width":5`, nil}, {`"width":-5`, []string{"width /width"}}},
	{{``, nil}, {`"guests":2`, nil}, {`"guests":-2`, []string{"guests /guests"}}},
	{{``, nil}, {`"labels":{"a":"b"}`, nil}, {`"labels":{"a":"` + longValue + `","b":""}`, []string{"labels /labels/a"}}},
	{{``, nil}, {`"owner":{"email":"ada@example.com"}`, nil}, {`"owner":{"email":"@"}`, []string{"email /owner/email"}}},
	{{``, nil}, {`"entries":[]`, nil}, {`"entries":[{"method":"email"},{},{"method":"x"}]`, []string{"method /entries/1/method", "method /entries/2/method"}}},
	{{``, nil}, {`"loose":[{"method":"popup"}]`, nil}, {`"loose":[{"method":5}]`, []string{"method /loose/0/method"}}},
}

// The findings about an object are those about its members, whatever their order in the text.
func TestConstraintsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		want := []string{}
		for i, values := range members {
			m := rapid.SampledFrom(values).Draw(t, fmt.Sprint(i))
			want = append(want, m.want...)
			if m.text != "" {
				texts = append(texts, m.text)
			}
		}
		text := "{" + strings.Join(rapid.Permutation(texts).Draw(t, "order"), ",") + "}"
		got := constraints(object.Checking{}, decodeRecord(text), nil, "", object.All)
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("findings of %.300s (-want +got):\n%s", text, diff)
		}
	})
}

// entries draws an array of entries with distinct ids.
func entries() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var list []string
		for _, id := range rapid.SliceOfNDistinct(rapid.IntRange(1, 4), 0, 4, rapid.ID).Draw(t, "ids") {
			e := fmt.Sprintf(`{"id":"%d"`, id)
			for _, name := range []string{"method", "icon", "own"} {
				values := map[string][]string{"method": {"", `"popup"`, `"sms"`, `""`, `null`}, "icon": {"", `"i"`, `"j"`, `null`}, "own": {"", "true", "false", "null"}}[name]
				if value := rapid.SampledFrom(values).Draw(t, name); value != "" {
					e += `,"` + name + `":` + value
				}
			}
			list = append(list, e+"}")
		}
		return "[" + strings.Join(list, ",") + "]"
	})
}

// records draws objects whose arrays can be paired by id.
func records() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		list := []string{`"title":"a"`}
		for _, m := range []struct {
			name   string
			values []string
		}{
			{"owner", []string{"", `{}`, `{"email":"ada@example.com","self":true}`, `{"self":false}`, `{"self":null}`, `null`}},
			{"etag", []string{"", `"1"`, `"2"`, `""`, `null`}},
			{"locked", []string{"", `true`, `false`, `null`}},
			{"silent", []string{"", `"x"`}},
			{"creator", []string{"", `{}`, `{"email":"ada@example.com","self":true}`, `{"email":"ada@example.com"}`, `null`}},
		} {
			if value := rapid.SampledFrom(m.values).Draw(t, m.name); value != "" {
				list = append(list, `"`+m.name+`":`+value)
			}
		}
		for _, name := range []string{"entries", "copies"} {
			if rapid.Bool().Draw(t, "has "+name) {
				list = append(list, `"`+name+`":`+entries().Draw(t, name))
			}
		}
		return "{" + strings.Join(list, ",") + "}"
	})
}

// Sending a stored object back breaks no constraint within its arrays, writes nothing that only the
// service writes, and keeps everything.
func TestStoredObjectSentBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := records().Draw(t, "record")
		stored, sent := decodeRecord(text), decodeRecord(text)
		if got := constraints(object.Checking{On: diag.Update}, sent, stored, "", recordTable.Set("entries", "copies")); len(got) > 0 {
			t.Errorf("constraints of %s: %v", text, got)
		}
		if got := ignored(sent, stored, object.All); len(got) > 0 {
			t.Errorf("ignored members of %s: %v", text, got)
		}
		recordTable.KeepWithin(sent, stored, object.All)
		if !recordTable.Equal(sent, stored) {
			t.Errorf("%s is kept as %s", text, recordTable.Append(nil, sent))
		}
	})
}

// ignored returns the findings of CheckIgnored on an update.
func ignored(sent, stored *record, only object.Set) []string {
	report := new(engine.Collector)
	recordTable.CheckIgnored(object.Checking{On: diag.Update, Report: report}, sent, stored, only)
	return places(report)
}

func TestCheckIgnored(t *testing.T) {
	for _, test := range []struct {
		name, sent, stored string
		want               []string
	}{
		{"text/new", `{"etag":"1"}`, ``, []string{"/etag"}},
		{"text/stored", `{"etag":"1"}`, `{"etag":"1"}`, nil},
		{"text/changed", `{"etag":"1"}`, `{"etag":"2"}`, []string{"/etag"}},
		{"text/absent", `{}`, `{"etag":"1"}`, nil},
		{"text/empty", `{"etag":""}`, `{"etag":"1"}`, []string{"/etag"}},
		{"text/empty-without-stored", `{"etag":""}`, `{}`, nil},
		{"text/null", `{"etag":null}`, `{"etag":"1"}`, []string{"/etag"}},
		{"text/null-without-stored", `{"etag":null}`, `{}`, nil},
		{"bool/true", `{"locked":true}`, `{}`, []string{"/locked"}},
		{"bool/false", `{"locked":false}`, `{"locked":true}`, []string{"/locked"}},
		{"bool/false-without-stored", `{"locked":false}`, `{}`, nil},
		{"bool/absent", `{}`, `{"locked":true}`, nil},
		{"bool/null", `{"locked":null}`, `{"locked":true}`, []string{"/locked"}},
		{"without-a-rule", `{"silent":"x"}`, `{}`, nil},
		{"object/new", `{"creator":{"email":"ada@example.com"}}`, ``, []string{"/creator"}},
		{"object/empty-and-new", `{"creator":{}}`, ``, []string{"/creator"}},
		{"object/stored", `{"creator":{"email":"ada@example.com","self":true}}`, `{"creator":{"email":"ada@example.com","self":true}}`, nil},
		{"object/part-of-stored", `{"creator":{"email":"ada@example.com"}}`, `{"creator":{"email":"ada@example.com","self":true}}`, nil},
		{"object/more-than-stored", `{"creator":{"email":"ada@example.com","self":true}}`, `{"creator":{"email":"ada@example.com"}}`, []string{"/creator"}},
		{"object/changed", `{"creator":{"email":"bob@example.com"}}`, `{"creator":{"email":"ada@example.com"}}`, []string{"/creator"}},
		{"object/null-within", `{"creator":{"email":null}}`, `{"creator":{"email":"ada@example.com"}}`, []string{"/creator"}},
		{"object/null-within-and-not-stored", `{"creator":{"self":null}}`, `{"creator":{"email":"ada@example.com"}}`, nil},
		{"object/empty-within", `{"creator":{"email":""}}`, `{"creator":{"email":"ada@example.com"}}`, []string{"/creator"}},
		{"object/null", `{"creator":null}`, `{"creator":{"email":"ada@example.com"}}`, []string{"/creator"}},
		{"nested/new", `{"owner":{"self":true}}`, ``, []string{"/owner/self"}},
		{"nested/stored", `{"owner":{"self":true}}`, `{"owner":{"self":true}}`, nil},
		{"nested/false", `{"owner":{"self":false}}`, `{"owner":{"self":true}}`, []string{"/owner/self"}},
		{"nested/null", `{"owner":{"self":null}}`, `{"owner":{"self":true}}`, []string{"/owner/self"}},
		{"nested/by-client", `{"owner":{"email":"bob@example.com"}}`, `{"owner":{"email":"ada@example.com"}}`, nil},
		{"array/new", `{"entries":[{"id":"1"},{"id":"2","icon":"i"}]}`, ``, []string{"/entries/1/icon"}},
		{"array/stored", `{"entries":[{"id":"1","icon":"i"}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, nil},
		{"array/moved", `{"entries":[{"id":"2","icon":"j"},{"id":"1","icon":"i"}]}`, `{"entries":[{"id":"1","icon":"i"},{"id":"2","icon":"j"}]}`, nil},
		{"array/changed", `{"entries":[{"id":"1","icon":"j"}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, []string{"/entries/0/icon"}},
		{"array/of-another", `{"entries":[{"id":"2","icon":"i"}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, []string{"/entries/0/icon"}},
		{"array/null", `{"entries":[{"id":"1","icon":null}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, nil},
		{"array/empty", `{"entries":[{"id":"1","icon":""}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, []string{"/entries/0/icon"}},
		{"array/false", `{"entries":[{"id":"1","own":false}]}`, `{"entries":[{"id":"1","own":true}]}`, []string{"/entries/0/own"}},
		{"array/by-identity-not-content", `{"copies":[{"id":"1","method":"popup","icon":"i"}]}`, `{"copies":[{"id":"1","icon":"i"}]}`, nil},
		{"array/without-identity", `{"loose":[{"id":"1","icon":"i"}]}`, `{"loose":[{"id":"1","icon":"i"}]}`, []string{"/loose/0/icon"}},
		{"checked-elsewhere", `{"foreign":{"self":true}}`, ``, nil},
		{"in-order-of-the-table", `{"locked":true,"etag":"1","entries":[{"icon":"i"}],"owner":{"self":true}}`, ``,
			[]string{"/owner/self", "/entries/0/icon", "/etag", "/locked"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := []string{}
			for _, path := range test.want {
				want = append(want, "service "+path)
			}
			if diff := cmp.Diff(want, ignored(decodeRecord(test.sent), decodeRecord(test.stored), object.All)); diff != "" {
				t.Errorf("findings of %s with %s stored (-want +got):\n%s", test.sent, test.stored, diff)
			}
		})
	}
}

func TestCheckIgnoredSelection(t *testing.T) {
	sent := decodeRecord(`{"etag":"1","locked":true,"owner":{"self":true}}`)
	if diff := cmp.Diff([]string{"service /owner/self", "service /locked"}, ignored(sent, nil, recordTable.Set("owner", "locked"))); diff != "" {
		t.Errorf("findings of the selected members (-want +got):\n%s", diff)
	}
	report := new(engine.Collector)
	recordTable.CheckIgnored(object.Checking{On: diag.Response, Report: report}, sent, nil, object.All)
	if got := places(report); len(got) > 0 {
		t.Errorf("findings on another occasion: %v", got)
	}
}

// Checks without a stored object do not modify the empty one that they use in its place.
func TestCheckIgnoredOfNilIsRepeatable(t *testing.T) {
	sent := decodeRecord(`{"etag":"1","owner":{"self":true},"entries":[{"icon":"i"}]}`)
	first := ignored(sent, nil, object.All)
	recordTable.KeepWithin(decodeRecord(`{"entries":[{"icon":"i"}]}`), new(record), object.All)
	if diff := cmp.Diff(first, ignored(sent, nil, object.All)); diff != "" {
		t.Errorf("findings of the second check (-first +second):\n%s", diff)
	}
}

func TestKeepWithin(t *testing.T) {
	for _, test := range []struct{ name, sent, stored, want string }{
		{"empty", `{}`, `{"owner":{"self":true}}`, `{}`},
		{"own-members", `{"etag":"2","creator":{"email":"b"}}`, `{"etag":"1","creator":{"email":"a"}}`, `{"etag":"2","creator":{"email":"b"}}`},
		{"object/stored", `{"owner":{"email":"b"}}`, `{"owner":{"email":"a","self":true}}`, `{"owner":{"email":"b","self":true}}`},
		{"object/not-stored", `{"owner":{"email":"b","self":true}}`, `{"owner":{"email":"a"}}`, `{"owner":{"email":"b"}}`},
		{"object/new", `{"owner":{"email":"b","self":true}}`, `{}`, `{"owner":{"email":"b"}}`},
		{"array/stored", `{"entries":[{"id":"1","method":"popup"}]}`, `{"entries":[{"id":"1","icon":"i","own":true}]}`,
			`{"entries":[{"id":"1","method":"popup","icon":"i","own":true}]}`},
		{"array/changed", `{"entries":[{"id":"1","icon":"j"}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, `{"entries":[{"id":"1","icon":"i"}]}`},
		{"array/new", `{"entries":[{"id":"2","icon":"j"},{"id":"1"}]}`, `{"entries":[{"id":"1","icon":"i"}]}`, `{"entries":[{"id":"2"},{"id":"1","icon":"i"}]}`},
		{"array/by-identity-not-content", `{"copies":[{"id":"1","method":"popup"}]}`, `{"copies":[{"id":"1","icon":"i"}]}`, `{"copies":[{"id":"1","method":"popup","icon":"i"}]}`},
		{"array/without-identity", `{"loose":[{"id":"1","icon":"i"}]}`, `{"loose":[{"id":"1","icon":"i"}]}`, `{"loose":[{"id":"1"}]}`},
		{"checked-elsewhere", `{"foreign":{"self":true}}`, `{}`, `{"foreign":{"self":true}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, stored := decodeRecord(test.sent), decodeRecord(test.stored)
			recordTable.KeepWithin(v, stored, object.All)
			if diff := cmp.Diff(value(t, test.want), value(t, string(recordTable.Append(nil, v)))); diff != "" {
				t.Errorf("%s with %s stored (-want +got):\n%s", test.sent, test.stored, diff)
			}
			if diff := cmp.Diff(value(t, test.stored), value(t, string(recordTable.Append(nil, stored)))); diff != "" {
				t.Errorf("the stored object is modified (-want +got):\n%s", diff)
			}
		})
	}
}

// house is an object with what the service writes in an object of an object.
type house struct {
	Room *room

	extra object.Extra
}

type room struct {
	Name  string
	Owner *owner
	Floor int64

	extra object.Extra
}

var roomTable = object.NewTable(func(r *room) *object.Extra { return &r.extra },
	object.String("name", func(r *room) *string { return &r.Name }),
	object.Object("owner", func(r *room) **owner { return &r.Owner }, ownerTable),
	object.Int("floor", func(r *room) *int64 { return &r.Floor }).ServerWritten(service),
)

var houseTable = object.NewTable(func(h *house) *object.Extra { return &h.extra },
	object.Object("room", func(h *house) **room { return &h.Room }, roomTable),
)

func TestKeepWithinObjectsOfObjects(t *testing.T) {
	decode := func(text string) *house {
		h := new(house)
		houseTable.Decode([]byte(text), h, object.Reading{Nulls: object.NullIsKept})
		return h
	}
	const stored = `{"room":{"name":"a","owner":{"email":"e","self":true},"floor":3}}`
	for _, test := range []struct {
		name, sent, want string
		copies           bool
	}{
		{"nothing lost", `{"room":{"name":"b","owner":{"email":"f","self":true},"floor":3}}`, `{"room":{"name":"b","owner":{"email":"f","self":true},"floor":3}}`, false},
		{"lost in the inner object", `{"room":{"owner":{"email":"f"},"floor":3}}`, `{"room":{"owner":{"email":"f","self":true},"floor":3}}`, true},
		{"lost beside it", `{"room":{"owner":{"email":"f","self":true},"floor":4}}`, `{"room":{"owner":{"email":"f","self":true},"floor":3}}`, true},
		{"no inner object", `{"room":{"name":"b"}}`, `{"room":{"name":"b","floor":3}}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := decode(test.sent)
			sent := v.Room
			houseTable.KeepWithin(v, decode(stored), object.All)
			if diff := cmp.Diff(value(t, test.want), value(t, string(houseTable.Append(nil, v)))); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if copies := v.Room != sent; copies != test.copies {
				t.Errorf("the object is a copy: %t", copies)
			}
			if diff := cmp.Diff(value(t, test.sent), value(t, string(roomTable.Append([]byte(`{"room":`), sent))+"}")); diff != "" {
				t.Errorf("the sent object is modified (-want +got):\n%s", diff)
			}
		})
	}
}

// What is kept is what the service has written: it is not ignored, and keeping it again changes nothing.
func TestKeepWithinLaws(t *testing.T) {
	own := recordTable.Where(func(d *object.Declaration) bool { return d.Writer == object.Service })
	rapid.Check(t, func(t *rapid.T) {
		sentText, storedText := records().Draw(t, "sent"), records().Draw(t, "stored")
		v, stored := decodeRecord(sentText), decodeRecord(storedText)
		recordTable.KeepWithin(v, stored, object.All)
		kept := string(recordTable.Append(nil, v))
		if got := ignored(decodeRecord(kept), stored, object.All&^own); len(got) > 0 {
			t.Errorf("%s with %s stored is kept as %s, of which is ignored %v", sentText, storedText, kept, got)
		}
		recordTable.KeepWithin(v, stored, object.All)
		if diff := cmp.Diff(value(t, kept), value(t, string(recordTable.Append(nil, v)))); diff != "" {
			t.Errorf("%s with %s stored changes when kept again (-once +twice):\n%s", sentText, storedText, diff)
		}
	})
}

func TestByContent(t *testing.T) {
	pair := object.ByContent(entryTable)
	for _, test := range []struct {
		name, elements, stored string
		want                   []int
	}{
		{"none", `[]`, `[{"id":"1"}]`, nil},
		{"none-stored", `[{"id":"1"}]`, `[]`, nil},
		{"same", `[{"id":"1"},{"id":"2"}]`, `[{"id":"2"},{"id":"1"}]`, []int{1, 0}},
		{"different", `[{"id":"1"},{"id":"1","icon":"i"}]`, `[{"id":"1","icon":"j"}]`, []int{-1, -1}},
		{"repeated", `[{"id":"1"},{"id":"1"}]`, `[{"id":"1"}]`, []int{0, 0}},
		{"order-of-members", `[{"icon":"i","id":"1"}]`, `[{"id":"1","icon":"i"}]`, []int{0}},
		{"zero-is-not-absent", `[{"id":"1","own":false}]`, `[{"id":"1"}]`, []int{-1}},
		{"unknown-members", `[{"id":"1","x":1}]`, `[{"id":"1"},{"id":"1","x":1}]`, []int{1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			elements, stored := decodeRecord(`{"loose":`+test.elements+`}`).Loose, decodeRecord(`{"loose":`+test.stored+`}`).Loose
			if diff := cmp.Diff(test.want, pair(elements, stored)); diff != "" {
				t.Errorf("pairs (-want +got):\n%s", diff)
			}
		})
	}
}

// What the service never writes is dropped, on the occasions of the rule.
func TestDropMalformed(t *testing.T) {
	never := &diag.Rule{ID: "never", Kind: diag.Reject, When: diag.Response}
	table := object.NewTable(func(e *entry) *object.Extra { return &e.extra },
		object.String("icon", func(e *entry) *string { return &e.Icon }).ServerWritten(service).Must(constraint.EventStatus, never),
		object.Bool("own", func(e *entry) *bool { return &e.Own }).ServerWritten(service),
	)
	for _, test := range []struct {
		icon string
		on   diag.When
		want string
	}{
		{"gone", diag.Response, ""}, {"gone", diag.Insert, "gone"}, {"confirmed", diag.Response, "confirmed"},
	} {
		v := entry{Icon: test.icon, Own: true}
		table.DropMalformed(&v, test.on)
		if v.Icon != test.want || !v.Own {
			t.Errorf("%q on %v becomes %+v, want %q", test.icon, test.on, v, test.want)
		}
	}
}
