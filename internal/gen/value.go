package gen

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// Most members are drawn according to the schema: by their types, their constraints and their parts. A new member needs no code
// in this package.

// special maps paths to functions that draw members whose declarations are not sufficient, for example because their
// parts depend on each other. The occasion determines whether a client or the server writes the member.
var special map[string]func(t *draw.T, on diag.When) any

// init creates the table. An initializer of the variable would cause an initialization cycle.
func init() {
	special = map[string]func(t *draw.T, on diag.When) any{
		"description":        func(t *draw.T, _ diag.When) any { return anyDescription(t) },
		"colorId":            func(t *draw.T, _ diag.When) any { return strconv.Itoa(draw.Int(t, "color", 1, 11)) }, // a color of the public service
		"locked":             func(t *draw.T, _ diag.When) any { return draw.Bool(t) },
		"attendees":          func(t *draw.T, on diag.When) any { return drawAttendees(t, on) },
		"reminders":          func(t *draw.T, _ diag.When) any { return drawReminders(t) },
		"conferenceData":     func(t *draw.T, on diag.When) any { return conferenceOn(on)(t) },
		"birthdayProperties": func(t *draw.T, on diag.When) any { return drawBirthday(t, on) },
		"start":              func(t *draw.T, _ diag.When) any { return drawReturnedTime(t) },
		"end":                func(t *draw.T, _ diag.When) any { return drawReturnedTime(t) },
		"originalStartTime":  func(t *draw.T, _ diag.When) any { return drawReturnedTime(t) },

		"workingLocationProperties":            func(t *draw.T, on diag.When) any { return drawWorkingLocation(t, on) },
		"workingLocationProperties.homeOffice": func(t *draw.T, _ diag.When) any { return homeOffice(t) },
	}
}

// fill draws the required members of an object, and some optional members: members that a client may write if the event is
// written by a client, or any members in a representation.
func fill(t *draw.T, object reflect.Value, members []*field, on diag.When) {
	for _, f := range members {
		if f.isNeeded() {
			f.set(t, object, on)
		}
	}
	draw.Some(t, len(members), func(i int) {
		if f := members[i]; !f.isNeeded() && (on == diag.Response || f.Writable.Has(on)) {
			f.set(t, object, on)
		}
	})
}

// filled draws an object for the member at the given path or, if the member is an array, for an array element.
func filled[V any](t *draw.T, path string, on diag.When) (v V) {
	fill(t, reflect.ValueOf(&v).Elem(), fieldAt(path).inner, on)
	return v
}

func (f *field) isNeeded() bool { return len(f.Required) > 0 && !f.isTop() }

// set sets the member of the object to a drawn value.
func (f *field) set(t *draw.T, object reflect.Value, on diag.When) {
	to := object.FieldByIndex(f.index)
	if draws := special[f.Path]; draws != nil {
		to.Set(reflect.ValueOf(draws(t, on)))
		return
	}
	to.Set(f.value(t, to.Type(), on))
}

// value draws a value of the given Go type for the member: false and the empty string only for a pointer type, because for
// other types these values mean that the member is absent.
func (f *field) value(t *draw.T, in reflect.Type, on diag.When) reflect.Value {
	switch in.Kind() {
	case reflect.Bool:
		return reflect.ValueOf(true)
	case reflect.String:
		return reflect.ValueOf(f.texts()(t))
	case reflect.Int64:
		return reflect.ValueOf(f.numbers()(t))
	case reflect.Map:
		return reflect.ValueOf(f.maps()(t))
	case reflect.Slice:
		return f.list(t, in, on)
	}
	pointer := reflect.New(in.Elem())
	switch to := pointer.Elem(); {
	case in.Elem().Kind() == reflect.Struct:
		fill(t, to, f.inner, on)
	case in.Elem().Kind() == reflect.Bool:
		to.SetBool(draw.Bool(t))
	case in.Elem().Kind() != reflect.String || draw.Maybe(t, "not empty"):
		to.Set(f.value(t, in.Elem(), on))
	}
	return pointer
}

// list draws an array of objects within the maximum length of the array.
func (f *field) list(t *draw.T, in reflect.Type, on diag.When) reflect.Value {
	most := mostDrawn
	for _, c := range f.Constraints {
		_, high := constraint.Named(c.Name).Range()
		most = int(high)
	}
	elements := draw.List(t, f.Path, most, func(t *draw.T) reflect.Value {
		element := reflect.New(in.Elem()).Elem()
		fill(t, element, f.inner, on)
		return element
	})
	return reflect.Append(reflect.MakeSlice(in, 0, len(elements)), elements...)
}

func (f *field) newNumbers() draw.Generator[int64] {
	low, high := int64(0), int64(math.MaxInt64)
	for _, c := range f.Constraints {
		low, high = constraint.Named(c.Name).Range()
	}
	if high == math.MaxInt64 {
		return draw.Integer(low)
	}
	return draw.Map(draw.Around(int(low), int(high)), func(n int) int64 { return int64(n) })
}

// newMaps returns a generator of maps with a few strings. Names and values are short enough that the service does not truncate
// them.
func (f *field) newMaps() draw.Generator[map[string]string] {
	longest := func(all []event.Constraint) int {
		for _, c := range all {
			return int(*c.Max)
		}
		return shortText
	}
	return draw.MapOfN(draw.Text(longest(f.KeyConstraints)), draw.Text(longest(f.ValueConstraints)), 3)
}

// formTexts returns generators of strings that have a form, keyed by the name of the constraint that requires the form.
func formTexts() map[string]draw.Generator[string] {
	return map[string]draw.Generator[string]{
		constraint.AddrSpec.Name:          draw.Address,
		constraint.HTTPScheme.Name:        httpURL(freeText),
		constraint.Timestamp.Name:         timestamp,
		constraint.ContactName.Name:       draw.Matching(`people/[a-zA-Z0-9_-]{1,12}`),
		constraint.EventIDCharacters.Name: EventID,
		constraint.Kind.Name:              draw.Just(constraint.EventKind),
	}
}

// newTexts returns a generator of non-empty strings for the member: values of an enumeration, strings in the required form, or
// strings within the maximum length. For members whose names suggest an id or a link, the strings are ids or links.
func (f *field) newTexts() draw.Generator[string] {
	longest, forms := freeText, formTexts()
	for _, c := range f.Constraints {
		_, most := constraint.Named(c.Name).Range()
		switch {
		case c.Values != nil:
			return draw.SampledFrom(slices.DeleteFunc(slices.Clone(c.Values), func(v string) bool { return !f.allows(v, nil) }))
		case forms[c.Name] != nil && c.If == "":
			return forms[c.Name]
		case c.Subject == constraint.Text && most < math.MaxInt64:
			longest = int(most)
		}
	}
	name := strings.ToLower(f.Path)
	isNamed := func(end string) bool { return strings.HasSuffix(name, end) }
	switch {
	case name == "etag":
		return entityTag
	case isNamed("id"):
		return draw.Name
	case slices.ContainsFunc([]string{"link", "url", "uri"}, isNamed):
		return httpURL(longest)
	}
	return draw.NonEmptyText(longest)
}

// textOf returns a generator of strings for the member at a path in the notation of [event.Field].
func textOf(path string) draw.Generator[string] { return fieldAt(path).texts() }

// anyDescription draws a description. Some descriptions exceed 8192 characters, the limit of some other calendars.
func anyDescription(t *draw.T) string {
	longest := freeText
	if draw.Seldom(t, "long") {
		longest = longText
	}
	return draw.NonEmptyText(longest).Draw(t, "text")
}

// oneOf returns a generator of the values of an enumeration, except the values in without.
func oneOf(e *constraint.Constraint, without ...string) draw.Generator[string] {
	return draw.SampledFrom(slices.DeleteFunc(e.Values(), func(value string) bool { return slices.Contains(without, value) }))
}
