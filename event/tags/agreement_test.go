package tags_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/operation"
)

// field is a field of the model.
type field struct {
	path  string // as in "attendees[].email"
	typ   reflect.Type
	steps []int    // the indexes of the struct fields that lead to it
	tags  []string // with their parameters, without omitempty and dive
}

func (f field) String() string { return f.path }

// modelTags are the tags of the model, by struct and field.
var modelTags = tags.ModelTags()

// model has every field of an event that has tags, and all strings and integers.
var model = fieldsOf(reflect.TypeFor[event.Event](), "", nil)

func fieldsOf(t reflect.Type, at string, steps []int) []field {
	var fields []field
	for f := range fieldsIn(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		to := field{path: at + name, typ: f.Type, steps: append(slices.Clip(steps), f.Index...)}
		for tag := range strings.SplitSeq(modelTags[t][f.Name], ",") {
			if tag != "" && tag != "omitempty" && tag != "dive" {
				to.tags = append(to.tags, tag)
			}
		}
		if to.tags != nil || strange(to) != nil {
			fields = append(fields, to)
		}
		switch inner := f.Type; {
		case inner.Kind() == reflect.Pointer && inner.Elem().Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(inner.Elem(), to.path+".", to.steps)...)
		case inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(inner.Elem(), to.path+"[].", to.steps)...)
		}
	}
	return fields
}

func fieldsIn(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !yield(f) {
				return
			}
		}
	}
}

// name returns the name of a tag without its parameter.
func name(tag string) string {
	name, _, _ := strings.Cut(tag, "=")
	return name
}

// rows are the rows of the table by name.
var rows = rowsByName()

func rowsByName() map[string]tags.Tag {
	rows := map[string]tags.Tag{}
	for _, row := range tags.Table() {
		rows[row.Name] = row
	}
	return rows
}

// rulesOf returns the rules that failures of a tag can become.
func rulesOf(tag string) []string {
	name, param, _ := strings.Cut(tag, "=")
	switch row := rows[name]; {
	case param != "" && (row.Param == "" || len(row.Rules) == 0):
		return []string{param}
	case name == "cal_eventid" || name == "cal_rruleline":
		return row.Rules
	default:
		return row.Rules[:1]
	}
}

// covered are the rules that the tags of the model can become.
var covered = coveredRules()

func coveredRules() map[string]bool {
	rules := map[string]bool{}
	for _, f := range model {
		for _, tag := range f.tags {
			for _, rule := range rulesOf(tag) {
				rules[rule] = true
			}
		}
	}
	return rules
}

// notCovered are the rules that reject inserts and that no tag of the model becomes, with the reasons.
var notCovered = map[string]string{
	"json.syntax": "is about the text", "json.duplicate-name": "is about the text", "json.type": "is about the text",
	"event.extended-properties": "is about the type", "gadget.preferences": "is about the type",
	"event.id.unique": "depends on the calendar", "event.color.known": "depends on the calendar", "event.label.known": "depends on the calendar",
	"event.label.version": "depends on a parameter", "attachments.supports": "depends on a parameter",
	"attendee.service-account": "depends on the caller",
	"time.zone.recurring":      "depends on recurrence", "time.one-form": "is about two members", "time.same-form": "is about start and end",
	"time.order": "is about start and end", "recurrence.on-instance": "is about two members",
	"recurrence.rule.until-form": "depends on the start", "recurrence.rule.time-part": "depends on the start", "recurrence.no-instance": "depends on the start",
	"reminders.default-and-overrides": "is about two members",
	"type.timed-only":                 "depends on the event type", "type.plain": "depends on the event type", "type.properties-required": "depends on the event type",
	"birthday.shape": "depends on the event type", "birthday.private-properties": "depends on the event type",
	"working-location.form": "depends on the event type",
	"conference.required":   "is about several members", "conference.id.form": "depends on the type of the solution",
	"conference.entry.cardinality": "counts entries", "conference.entry.only-more": "looks at all entries",
}

// isBody reports whether a rule is about the body of an insert. The rules of package operation are about the request.
func isBody(doc *diag.Rule) bool {
	return doc.Kind == diag.Reject && doc.When.Has(diag.Insert) &&
		!slices.ContainsFunc(operation.Rules(), func(other *diag.Rule) bool { return other == doc })
}

func TestModelCoversAllRulesOfFields(t *testing.T) {
	for doc := range event.Catalogue().All() {
		if covered[doc.ID] && notCovered[doc.ID] != "" || isBody(doc) && !covered[doc.ID] && notCovered[doc.ID] == "" {
			t.Errorf("%s is covered: %t; the reason that it is not: %q", doc.ID, covered[doc.ID], notCovered[doc.ID])
		}
	}
	for _, id := range slices.Concat(slices.Collect(maps.Keys(covered)), slices.Collect(maps.Keys(notCovered))) {
		if !slices.ContainsFunc(event.Catalogue().Rules(), func(doc *diag.Rule) bool { return doc.ID == id && isBody(doc) }) {
			t.Errorf("%s does not reject inserts", id)
		}
	}
}

// verdict says that a rule rejects the value at a path.
type verdict struct {
	Path diag.Pointer
	Rule string
}

// ofEngine returns what the engine rejects in an event by the rules that the model covers.
func ofEngine(e *event.Event, op operation.ID) map[verdict]bool {
	verdicts := map[verdict]bool{}
	findings, err := event.Find(&event.Request{Op: op, Event: e, Params: operation.Params{
		"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "eventLabelVersion": {"1"},
	}})
	if err != nil {
		panic(err)
	}
	for _, f := range findings {
		if f.Kind == diag.Reject && covered[f.Rule.ID] {
			verdicts[verdict{f.Path, f.Rule.ID}] = true
		}
	}
	return verdicts
}

// ofValidator returns what the validator rejects by the rules that apply on the occasion.
func ofValidator(v *validator.Validate, e *event.Event, on diag.When) map[verdict]bool {
	verdicts := map[verdict]bool{}
	for _, f := range tags.Translate(v.Struct(e)) {
		if f.Rule.When.Has(on) {
			if f.Path == "/conferenceData/conferenceSolution/key" {
				f.Path += "/type" // which the engine misses in a solution without a key
			}
			verdicts[verdict{f.Path, f.Rule.ID}] = true
		}
	}
	return verdicts
}

// agree fails unless the engine and the validator reject the same values of an insert by the same rules.
func agree(t rapid.TB, v *validator.Validate, e *event.Event) {
	t.Helper()
	compare(t, e, unhidden(ofEngine(e, operation.EventsInsert)), ofValidator(v, e, diag.Insert))
}

// agreeOnResponse does the same for a response. It leaves out the rule about the names of lines
// of recurrence, which are all that is checked of the lines of a response.
func agreeOnResponse(t rapid.TB, v *validator.Validate, e *event.Event) {
	t.Helper()
	lines := func(v verdict, _ bool) bool { return v.Rule == "recurrence.line.name" }
	engine, other := ofEngine(e, operation.Response), ofValidator(v, e, diag.Response)
	maps.DeleteFunc(engine, lines)
	maps.DeleteFunc(other, lines)
	compare(t, e, engine, other)
}

func compare(t rapid.TB, e *event.Event, engine, other map[verdict]bool) {
	t.Helper()
	if diff := cmp.Diff(engine, other); diff != "" {
		t.Fatalf("%.2000s (-engine +validator):\n%s", e.AppendJSON(nil), diff)
	}
}

// unhidden removes the verdicts on the elements of lists that are too long, where the validator stops.
func unhidden(verdicts map[verdict]bool) map[verdict]bool {
	for _, list := range []verdict{{"/attachments", "attachments.max"}, {"/reminders/overrides", "reminders.overrides.max"}} {
		if verdicts[list] {
			maps.DeleteFunc(verdicts, func(v verdict, _ bool) bool { return strings.HasPrefix(string(v.Path), string(list.Path)+"/") })
		}
	}
	return verdicts
}

// strange returns unusual values for a field of strings or integers, and nil for others.
func strange(f field) []any {
	switch f.typ {
	case reflect.TypeFor[string](), reflect.TypeFor[*string](), reflect.TypeFor[[]string]():
		return []any{"", " ", "x", "é", "\x00", "\xff\xfe", "null", "a\u202eb", strings.Repeat("x", 5000), strings.Repeat("𝒳", 1301)}
	case reflect.TypeFor[int64](), reflect.TypeFor[*int64]():
		return []any{num(0), num(1), num(-1), num(1<<63 - 1), num(-1 << 63)}
	default:
		return nil
	}
}

// values returns the values to put into a field: those of the cases of its tags, and strange ones.
func values(f field) []any {
	list := strange(f)
	for _, tag := range f.tags {
		list = append(list, cases[name(tag)].accept...)
		for _, reject := range cases[name(tag)].reject {
			list = append(list, reject.value)
		}
	}
	return list
}

// put sets a field of an event to a value, and creates the objects and elements that lead to it
// if they are missing. In a list, pick chooses the element. It returns the path.
func put(e *event.Event, f field, value any, pick func(n int) int) diag.Pointer {
	v, at := reflect.ValueOf(e).Elem(), diag.Pointer("")
	for _, step := range f.steps {
		v, at = element(v, at, pick)
		name, _, _ := strings.Cut(v.Type().Field(step).Tag.Get("json"), ",")
		v, at = v.Field(step), at.Member(name)
	}
	switch {
	case v.Kind() == reflect.String:
		v.SetString(value.(string))
	case v.Kind() == reflect.Int64:
		v.SetInt(value.(int64))
	case v.Type() == reflect.TypeFor[*string]():
		v.Set(reflect.ValueOf(new(value.(string))))
	case v.Type() == reflect.TypeFor[*int64]():
		v.Set(reflect.ValueOf(new(value.(int64))))
	case v.Kind() == reflect.Pointer: // a struct, which is present unless the value is ""
		if value == "" {
			v.SetZero()
		} else if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
	case v.Type() == reflect.TypeFor[[]string]():
		v, at = element(v, at, pick)
		v.SetString(value.(string))
	default:
		resize(v, value.(int))
	}
	return at
}

// element follows a pointer, or goes to an element of a list. It creates what is missing.
func element(v reflect.Value, at diag.Pointer, pick func(n int) int) (reflect.Value, diag.Pointer) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return v.Elem(), at
	case reflect.Slice:
		if v.Len() == 0 {
			resize(v, 1)
		}
		i := pick(v.Len())
		return v.Index(i), at.Index(i)
	default:
		return v, at
	}
}

// resize makes a list n elements long. New elements are empty.
func resize(v reflect.Value, n int) {
	list := reflect.MakeSlice(v.Type(), n, n)
	reflect.Copy(list, v)
	v.Set(list)
}

func first(int) int { return 0 }

// TestAgreement puts every value of a case into every field that has its tag. Each tag must accept one and reject one.
func TestAgreement(t *testing.T) {
	v := registered(t)
	for _, f := range model {
		accepted, rejected := 0, map[string]bool{}
		for _, value := range values(f) {
			e := read(t, `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`)
			at := put(e, f, value, first)
			agree(t, v, e)
			agreeOnResponse(t, v, e)
			if tag := failed(v, e, at); tag != "" {
				rejected[tag] = true
			} else {
				accepted++
			}
		}
		for _, tag := range f.tags {
			if !rejected[name(tag)] || accepted == 0 {
				t.Errorf("%s: the tag %s rejected a value: %t; %d values were accepted", f, tag, rejected[name(tag)], accepted)
			}
		}
	}
}

// failed returns the tag that rejected the value at a path, or "".
func failed(v *validator.Validate, e *event.Event, at diag.Pointer) string {
	errs, _ := v.Struct(e).(validator.ValidationErrors)
	for _, err := range errs {
		if tags.Translate(validator.ValidationErrors{err})[0].Path == at {
			return err.ActualTag()
		}
	}
	return ""
}

func read(t testing.TB, text string) *event.Event {
	t.Helper()
	e := new(event.Event)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err)
	}
	return e
}

// spoil sets a few fields of an event to values of [values].
func spoil(t *rapid.T, e *event.Event) {
	const most = 6
	pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "element") }
	for i := range rapid.IntRange(0, most).Draw(t, "number of values") {
		f := rapid.SampledFrom(model).Draw(t, "field "+strconv.Itoa(i))
		put(e, f, rapid.SampledFrom(values(f)).Draw(t, fmt.Sprintf("value of %s", f)), pick)
	}
}

// agreeOnDrawn checks that the engine and the validator agree on a valid event and on the same event with a few other values.
func agreeOnDrawn(v *validator.Validate) func(t *rapid.T) {
	return func(t *rapid.T) {
		e := fuzz.Event("").Draw(t, "event").Clone()
		if err := v.Struct(*e); err != nil {
			t.Fatalf("the validator rejects %s: %v", e.AppendJSON(nil), tags.Translate(err))
		}
		spoil(t, e)
		agree(t, v, e)
	}
}

func TestAgreementOnDrawnEvents(t *testing.T) {
	for name, v := range map[string]*validator.Validate{
		"plain":  registered(t),
		"strict": registered(t, validator.WithRequiredStructEnabled(), validator.WithPrivateFieldValidation()),
	} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, agreeOnDrawn(v)) })
	}
}

func TestAgreementOnResponses(t *testing.T) {
	v := registered(t)
	rapid.Check(t, func(t *rapid.T) {
		e := new(event.Event)
		if err := json.Unmarshal(fuzz.Request(diag.Documents, operation.Response).Draw(t, "request").Body, e); err != nil {
			t.Fatal(err)
		}
		spoil(t, e)
		agreeOnResponse(t, v, e)
	})
}

// TestAgreementOnViolations checks that the engine and the validator agree on events that break a rule, for every rule that the
// generators can break. The validator must report every rule that the model covers.
func TestAgreementOnViolations(t *testing.T) {
	v := registered(t)
	reported := map[string]bool{}
	for _, rule := range fuzz.Rules(diag.Documents, operation.EventsInsert) {
		t.Run(rule, rapid.MakeCheck(func(t *rapid.T) {
			p := fuzz.Violating(diag.Documents, rule, operation.EventsInsert).Draw(t, "payload")
			e := new(event.Event)
			if json.Unmarshal(p.Event.Body, e) != nil {
				return // the rule is about the text, so no Go value breaks it
			}
			e = bare(e)
			agree(t, v, e)
			for seen := range ofValidator(v, e, diag.Insert) {
				reported[seen.Rule] = true
			}
		}))
	}
	if testing.Short() {
		return // too few draws for each rule
	}
	for rule := range covered {
		if !reported[rule] && slices.Contains(fuzz.Rules(diag.Documents, operation.EventsInsert), rule) {
			t.Errorf("the validator reports %s for no payload", rule)
		}
	}
}

// bare returns an event with the exported fields of e, which are what the validator sees.
func bare(e *event.Event) *event.Event {
	return exported(reflect.ValueOf(e)).Interface().(*event.Event)
}

// exported copies a value without its unexported fields.
func exported(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(exported(v.Elem()))
		return to
	case v.Kind() == reflect.Struct:
		to := reflect.New(v.Type()).Elem()
		for f := range fieldsIn(v.Type()) {
			to.FieldByIndex(f.Index).Set(exported(v.FieldByIndex(f.Index)))
		}
		return to
	case v.Kind() == reflect.Slice && !v.IsNil():
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			to.Index(i).Set(exported(v.Index(i)))
		}
		return to
	default:
		return v
	}
}

// examples returns the bodies of the examples of all rules.
func examples(t testing.TB) [][]byte {
	t.Helper()
	var bodies [][]byte
	for doc := range event.Catalogue().All() {
		for _, line := range []string{doc.Good.Example().Request, doc.Bad.Example().Request} {
			var req event.Request
			if err := json.Unmarshal([]byte(line), &req); err == nil && req.Body != nil {
				bodies = append(bodies, req.Body)
			}
		}
	}
	return bodies
}

// FuzzAgreement checks that the engine and the validator agree on the event that is decoded from any text.
func FuzzAgreement(f *testing.F) {
	for _, body := range examples(f) {
		f.Add(body)
	}
	v := registered(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		decoded, _ := event.Decode(text, diag.Documents)
		e := bare(decoded)
		if findings, _ := event.Find(&event.Request{Op: operation.EventsInsert, Event: e}); len(findings) >= engine.Most/2 {
			return // there may be more findings than the engine reports
		}
		agree(t, v, e)
		agreeOnResponse(t, v, e)
	})
}
