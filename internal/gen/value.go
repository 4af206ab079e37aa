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

// Most members are drawn by the schema: by their types, their constraints and their parts. A new member is drawn without
// a line here.

// special are the generators of members, by path, that draw more or less than the declaration of the member
// allows, because their parts depend on each other. The occasion determines who writes the member.
var special map[string]func(t *draw.T, on diag.When) any

// init makes the table. As an initial value of the variable it would form an initialization cycle.
func init() {
	special = map[string]func(t *draw.T, on diag.When) any{
		"description":        func(t *draw.T, _ diag.When) any { return anyDescription(t) },
		"colorId":            func(t *draw.T, _ diag.When) any { return strconv.Itoa(draw.Int(t, "color", 1, 11)) }, // of the public service
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

// fill draws some of the members of an object that a client writes on the occasion or, for a representation, of
// all members. It draws each member that is required.
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

// filled draws an object or an element of the member at the given path.
func filled[V any](t *draw.T, path string, on diag.When) (v V) {
	fill(t, reflect.ValueOf(&v).Elem(), fieldAt(path).inner, on)
	return v
}

// isNeeded reports whether an object is incomplete without the member.
func (f *field) isNeeded() bool { return len(f.Required) > 0 && !f.isTop() }

// set draws a value of the member, and puts it into the object.
func (f *field) set(t *draw.T, object reflect.Value, on diag.When) {
	to := object.FieldByIndex(f.index)
	if draws := special[f.Path]; draws != nil {
		to.Set(reflect.ValueOf(draws(t, on)))
		return
	}
	to.Set(f.value(t, to.Type(), on))
}

// value draws a value of the member's Go type. False and the empty string, which mean absence, are drawn only behind a
// pointer, where they mean something else.
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

// list draws at most as many objects as the array may have.
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

// newMaps draws a few named strings. Names and values are at most as long as the service keeps them.
func (f *field) newMaps() draw.Generator[map[string]string] {
	longest := func(all []event.Constraint) int {
		for _, c := range all {
			return int(*c.Max)
		}
		return shortText
	}
	return draw.MapOfN(draw.Text(longest(f.KeyConstraints)), draw.Text(longest(f.ValueConstraints)), 3)
}

// formTexts returns generators of strings with a form, by the name of the constraint that demands it.
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

// newTexts draws strings that are not empty: values of an enumeration, strings of the form that the constraints demand,
// or strings within the maximum length. A member that is an id or a link by its name looks like one.
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

// textOf draws a string for the member at a path as in [event.Field].
func textOf(path string) draw.Generator[string] { return fieldAt(path).texts() }

// anyDescription draws a description. Some are long: other calendars limit them to 8192 characters.
func anyDescription(t *draw.T) string {
	longest := freeText
	if draw.Seldom(t, "long") {
		longest = longText
	}
	return draw.NonEmptyText(longest).Draw(t, "text")
}

// oneOf draws a value of an enumeration, but none of without.
func oneOf(e *constraint.Constraint, without ...string) draw.Generator[string] {
	return draw.SampledFrom(slices.DeleteFunc(e.Values(), func(value string) bool { return slices.Contains(without, value) }))
}
