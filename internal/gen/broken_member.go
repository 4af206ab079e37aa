package gen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// The faults in this file are derived from the declarations of members in the schema, such as the constraint, the type and the
// writer of a member. A new rule about a property of a declaration needs no code here.

// declaredFaults returns the faults derived from the declarations of members, by rule.
var declaredFaults = sync.OnceValue(func() map[string][]*fault {
	all := map[string][]*fault{}
	add := func(rule string, f *field, put func(b *body)) { all[rule] = append(all[rule], inBody(f, put)) }
	for _, f := range fields() {
		for _, c := range f.Constraints {
			if c.If == "" {
				wrong := f.wrong(constraint.Named(c.Name))
				add(c.Rule.ID, f, func(b *body) { b.put(f, wrong(b.t)) })
			}
		}
		for _, c := range f.KeyConstraints {
			key := wrongLength(constraint.Named(c.Name))
			add(c.Rule.ID, f, func(b *body) { b.put(f, members{key(b.t): "1"}) })
		}
		for _, c := range f.ValueConstraints {
			value := wrongLength(constraint.Named(c.Name))
			add(c.Rule.ID, f, func(b *body) { b.put(f, members{"a": value(b.t)}) })
		}
		for _, rule := range f.Required {
			add(rule.ID, f, func(b *body) { b.leaveOut(f) })
		}
		for _, rule := range f.Rules {
			if f.Writable == 0 && rule.Kind == diag.Ignore {
				add(rule.ID, f, func(b *body) { b.put(f, f.any(b.t)) })
			}
		}
		switch rule := f.typeRule(); {
		case rule != nil:
			add(rule.ID, f, func(b *body) { b.put(f, members{"a": otherThan("string", b.t)}) })
			add(rule.ID, f, func(b *body) { b.put(f, otherThan("object", b.t)) })
		case f.Type != "any value":
			add(ruleid.JSONType, f, func(b *body) { b.put(f, otherThan(f.kind(), b.t)) })
			if element, ok := strings.CutPrefix(f.Type, "array of "); ok {
				add(ruleid.JSONType, f, func(b *body) { b.put(f, []any{otherThan(strings.TrimSuffix(element, "s"), b.t)}) })
			}
		}
	}
	for _, object := range objects() {
		add(ruleid.JSONDuplicateName, object, func(b *body) { b.repeat(object) })
		if object == nil || len(object.inner) > 0 {
			add(ruleid.JSONUnknownField, object, func(b *body) { b.addUnknown(object) })
		}
	}
	return all
})

type body struct {
	t    *draw.T
	req  *event.Request
	tree members
	text []byte // if not nil, the body, which no tree can represent
}

// inBody returns a fault in a member, or in the event itself if f is nil. If the member cannot be changed, the fault
// occurs only at the creation of an event.
func inBody(f *field, put func(b *body)) *fault {
	on := diag.When(WithBody)
	if f != nil && f.fixed {
		on = diag.Create | diag.Response
	}
	return &fault{on: on, eventType: f.typeAround(), put: func(t *draw.T, req *event.Request) {
		b := &body{t: t, req: req, tree: treeOf(req.Body)}
		if b.tree == nil {
			return
		}
		put(b)
		if req.Body = b.text; req.Body == nil {
			req.Body = bodyText(b.tree)
		}
		if OccasionOf(req.Op).Has(diag.Write) {
			req.Params = maps.Clone(req.Params)
			if req.Params == nil {
				req.Params = map[string][]string{}
			}
			needParams(req.Params, func(name string) bool { _, sent := b.tree[name]; return sent })
		}
	}}
}

// typeAround returns the event type to which the member or an enclosing object belongs, or "".
func (f *field) typeAround() string {
	if f == nil {
		return ""
	}
	return cmp.Or(f.eventType(), f.outer.typeAround())
}

func (b *body) name(f *field) string { return b.req.Dialect.Name(f.name()) }

// object returns the path of the object in a member or in one of its elements, or the path of the event if f is nil. If the
// body lacks the object, object adds the stored object or a drawn object.
func (b *body) object(f *field) diag.Pointer {
	if f == nil {
		return ""
	}
	path := b.object(f.outer).Member(b.name(f))
	if isEmpty(At(b.tree, path)) {
		put(b.tree, path, b.fresh(f))
	}
	if list, ok := At(b.tree, path).([]any); ok {
		path = path.Index(draw.Int(b.t, "index", 0, len(list)-1))
	}
	return path
}

// isEmpty reports whether a value is neither an object nor a list with an object.
func isEmpty(value any) bool {
	if list, ok := value.([]any); ok {
		return len(list) == 0 || isEmpty(list[0])
	}
	object, ok := value.(members)
	return !ok || object == nil
}

// fresh returns an object, or a list with an object, for a member that the body lacks.
func (b *body) fresh(f *field) any {
	if f.isTop() {
		e := b.req.Existing
		if e == nil || isEmpty(b.treeOf(e)[b.name(f)]) {
			e = new(event.Event)
			f.set(b.t, reflect.ValueOf(e).Elem(), OccasionOf(b.req.Op))
		}
		if value := b.treeOf(e)[b.name(f)]; !isEmpty(value) {
			return value
		}
	}
	if strings.HasPrefix(f.Type, "array") {
		return f.elements(1)
	}
	return f.object()
}

// treeOf returns an event as a tree in the dialect of the request.
func (b *body) treeOf(e *event.Event) members {
	return decodeJSON(e.AppendIn(b.req.Dialect, nil)).(members)
}

// put sets a member in an object of the body. When put sets date, it removes dateTime, and vice versa.
func (b *body) put(f *field, value any) {
	object := b.object(f.outer)
	if other := map[string]string{"Date": "dateTime", "DateTime": "date"}[f.Name]; other != "" && At(b.tree, object.Member(other)) != nil {
		remove(b.tree, object.Member(other))
		if b.req.Op == operation.EventsPatch {
			put(b.tree, object.Member(other), nil)
		}
	}
	if text, ok := value.(string); ok {
		value = b.req.Dialect.Name(text)
	}
	put(b.tree, object.Member(b.name(f)), value)
}

// leaveOut removes a required member, or sets it to null or "", and removes the id of an array element, by which the service
// would find the stored element.
func (b *body) leaveOut(f *field) {
	object := b.object(f.outer)
	if object != "" {
		remove(b.tree, object+"/id")
	}
	place := object.Member(b.name(f))
	switch value := draw.One[any](b.t, "instead", "left out", nil, ""); value {
	case "left out":
		remove(b.tree, place)
	default:
		put(b.tree, place, value)
	}
}

func (b *body) addUnknown(f *field) {
	name := draw.One(b.t, "name", "summery", "Summary", "startTime", "e-mail", "date_time", "x", "/~", "été", "__proto__", "unlisted member", "")
	put(b.tree, b.object(f).Member(name), draw.One[any](b.t, "value", "a", 1, true, members{"a": []any{1}}, []any{}))
}

// repeat writes a member of an object twice with the same value.
func (b *body) repeat(f *field) {
	path := b.object(f)
	object, _ := At(b.tree, path).(members)
	switch {
	case len(object) > 0:
	case f == nil || len(f.inner) == 0:
		object = members{"a": "1"} // an empty map
	default:
		object = members{b.name(f.inner[0]): f.inner[0].sample()}
	}
	name := draw.One(b.t, "name", slices.Sorted(maps.Keys(object))...)
	twice := fmt.Appendf(nil, "{%s:%s,", encodeJSON(name), encodeJSON(object[name]))
	twice = append(twice, encodeJSON(object)[1:]...)
	if path == "" {
		b.text = twice
	} else {
		put(b.tree, path, json.RawMessage(twice))
	}
}
