package gen

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// field is a documented member of an event.
type field struct {
	event.Field
	pattern string   // the path of the member, in which * means any element of an array
	fixed   bool     // whether the member or an object around it cannot change
	outer   *field   // the object around the member, or nil for a member of the event itself
	inner   []*field // the members of the object, or of each element of the array
	index   []int    // the index of the field in the Go struct

	// The generators of values, one for each type of member.
	texts   func() draw.Generator[string]
	numbers func() draw.Generator[int64]
	maps    func() draw.Generator[map[string]string]
}

// fields returns all documented members. The members of an object or array follow the object or array.
var fields = sync.OnceValue(func() []*field {
	var all []*field
	around := map[string]*field{} // by pattern
	for _, declared := range event.Fields() {
		f := newField(declared)
		f.fixed = f.Immutable
		if f.outer = around[strings.TrimSuffix(outer(f.pattern), "/*")]; f.outer != nil {
			f.fixed = f.fixed || f.outer.fixed
			f.outer.inner = append(f.outer.inner, f)
		}
		around[f.pattern] = f
		all = append(all, f)
	}
	return all
})

func newField(declared event.Field) *field {
	inGo, _ := declared.Struct.FieldByName(declared.Name)
	f := &field{Field: declared, pattern: "/" + strings.NewReplacer(".", "/", "[]", "/*").Replace(declared.Path), index: inGo.Index}
	f.texts, f.numbers, f.maps = sync.OnceValue(f.newTexts), sync.OnceValue(f.newNumbers), sync.OnceValue(f.newMaps)
	return f
}

// byPath returns the fields, keyed by path in the notation of [event.Field].
var byPath = sync.OnceValue(func() map[string]*field {
	index := map[string]*field{}
	for _, f := range fields() {
		index[f.Path] = f
	}
	return index
})

// fieldAt returns the member at the given path, which must exist.
func fieldAt(path string) *field {
	f := byPath()[path]
	if f == nil {
		panic("fuzz: there is no member " + path)
	}
	return f
}

// outer returns the path without its last element.
func outer[P ~string](path P) P { return path[:strings.LastIndexByte(string(path), '/')] }

func (f *field) name() string { return f.pattern[strings.LastIndexByte(f.pattern, '/')+1:] }

func (f *field) isTop() bool { return f.outer == nil }

// documented returns the names of an event's members in document order.
var documented = membersThat(func(*field) bool { return true })

// samples are values for members whose constraints are not sufficient to draw valid values.
var samples = map[string]string{
	"colorId":    "1", // a color of the public service
	"recurrence": "RRULE:FREQ=DAILY;COUNT=2",
	"conferenceData.createRequest.conferenceSolutionKey.type": constraint.ConferenceAddOn,
	"conferenceData.conferenceSolution.key.type":              constraint.ConferenceAddOn,
}

// sample returns a value of the member's type that its constraints allow.
func (f *field) sample() any {
	switch f.Type {
	case "string":
		return f.sampleText()
	case "boolean":
		return f.Default == "true"
	case "integer":
		if f.allowsInt(1) {
			return json.Number("1")
		}
		low, _ := constraint.Named(f.Constraints[0].Name).Range()
		return low
	case "array of objects":
		return []any{members{}}
	case "array of strings":
		return []any{f.sampleText()}
	case "map of strings":
		return members{"a": "1"}
	default:
		return members{}
	}
}

func (f *field) any(t *draw.T) any {
	switch f.Type {
	case "string":
		return f.texts()(t)
	case "boolean":
		return draw.Bool(t)
	default:
		return f.sample()
	}
}

func (f *field) sampleText() string {
	texts := []string{samples[f.Path], f.Default}
	for _, c := range f.Constraints {
		must := constraint.Named(c.Name)
		want := must.Want(diag.Documents)
		_, example, _ := strings.Cut(want, ", such as ")
		low, _ := must.Range()
		texts = append(append(texts, c.Values...), example, want, strings.Repeat("a", int(max(1, low))))
	}
	for _, text := range append(texts, "a") {
		if text != "" && f.allows(text, nil) {
			return text
		}
	}
	panic("fuzz: there is no sample of " + f.Path)
}

// allows reports whether all constraints of the member, except the given one, allow the string.
func (f *field) allows(text string, except *constraint.Constraint) bool {
	return !slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool {
		must := constraint.Named(c.Name)
		return c.If == "" && must != except && c.Subject == constraint.Text && !must.Has(text)
	})
}

func (f *field) allowsInt(n int64) bool {
	return !slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool {
		return c.If == "" && c.Subject != constraint.Text && !constraint.Named(c.Name).HasInt(n)
	})
}

// object returns an object with only the required members.
func (f *field) object() members {
	object := members{}
	for _, inner := range f.inner {
		if inner.isNeeded() {
			object[inner.name()] = inner.sample()
		}
	}
	return object
}

// elements returns n elements of an array: strings, or objects with only the required members.
func (f *field) elements(n int) []any {
	all := make([]any, n)
	for i := range all {
		if f.Type != "array of objects" {
			all[i] = f.sampleText()
			continue
		}
		element := f.object()
		if f.Path == "attendees" {
			element["email"] = guest(i) // attendees must have different addresses
		}
		all[i] = element
	}
	return all
}

func (f *field) kind() string {
	kind, _, _ := strings.Cut(f.Type, " of ")
	return cmp.Or(map[string]string{"map": "object", "integer": "number"}[kind], kind)
}

// objects returns the members that are objects, maps or lists of objects, and nil for the event itself.
var objects = sync.OnceValue(func() []*field {
	all := []*field{nil}
	for _, f := range fields() {
		if len(f.inner) > 0 || f.kind() == "object" {
			all = append(all, f)
		}
	}
	return all
})

// typeRule returns the rule about the types of a map and its values, or nil if only the general rule about types applies.
func (f *field) typeRule() *diag.Rule {
	if f.Type != "map of strings" {
		return nil
	}
	isDeclared := func(r *diag.Rule) bool {
		return slices.Contains(f.Required, r) || slices.ContainsFunc(slices.Concat(f.Constraints, f.KeyConstraints, f.ValueConstraints),
			func(c event.Constraint) bool { return c.Rule == r })
	}
	for _, r := range f.Rules {
		if r.Check == nil && r.Kind == diag.Reject && !isDeclared(r) {
			return r
		}
	}
	return nil
}

// zero is a member with a value equivalent to its absence: null or the zero value of its type.
type zero struct {
	in    string // the pattern of the object around the member
	name  string
	value string // as JSON
}

// zeros returns the zero values of the members for which wanted returns true.
func zeros(wanted func(*field) bool) (all []zero) {
	for _, f := range fields() {
		if value := f.zero(); value != "" && wanted(f) {
			all = append(all, f.written(value))
		}
	}
	return all
}

func (f *field) written(value string) zero {
	in := outer(f.pattern)
	return zero{in, f.pattern[len(in)+1:], value}
}

// zero returns the zero value of the member's type as JSON, or "" if that value is not allowed or does not mean absence.
func (f *field) zero() string {
	inGo, _ := f.Struct.FieldByName(f.Name)
	needed := slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool {
		must := constraint.Named(c.Name)
		return c.Subject == constraint.Text && !must.Has("") || c.Subject != constraint.Text && !must.HasInt(0)
	})
	switch {
	case needed || inGo.Type.Kind() == reflect.Pointer:
		return ""
	case strings.HasPrefix(f.Type, "array"):
		return "[]"
	}
	return map[string]string{"string": `""`, "boolean": "false", "integer": "0", "map of strings": "{}"}[f.Type]
}

// isWritable reports whether a client can always write the member.
func isWritable(f *field) bool { return f.Writable == diag.Write && len(f.Required) == 0 }

// writable returns the zero values that a client may send.
var writable = sync.OnceValue(func() []zero {
	all := zeros(isWritable)
	for _, f := range fields() {
		if f.isTop() && isWritable(f) {
			all = append(all, f.written("null"))
		}
	}
	return all
})

// represented returns the zero values that servers write, which are never null, and members that a later version of the service
// may add.
var represented = sync.OnceValue(func() []zero {
	later := []zero{{"", "previewLink", `"https://example.com/preview/abc"`}, {"", "etagVersion", `{"n":[1.50,null]}`}}
	return append(zeros(func(f *field) bool { return len(f.Required) == 0 }), slices.Repeat(later, 12)...)
})
