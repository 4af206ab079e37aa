package tags

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// table has a tag for every constraint of a member or a query parameter, and those that take
// more than one constraint, or the field beside the one that is checked.
var table = sync.OnceValue(func() []*tag {
	list := []*tag{present, eventID, recurrenceLine, timestamp, offset, entryURI}
	add := func(c *limits.Constraint, rule *diag.Rule) {
		name := strings.ToLower(c.Name)
		if i := slices.IndexFunc(list, func(t *tag) bool { return t.Name == name }); i >= 0 {
			if t := list[i]; !slices.Contains(t.Rules, rule.ID) {
				t.Rules = append(t.Rules, rule.ID)
			}
			return
		}
		list = append(list, newTag(name, c, rule))
	}
	for _, f := range event.Fields() {
		for _, c := range slices.Concat(f.Constraints, f.KeyConstraints, f.ValueConstraints) {
			add(c.Constraint, c.Rule)
		}
	}
	for op := range operation.All() {
		for _, p := range op.Params {
			if p.Limit != nil {
				add(p.Limit, p.Rule())
			}
		}
	}
	return list
})

// newTag makes the tag of a constraint.
func newTag(name string, c *limits.Constraint, rule *diag.Rule) *tag {
	t := &tag{Tag: Tag{Name: name, Want: c.Want(), Rules: []string{rule.ID}, Limits: []string{c.Name}}}
	switch c.Subject {
	case limits.Text:
		t.check = func(f validator.FieldLevel) bool { return c.Has(textOf(f)) }
		t.explain = func(member string, v reflect.Value) string {
			return c.Explain(member, v.String(), diag.Quote(v.String()))
		}
	case limits.Int:
		t.check = func(f validator.FieldLevel) bool { return c.HasInt(intOf(f)) }
		t.explain = func(member string, v reflect.Value) string {
			n, _ := integer(v)
			return c.ExplainInt(member, n)
		}
	default:
		t.check = func(f validator.FieldLevel) bool { return c.HasInt(int64(lengthOf(f))) }
		t.explain = func(member string, v reflect.Value) string { return c.ExplainInt(member, int64(v.Len())) }
	}
	return t
}

// The tags that are more than one constraint.
var (
	present = &tag{
		Tag:   Tag{Name: "present", Want: "present: a text that is not empty, or a value that is not nil", Param: paramRule},
		check: func(f validator.FieldLevel) bool { return isPresent(f.Field()) },
		ofNil: true,
		explain: func(member string, _ reflect.Value) string {
			return "The " + member + " is missing, and required. Send it."
		},
	}
	eventID = &tag{
		Tag: Tag{Name: "eventid", Want: limits.EventIDLength.Want() + ", " + limits.EventIDCharacters.Want(),
			Rules: []string{ruleid.EventIDAlphabet, ruleid.EventIDLength}, Limits: []string{limits.EventIDCharacters.Name, limits.EventIDLength.Name}},
		check:   func(f validator.FieldLevel) bool { return limits.IsEventID(textOf(f)) },
		explain: wants(limits.EventIDLength.Want()),
		split:   idFaults,
	}
	recurrenceLine = &tag{
		Tag: Tag{Name: "rruleline", Want: "an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545", Limits: []string{limits.RecurrenceLine.Name},
			Rules: []string{ruleid.RecurrenceLineName, ruleid.RecurrenceLineDTStart, ruleid.RecurrenceLineSyntax, ruleid.RecurrenceRulePart,
				ruleid.RecurrenceRuleCountUntil, ruleid.RecurrenceRuleByPart, ruleid.RecurrenceDatesForm}},
		check:   func(f validator.FieldLevel) bool { return !checkLine(textOf(f)).Rejected() },
		explain: wants("an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545"),
		split:   lineFaults,
	}
	timestamp = &tag{
		Tag:     Tag{Name: "rfc3339", Want: "an RFC 3339 timestamp with its offset", Rules: []string{ruleid.TimeDatetimeFormat}},
		check:   func(f validator.FieldLevel) bool { return limits.IsDateTime(textOf(f)) },
		explain: wants("an RFC 3339 timestamp such as 2026-03-10T09:00:00-04:00"),
	}
	offset = &tag{
		Tag:     Tag{Name: "offset", Want: "with an offset, or beside a time zone", Rules: []string{ruleid.TimeOffset}, Param: "ZONE"},
		check:   hasOffset,
		explain: wants("with an offset such as Z, or beside a time zone"),
	}
	entryURI = &tag{
		Tag: Tag{Name: "entryuri", Want: limits.EntryPointURI.Want() + ", with the scheme of the type",
			Rules: []string{ruleid.ConferenceEntryURI}, Param: "TYPE", Limits: []string{limits.EntryPointURI.Name}},
		check:   isEntryURI,
		explain: wants(limits.EntryPointURI.Want() + ", with the scheme of its type: http or https for video and more, tel for phone, sip for sip"),
	}
)

// wants returns the explanation of a value that is not what a tag wants.
func wants(want string) func(string, reflect.Value) string {
	return func(member string, value reflect.Value) string {
		return "The " + member + " is " + quote(value) + "; it must be " + want + "."
	}
}

// quote returns a value for a message.
func quote(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return diag.Quote(v.String())
	}
	n, _ := integer(v)
	return strconv.FormatInt(n, 10)
}

// hasOffset reports whether a time has an offset, or there is a zone in the field that the
// parameter names. A text that is not a time needs no offset.
func hasOffset(f validator.FieldLevel) bool {
	t, ok := limits.ParseDateTime(textOf(f))
	return !ok || t.HasOffset || sibling(f) != ""
}

// isEntryURI reports whether a URI is short enough and has the scheme that the type requires,
// which is in the field that the parameter names. An unknown type requires none.
func isEntryURI(f validator.FieldLevel) bool {
	uri := textOf(f)
	if !limits.EntryPointURI.Has(uri) {
		return false
	}
	switch sibling(f) {
	case "video", "more":
		return limits.IsHTTPURL(uri)
	case "phone":
		return limits.IsTelURI(uri)
	case "sip":
		return limits.IsSIPURI(uri)
	default:
		return true
	}
}

// idFaults returns what is wrong with an event id.
func idFaults(member, id string) []fault {
	var faults []fault
	for rule, c := range map[string]*limits.Constraint{ruleid.EventIDAlphabet: limits.EventIDCharacters, ruleid.EventIDLength: limits.EventIDLength} {
		if !c.Has(id) {
			faults = append(faults, fault{rule, c.Explain(member, id, diag.Quote(id))})
		}
	}
	slices.SortFunc(faults, func(a, b fault) int { return strings.Compare(a.rule, b.rule) })
	return faults
}

// lineFaults returns what is wrong with a line of recurrence, whatever the start of its event.
func lineFaults(member, line string) []fault {
	var faults []fault
	for _, f := range checkLine(line).Kind(diag.Reject) {
		faults = append(faults, fault{f.Rule.ID, "The " + member + " is refused: " + f.Message})
	}
	return faults
}

// checkLine returns the findings of an insert about one line of recurrence by itself.
func checkLine(line string) diag.Findings {
	var report diag.Report
	recurrence.Check(diag.Insert, []string{line}, nil, &report, "")
	return report.Findings
}

// textOf returns the field of a tag of texts.
func textOf(f validator.FieldLevel) string {
	if f.Field().Kind() != reflect.String {
		panic(badType(f))
	}
	return f.Field().String()
}

// intOf returns the field of a tag of integers.
func intOf(f validator.FieldLevel) int64 {
	n, ok := integer(f.Field())
	if !ok {
		panic(badType(f))
	}
	return n
}

// lengthOf returns the number of elements of the field of a tag of lists.
func lengthOf(f validator.FieldLevel) int {
	switch f.Field().Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return f.Field().Len()
	default:
		panic(badType(f))
	}
}

// badType is the panic value of a tag on a field that it does not fit. The validator's own tags
// panic too: it is a mistake in the program, not in a value.
func badType(f validator.FieldLevel) string {
	return fmt.Sprintf("tags: the tag %s does not fit the type %s of the field %s", f.GetTag(), f.Field().Type(), f.StructFieldName())
}

// integer returns the value of an integer of any size. An unsigned value beyond int64 becomes
// the greatest int64: no limit is that high.
func integer(v reflect.Value) (n int64, ok bool) {
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint():
		return int64(min(v.Uint(), 1<<63-1)), true
	default:
		return 0, false
	}
}

// isPresent reports whether a member is present. The validator follows pointers that are not
// nil, so a number or a struct here is present.
func isPresent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.String:
		return v.Len() > 0
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return !v.IsNil()
	default:
		return true
	}
}

// sibling returns the text of the field that the parameter of a tag names, or "" if there is
// none.
func sibling(f validator.FieldLevel) string {
	v, kind, _, ok := f.GetStructFieldOK2()
	if !ok || kind != reflect.String {
		return ""
	}
	return v.String()
}
