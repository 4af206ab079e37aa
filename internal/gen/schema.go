package gen

import (
	"cmp"
	"encoding/json"
	"maps"
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
	pattern string   // its path, in which * means any element of an array
	fixed   bool     // whether it or an object around it cannot change
	inner   []*field // the members of the object, or of each element of the array
	index   []int    // of its field in the Go struct

	// What draws a value, if it is of this type.
	texts   func() draw.Generator[string]
	numbers func() draw.Generator[int64]
	maps    func() draw.Generator[map[string]string]
}

// fields are all documented members, each object or array before its members.
var fields = sync.OnceValue(func() []*field {
	var all []*field
	around := map[string]*field{"": {}} // by pattern
	for _, declared := range event.Fields() {
		f := newField(declared)
		object := around[strings.TrimSuffix(outer(f.pattern), "/*")]
		f.fixed = f.Immutable || object.fixed
		object.inner = append(object.inner, f)
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

// byPath are the same by their paths, as in [event.Field].
var byPath = sync.OnceValue(func() map[string]*field {
	index := map[string]*field{}
	for _, f := range fields() {
		index[f.Path] = f
	}
	return index
})

// fieldAt returns the member with a path, which must exist.
func fieldAt(path string) *field {
	f := byPath()[path]
	if f == nil {
		panic("fuzz: there is no member " + path)
	}
	return f
}

// outer returns the path without its last name.
func outer[P ~string](path P) P { return path[:strings.LastIndexByte(string(path), '/')] }

// first returns the path of the member in the first element of every array on the way.
func (f *field) first() diag.Pointer { return diag.Pointer(strings.ReplaceAll(f.pattern, "*", "0")) }

// isTop reports whether f is a member of the event itself.
func (f *field) isTop() bool { return outer(f.pattern) == "" }

// documented lists the names of an event's members in the order of the documents.
var documented = membersThat(func(*field) bool { return true })

// samples are values of members that depend on more than the constraints of the member.
var samples = map[string]string{
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
		low, _ := f.Constraints[0].Range()
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

func (f *field) sampleText() string {
	texts := []string{samples[f.Path], f.Default}
	for _, c := range f.Constraints {
		_, example, _ := strings.Cut(c.Want(diag.Documents), ", such as ")
		low, _ := c.Range()
		texts = append(append(texts, c.Values()...), example, c.Want(diag.Documents), strings.Repeat("a", int(max(1, low))))
	}
	for _, text := range append(texts, "a") {
		if text != "" && f.allows(text, nil) {
			return text
		}
	}
	panic("fuzz: there is no sample of " + f.Path)
}

// allows reports whether the constraints of the member allow the text, not counting one.
func (f *field) allows(text string, except *constraint.Constraint) bool {
	return !slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool {
		return c.If == "" && c.Constraint != except && c.Subject == constraint.Text && !c.Has(text)
	})
}

func (f *field) allowsInt(n int64) bool {
	return !slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool {
		return c.If == "" && c.Subject != constraint.Text && !c.HasInt(n)
	})
}

// everything is an event with every documented member, each with a value of its type. It is never
// valid as a whole: drafts take from it what they need to reach one place.
var everything = sync.OnceValue(func() members {
	all := members{}
	for _, f := range fields() {
		put(all, f.first(), f.sample())
	}
	return all
})

// elements returns n elements of an array: texts, or objects with only the members that are required.
func (f *field) elements(n int) []any {
	if f.Type != "array of objects" {
		return slices.Repeat([]any{f.sampleText()}, n)
	}
	element := members{}
	for _, inner := range fields() {
		if outer(inner.pattern) == f.pattern+"/*" && len(inner.Required) > 0 {
			element[inner.pattern[len(f.pattern)+len("/*/"):]] = inner.sample()
		}
	}
	all := make([]any, n)
	for i := range all {
		each := maps.Clone(element)
		if f.Path == "attendees" {
			each["email"] = guest(i) // because no two are equal
		}
		all[i] = each
	}
	return all
}

// place is a place in a body: its path, in which 0 is the index of every element, and the JSON type
// of its value.
type place struct {
	path   diag.Pointer
	kind   string
	inList bool
}

// places are the places whose type is documented. The first place is the body itself.
var places = sync.OnceValue(func() []place {
	all := []place{{kind: "object"}}
	for _, f := range fields() {
		outer, element, isArray := strings.Cut(f.Type, " of ")
		switch {
		case f.Type == "any value" || f.typeRule() != nil:
		case isArray && outer == "array":
			all = append(all, place{f.first(), "array", false}, place{f.first().Index(0), strings.TrimSuffix(element, "s"), true})
		case f.Type == "integer":
			all = append(all, place{f.first(), "number", false})
		default:
			all = append(all, place{f.first(), cmp.Or(map[string]string{"map": "object"}[outer], outer), false})
		}
	}
	return all
})

// typeRule returns the rule about the types of a map and of its values, or nil if that is the rule
// about all types.
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

// stringMaps are the paths of the maps with a client's own names.
var stringMaps = sync.OnceValue(func() (paths []diag.Pointer) {
	for _, f := range fields() {
		if f.Type == "map of strings" {
			paths = append(paths, f.first())
		}
	}
	return paths
})

// drawPlace draws one of the wanted places.
func drawPlace(t *draw.T, wanted func(place) bool) place {
	all := slices.DeleteFunc(slices.Clone(places()), func(p place) bool { return !wanted(p) })
	return all[draw.Evenly(len(all)).Draw(t, "place")]
}

// reach adds to the body the objects on the way to a place, and returns the path to it through
// any elements of the lists on the way. It adds the same to the stored event, so that it is not a
// change.
func (d *draft) reach(to diag.Pointer) diag.Pointer {
	var path, model diag.Pointer
	for token := range to.Tokens() {
		if list, ok := At(d.body, path).([]any); ok {
			path = path.Index(draw.Int(d.T, "index", 0, len(list)-1))
		} else {
			path = path.Member(d.form(path, token))
		}
		if model = model.Member(token); At(d.body, path) == nil {
			d.set(path, At(everything(), model))
		}
	}
	return path
}

// form returns the name of a member of the object at the path. If it is one of the two forms of a
// time, and the time has the other, form returns the other, because a time cannot have both.
func (d *draft) form(path diag.Pointer, name string) string {
	object, _ := At(d.body, path).(members)
	other, isForm := map[string]string{"date": "dateTime", "dateTime": "date"}[name]
	if isForm && object[other] != nil {
		return other
	}
	return name
}

// zero is a member with a value that means the same as its absence: null or the zero value of
// its type.
type zero struct {
	in    string // the pattern of its object
	name  string
	value string // as JSON
}

// zeros are the zeros of the wanted members.
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

// zero returns the zero value of the member's type, or "" if that is not allowed or does not mean
// absence.
func (f *field) zero() string {
	inGo, _ := f.Struct.FieldByName(f.Name)
	needed := slices.ContainsFunc(f.Constraints, func(c event.Constraint) bool {
		return c.Subject == constraint.Text && !c.Has("") || c.Subject != constraint.Text && !c.HasInt(0)
	})
	switch {
	case needed || inGo.Type.Kind() == reflect.Pointer:
		return ""
	case strings.HasPrefix(f.Type, "array"):
		return "[]"
	}
	return map[string]string{"string": `""`, "boolean": "false", "integer": "0", "map of strings": "{}"}[f.Type]
}

// isWritable reports whether a client can write the member at any time.
func isWritable(f *field) bool { return f.Writable == diag.Write && len(f.Required) == 0 }

// writable are the zeros that a client may send.
var writable = sync.OnceValue(func() []zero {
	all := zeros(isWritable)
	for _, f := range fields() {
		if f.isTop() && isWritable(f) {
			all = append(all, f.written("null"))
		}
	}
	return all
})

// represented are the zeros that servers write, who write no null, and members that a later version of
// the service may add.
var represented = sync.OnceValue(func() []zero {
	later := []zero{{"", "previewLink", `"https://example.com/preview/abc"`}, {"", "etagVersion", `{"n":[1.50,null]}`}}
	return append(zeros(func(f *field) bool { return len(f.Required) == 0 }), slices.Repeat(later, 12)...)
})
