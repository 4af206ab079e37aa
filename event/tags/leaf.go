package tags

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/recurrence"
)

// text makes a tag of a predicate on texts.
func text(name, rule, holds string, is func(string) bool, of ...string) tag {
	return tag{
		Tag:   Tag{Name: name, Holds: holds, Rules: []string{rule}, Limits: of},
		check: func(f validator.FieldLevel) bool { return is(textOf(f)) },
		say:   wants(holds),
	}
}

// enum makes a tag of an enumeration.
func enum(name, rule string, values *limits.Constraint, of string) tag {
	return text(name, rule, values.String(), values.Has, of)
}

// split gives a tag of texts more rules, and how a failure is shared out among them all.
func split(t tag, faults func(string) []fault, rules ...string) tag {
	t.Rules, t.split = append(t.Rules, rules...), faults
	return t
}

// atMostLong makes a tag of the most characters that a text may have.
func atMostLong(name, rule string, most int, of string) tag {
	t := text(name, rule, fmt.Sprintf("a text of at most %d characters", most), func(s string) bool { return !limits.LongerThan(s, most) }, of)
	t.say = func(value reflect.Value) string {
		return fmt.Sprintf("has %d characters; at most %d are allowed. Shorten it.", utf8.RuneCountInString(value.String()), most)
	}
	return t
}

// atMostMany makes a tag of the most elements that a list may have.
func atMostMany(name, rule string, most int, of string) tag {
	return tag{
		Tag:   Tag{Name: name, Holds: fmt.Sprintf("a list of at most %d", most), Rules: []string{rule}, Limits: []string{of}},
		check: func(f validator.FieldLevel) bool { return listLen(f) <= most },
		say: func(value reflect.Value) string {
			return fmt.Sprintf("are %d; there may be at most %d. Leave %d out.", value.Len(), most, value.Len()-most)
		},
	}
}

// atLeast makes a tag of the least value of an integer.
func atLeast(name, rule string, least int, of string) tag {
	return number(name, rule, fmt.Sprintf("%d or more", least), int64(least), math.MaxInt64, of)
}

// number makes a tag of the least and the greatest value of an integer.
func number(name, rule, holds string, least, most int64, of ...string) tag {
	return tag{
		Tag: Tag{Name: name, Holds: holds, Rules: []string{rule}, Limits: of},
		check: func(f validator.FieldLevel) bool {
			n, ok := integer(f.Field())
			if !ok {
				panic(badType(f))
			}
			return least <= n && n <= most
		},
		say: wants(holds),
	}
}

// textOf returns the field of a tag of texts.
func textOf(f validator.FieldLevel) string {
	if f.Field().Kind() != reflect.String {
		panic(badType(f))
	}
	return f.Field().String()
}

// listLen returns how many elements the field of a tag of lists has.
func listLen(f validator.FieldLevel) int {
	switch f.Field().Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return f.Field().Len()
	default:
		panic(badType(f))
	}
}

// badType is what a tag panics with on a field that it does not fit, as those of the
// validator do: it is a mistake in the program and not in a value.
func badType(f validator.FieldLevel) string {
	return fmt.Sprintf("tags: the tag %s does not fit the type %s of the field %s", f.GetTag(), f.Field().Type(), f.StructFieldName())
}

// integer returns the value of an integer of any size. An unsigned one beyond int64 is the
// greatest there is: no limit is as high.
func integer(v reflect.Value) (n int64, ok bool) {
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint():
		return int64(min(v.Uint(), math.MaxInt64)), true
	default:
		return 0, false
	}
}

// isPresent reports whether a member is there. The validator follows pointers that are not
// nil, so a number or a struct that comes here is one.
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

func missing(reflect.Value) string { return "is missing, and required. Send it." }

// wants makes the sentence about a value that is not as it must be.
func wants(holds string) func(reflect.Value) string {
	return func(value reflect.Value) string {
		return "is " + quote(value) + "; it must be " + holds + "."
	}
}

// quote gives a value for a message.
func quote(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return diag.Quote(v.String())
	}
	n, _ := integer(v)
	return strconv.FormatInt(n, 10)
}

func isEventDateTime(s string) bool {
	_, ok := limits.ParseDateTime(s)
	return ok
}

// hasOffset holds a time to have its offset, or a zone in the field that the parameter names.
// What is no time has no offset to ask for.
func hasOffset(f validator.FieldLevel) bool {
	t, ok := limits.ParseDateTime(textOf(f))
	return !ok || t.HasOffset || sibling(f) != ""
}

// sibling returns the text of the field that the parameter of a tag names, or "" where there
// is none.
func sibling(f validator.FieldLevel) string {
	v, kind, _, ok := f.GetStructFieldOK2()
	if !ok || kind != reflect.String {
		return ""
	}
	return v.String()
}

// isEntryURI holds a URI to its length, and to the scheme that the type in the field that the
// parameter names gives it. An unknown type gives none.
func isEntryURI(f validator.FieldLevel) bool {
	uri := textOf(f)
	return !limits.LongerThan(uri, limits.EntryPointURIMaxLength) && fitsType(uri, sibling(f))
}

func fitsType(uri, typ string) bool {
	switch typ {
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

// isNewBirthdayType refuses the types that only the service makes. What is no type at all is
// for birthdaytype to say.
func isNewBirthdayType(s string) bool { return s == "birthday" || !limits.BirthdayType.Has(s) }

// fault is one of the things that are wrong with a text.
type fault struct {
	rule string
	say  string
}

// idFaults tells what is wrong with an event id.
func idFaults(id string) []fault {
	var faults []fault
	if at := limits.EventIDAlphabet(id); at >= 0 {
		bad, _ := utf8.DecodeRuneInString(id[at:])
		faults = append(faults, fault{ruleIDAlphabet, fmt.Sprintf("is %s and holds %q, at byte %d; only a to v and 0 to 9 are allowed.", diag.Quote(id), bad, at)})
	}
	if n := utf8.RuneCountInString(id); n < limits.EventIDMinLength || n > limits.EventIDMaxLength {
		faults = append(faults, fault{ruleIDLength, fmt.Sprintf("has %d characters; it must have %d to %d.", n, limits.EventIDMinLength, limits.EventIDMaxLength)})
	}
	return faults
}

// isLine reports whether a line of recurrence is one, whatever the start of its event.
func isLine(line string) bool { return !checkLine(line).Rejected() }

func lineFaults(line string) []fault {
	var faults []fault
	for _, f := range checkLine(line).Kind(diag.Reject) {
		faults = append(faults, fault{f.Rule.ID, "is refused: " + f.Message})
	}
	return faults
}

// checkLine returns what an insert has to say about one line of recurrence by itself.
func checkLine(line string) diag.Findings {
	var report diag.Report
	recurrence.Check(diag.Insert, []string{line}, nil, &report, "")
	return report.Findings
}
