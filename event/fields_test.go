package event_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

// fieldsByPath returns the fields of an event by their paths.
func fieldsByPath(t *testing.T) map[string]event.Field {
	t.Helper()
	fields := map[string]event.Field{}
	for _, f := range event.Fields() {
		if _, ok := fields[f.Path]; ok {
			t.Errorf("%s is listed twice", f.Path)
		}
		fields[f.Path] = f
	}
	return fields
}

// describedField is a field in a form that test cases can compare.
type describedField struct {
	GoField     string
	Type        string
	Constraints []string // the name and the rule of each; "key" and "value" come first for maps
	Required    []string
	Writable    diag.When
	Default     string
	Traits      string
}

func describeField(f event.Field) describedField {
	d := describedField{GoField: f.Struct.Name() + "." + f.Name, Type: f.Type, Writable: f.Writable, Default: f.Default}
	for _, list := range []struct {
		prefix      string
		constraints []event.Constraint
	}{{"", f.Constraints}, {"key ", f.KeyConstraints}, {"value ", f.ValueConstraints}} {
		for _, c := range list.constraints {
			text := list.prefix + c.Name + " " + c.Rule.ID
			if c.If != "" {
				text += " " + c.If
			}
			d.Constraints = append(d.Constraints, text)
		}
	}
	for _, r := range f.Required {
		d.Required = append(d.Required, r.ID)
	}
	if f.Immutable {
		d.Traits += "immutable"
	}
	if f.FixedIfLocked {
		d.Traits += "fixed if locked"
	}
	if f.FreeInMail {
		d.Traits += "free in mail"
	}
	return d
}

func TestFields(t *testing.T) {
	fields := fieldsByPath(t)
	for path, want := range map[string]describedField{
		"kind":    {GoField: "Event.Kind", Type: "string", Constraints: []string{"Kind event.kind"}},
		"etag":    {GoField: "Event.ETag", Type: "string"},
		"id":      {GoField: "Event.ID", Type: "string", Constraints: []string{"EventIDCharacters event.id.alphabet", "EventIDLength event.id.length"}, Writable: diag.Create, Traits: "immutable"},
		"status":  {GoField: "Event.Status", Type: "string", Constraints: []string{"EventStatus event.status.enum"}, Writable: diag.Write, Default: "confirmed", Traits: "free in mail"},
		"summary": {GoField: "Event.Summary", Type: "string", Writable: diag.Write, Traits: "fixed if locked"},

		"start":           {GoField: "Event.Start", Type: "object", Required: []string{"event.start.required", "event.start-end.required"}, Writable: diag.Write, Traits: "fixed if locked"},
		"start.date":      {GoField: "Time.Date", Type: "string", Constraints: []string{"FullDate time.date.format"}, Writable: diag.Write},
		"organizer":       {GoField: "Event.Organizer", Type: "object", Writable: diag.Import},
		"organizer.email": {GoField: "Person.Email", Type: "string", Constraints: []string{"AddrSpec event.organizer.email"}, Writable: diag.Import},
		"organizer.self":  {GoField: "Person.Self", Type: "boolean", Default: "false"},
		"creator":         {GoField: "Event.Creator", Type: "object"},
		"creator.email":   {GoField: "Person.Email", Type: "string"}, // the writer of the whole object is the service

		"sequence":                   {GoField: "Event.Sequence", Type: "integer", Constraints: []string{"ICalSequence event.sequence"}, Writable: diag.Write},
		"recurrence":                 {GoField: "Event.Recurrence", Type: "array of strings", Constraints: []string{"RecurrenceLine recurrence.line.name"}, Writable: diag.Write, Traits: "fixed if locked"},
		"attendees":                  {GoField: "Event.Attendees", Type: "array of objects", Writable: diag.Write, Traits: "free in mail"},
		"attendees[].email":          {GoField: "Attendee.Email", Type: "string", Constraints: []string{"AddrSpec attendee.email.address"}, Required: []string{"attendee.email.required"}, Writable: diag.Write},
		"attendees[].self":           {GoField: "Attendee.Self", Type: "boolean", Default: "false"},
		"attachments":                {GoField: "Event.Attachments", Type: "array of objects", Constraints: []string{"Attachments attachments.max"}, Writable: diag.Write},
		"reminders.overrides":        {GoField: "Reminders.Overrides", Type: "array of objects", Constraints: []string{"ReminderOverrides reminders.overrides.max"}, Writable: diag.Write},
		"extendedProperties.private": {GoField: "ExtendedProperties.Private", Type: "map of strings", Constraints: []string{"key PropertyKey event.extended-properties.size", "value PropertyValue event.extended-properties.size"}, Writable: diag.Write},

		"guestsCanInviteOthers":                {GoField: "Event.GuestsCanInviteOthers", Type: "boolean", Writable: diag.Write, Default: "true"},
		"workingLocationProperties.homeOffice": {GoField: "WorkingLocation.HomeOffice", Type: "any value", Writable: diag.Write},
		"birthdayProperties.contact":           {GoField: "Birthday.Contact", Type: "string", Constraints: []string{"ContactName birthday.contact"}},
		"eventType":                            {GoField: "Event.EventType", Type: "string", Constraints: []string{"EventType event.type.enum", "NewEventType event.type.from-mail"}, Writable: diag.Create, Default: "default", Traits: "immutable"},
	} {
		f, ok := fields[path]
		if !ok {
			t.Errorf("%s is not listed", path)
			continue
		}
		if diff := cmp.Diff(want, describeField(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// outerPath returns the path of the object or array that has the member, or "".
func outerPath(path string) string {
	outer := path[:max(0, strings.LastIndexByte(path, '.'))]
	return strings.TrimSuffix(outer, "[]")
}

// Each object comes before its members, which only the writers of the object can write.
func TestFieldsInherit(t *testing.T) {
	seen := map[string]event.Field{}
	for _, f := range event.Fields() {
		if outer := outerPath(f.Path); outer != "" {
			o, ok := seen[outer]
			if !ok {
				t.Fatalf("%s comes before %s", f.Path, outer)
			}
			if f.Writable&^o.Writable != 0 {
				t.Errorf("%s is writable on %s, but %s on %s", f.Path, f.Writable, outer, o.Writable)
			}
		}
		seen[f.Path] = f
	}
}

// The type of a member and of its Go field agree.
func TestFieldTypesMatchGoFields(t *testing.T) {
	kinds := map[string]reflect.Kind{
		"string": reflect.String, "boolean": reflect.Bool, "integer": reflect.Int64, "object": reflect.Struct,
		"array of strings": reflect.Slice, "array of objects": reflect.Slice, "map of strings": reflect.Map, "any value": reflect.Slice,
	}
	for _, f := range event.Fields() {
		field, ok := f.Struct.FieldByName(f.Name)
		if !ok {
			t.Errorf("%s: %s has no field %s", f.Path, f.Struct, f.Name)
			continue
		}
		typ := field.Type
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != kinds[f.Type] {
			t.Errorf("%s is %s, and a %s in Go", f.Path, f.Type, field.Type)
		}
	}
}

// The rules of a field include those of its constraints, in the order of the catalogue.
func TestFieldsListTheirRules(t *testing.T) {
	order := map[*diag.Rule]int{}
	for r := range event.Catalogue().All() {
		order[r] = len(order)
	}
	for _, f := range event.Fields() {
		declared := slices.Clone(f.Required)
		for _, c := range slices.Concat(f.Constraints, f.KeyConstraints, f.ValueConstraints) {
			declared = append(declared, c.Rule)
		}
		for _, r := range declared {
			if !slices.Contains(f.Rules, r) {
				t.Errorf("%s: the rules lack %s", f.Path, r.ID)
			}
		}
		if !slices.IsSortedFunc(f.Rules, func(a, b *diag.Rule) int { return order[a] - order[b] }) {
			t.Errorf("%s: the rules are not in the order of the catalogue", f.Path)
		}
		for _, r := range f.Rules {
			if _, ok := order[r]; !ok {
				t.Errorf("%s: the catalogue lacks %s", f.Path, r.ID)
			}
		}
	}
}

// The rules of a field also include those that read it without being declared for it.
func TestFieldsListWhatReadsThem(t *testing.T) {
	field := fieldsByPath(t)["end"]
	if !slices.ContainsFunc(field.Rules, func(r *diag.Rule) bool { return r.ID == "time.order" }) {
		t.Error("the rules of end lack time.order")
	}
}

// The body of an operation is an event, another resource, or none.
func TestBodyFields(t *testing.T) {
	for op, want := range map[operation.ID][]string{ // some members, with the operations that write them
		"events.update":      {"start.date write", "etag "},
		"calendarList.patch": {"colorId calendarList.insert,calendarList.patch,calendarList.update", "summary "},
		"events.get":         nil,
		"events.fly":         nil,
	} {
		var got []string
		fields := event.BodyFields(op)
		for _, f := range fields {
			got = append(got, f.Path+" "+f.Writable.String())
		}
		if (fields == nil) != (want == nil) {
			t.Errorf("%s has the fields %q", op, got)
		}
		for _, member := range want {
			if !slices.Contains(got, member) {
				t.Errorf("%s lacks %q: %q", op, member, got)
			}
		}
	}
}

func TestFieldsAreACopy(t *testing.T) {
	for _, f := range event.Fields() {
		for j := range f.Rules {
			f.Rules[j] = nil
		}
		for j := range f.Required {
			f.Required[j] = nil
		}
		for j := range f.Constraints {
			f.Constraints[j] = event.Constraint{}
		}
	}
	for _, f := range event.Fields() {
		if slices.Contains(f.Rules, nil) || slices.Contains(f.Required, nil) || slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool { return c.Rule == nil }) {
			t.Errorf("a caller has changed %s", f.Path)
		}
	}
}

// bodyWith returns an object in which only the member of the path has a value, and its place.
func bodyWith(path, text string) (body string, place diag.Pointer) {
	first, rest, nested := strings.Cut(path, ".")
	name, isArray := strings.CutSuffix(first, "[]")
	place = diag.Pointer("").Member(name)
	if nested {
		inner, at := bodyWith(rest, text)
		if isArray {
			inner, place = "["+inner+"]", place.Index(0)
		}
		text, place = inner, place+at
	}
	return object(quoted(name) + ":" + text), place
}

// The decoder takes a value of the type of a field, and reports any other.
func TestFieldsAreDecodedByType(t *testing.T) {
	values := map[string]string{
		"string": `"a"`, "boolean": `true`, "integer": `7`, "object": `{}`,
		"array of strings": `["a"]`, "array of objects": `[{}]`, "map of strings": `{"a":"b"}`,
	}
	wrong := map[string]string{
		"string": `7`, "boolean": `"true"`, "integer": `"7"`, "object": `[]`,
		"array of strings": `"a"`, "array of objects": `{}`, "map of strings": `"a"`,
	}
	typeRules := []string{ruleid.JSONType, ruleid.EventExtendedProperties, ruleid.GadgetPreferences}
	for _, f := range event.Fields() {
		if f.Type == "any value" {
			continue
		}
		body, _ := bodyWith(f.Path, values[f.Type])
		if _, findings := event.Decode([]byte(body), diag.Documents); len(findings) > 0 {
			t.Errorf("%s: %v", body, findings)
		}
		body, place := bodyWith(f.Path, wrong[f.Type])
		_, findings := event.Decode([]byte(body), diag.Documents)
		if len(findings) != 1 || findings[0].Path != place || !slices.Contains(typeRules, findings[0].Rule.ID) {
			t.Errorf("%s: %v, want a wrong type at %s", body, findings, place)
		}
	}
}

// notAllowed returns the JSON text of a value that the constraint does not allow.
func notAllowed(f event.Field, c event.Constraint) string {
	switch {
	case c.Subject == constraint.Count:
		return array(int(*c.Max)+1, `{}`)
	case c.Subject == constraint.Int:
		return fmt.Sprint(*c.Min - 1)
	}
	for _, s := range []string{"?", "W", strings.Repeat("a", 3000), "fromMail", "eventVideo", "custom"} {
		if constraint.Named(c.Name).Has(s) {
			continue
		}
		if f.Type == "array of strings" {
			return "[" + quoted(s) + "]"
		}
		return quoted(s)
	}
	return ""
}

// Each constraint that does not depend on other members is enforced: on an occasion of its rule, a
// value that it does not allow has a finding of the rule.
func TestFieldConstraintsAreEnforced(t *testing.T) {
	ops := []operation.ID{operation.EventsInsert, operation.EventsImport, operation.Response}
	params := operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "eventLabelVersion": {"1"}}
	for _, f := range event.Fields() {
		for _, c := range f.Constraints {
			if c.If != "" {
				continue
			}
			body, place := bodyWith(f.Path, notAllowed(f, c))
			if f.Type == "array of strings" {
				place = place.Index(0)
			}
			enforced := slices.ContainsFunc(ops, func(op operation.ID) bool {
				findings := must(event.Find(&event.Request{Op: op, Body: []byte(body), Params: params}))
				return slices.ContainsFunc(findings, func(found diag.Finding) bool { return found.Rule == c.Rule && found.Path == place })
			})
			if !enforced {
				t.Errorf("%s: %.200s has no finding of %s at %s", c.Name, body, c.Rule.ID, place)
			}
		}
	}
}

// TestOneResponseWithAttachments: the attendees of such an update are those that are stored, and
// all other arrays are those of the body.
func TestOneResponseWithAttachments(t *testing.T) {
	result := must(event.Check(&event.Request{
		Op:     operation.EventsUpdate,
		Params: operation.Params{"supportsAttachments": {"true"}},
		Body: []byte(`{"start":{"date":"2026-01-01"},"end":{"date":"2026-01-02"},"attendeesOmitted":true,` +
			`"attachments":[{"title":"a"}]}`),
	}))
	if diff := cmp.Diff("/attachments/0/fileUrl", string(result.Findings[0].Path)); diff != "" {
		t.Errorf("path (-want +got):\n%s", diff)
	}
}
