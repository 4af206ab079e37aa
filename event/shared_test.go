package event_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// The events of a result share nothing with each other or with the request, which is not modified. It does
// not matter whether the body is text or a Go value.
func TestResultsShareNothing(t *testing.T) {
	for op := range operation.All() {
		if (diag.Write | diag.Move | diag.Delete | diag.Get | diag.List).Has(op.When) && (op.EventBody || diag.Modify.Has(op.When) || op.When&diag.Write == 0) {
			t.Run(string(op.ID), rapid.MakeCheck(func(t *rapid.T) { checkShares(t, fuzz.Request(diag.Documents, op.ID).Draw(t, "request")) }))
		}
	}
	t.Run("patched", rapid.MakeCheck(func(t *rapid.T) {
		req := fuzz.Request(diag.Documents, operation.EventsPatch).Draw(t, "request")
		all := owners{}
		all.add(t, "stored", req.Existing)
		before := text(t, req.Existing)
		patched, err := req.Existing.AfterPatch(req.Body, req.Dialect)
		if err != nil {
			t.Fatal(err)
		}
		all.add(t, "patched", patched.Clone())
		all.add(t, "updated", req.Existing.AfterUpdate(patched))
		if diff := cmp.Diff(before, text(t, req.Existing)); diff != "" {
			t.Fatalf("the stored event has changed:\n%s", diff)
		}
	}))
}

func checkShares(t *rapid.T, req *event.Request) {
	if req.Body != nil && rapid.Bool().Draw(t, "value") {
		req.Event, req.Body = read(t, string(req.Body)), nil
	}
	all := owners{}
	all.add(t, "existing", req.Existing)
	all.add(t, "event", req.Event)
	before := text(t, req.Existing) + text(t, req.Event)
	result := must(event.Check(req))
	all.add(t, "stored", result.Stored)
	all.add(t, "answer", result.Answer)
	all.add(t, "remainder", result.CancelledCopy)
	shared := must((&event.Checker{ShareMemory: true}).Check(req))
	if diff := cmp.Diff(events(t, result), events(t, shared)); diff != "" {
		t.Fatalf("the events of a reader differ:\n%s", diff)
	}
	if diff := cmp.Diff(before, text(t, req.Existing)+text(t, req.Event)); diff != "" {
		t.Fatalf("the request has changed:\n%s", diff)
	}
}

// events returns the texts of the events of a result.
func events(t *rapid.T, r event.Result) []string {
	return []string{text(t, r.Stored), text(t, r.Answer), text(t, r.CancelledCopy)}
}

// owners are the events that memory belongs to, by address. It keeps them alive.
type owners map[uintptr]owner

type owner struct {
	name string
	*event.Event
}

// add adds all memory that a caller can write to through an event.
func (o owners) add(t *rapid.T, name string, e *event.Event) {
	mine := map[uintptr]string{}
	reach(reflect.ValueOf(e), "", mine)
	for address, path := range mine {
		if other, shared := o[address]; shared {
			t.Fatalf("the %s event shares %s with the %s event", name, path, other.name)
		}
		o[address] = owner{name, e}
	}
}

// reach collects what can be reached through exported fields.
func reach(v reflect.Value, path string, found map[uintptr]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map:
		if v.IsNil() {
			return
		}
		found[v.Pointer()] = path
		if v.Kind() == reflect.Pointer {
			reach(v.Elem(), path, found)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			found[v.Pointer()] = path
		}
		for i := range v.Len() {
			reach(v.Index(i), path+"/*", found)
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			if field.IsExported() {
				reach(value, path+"/"+field.Name, found)
			}
		}
	}
}
