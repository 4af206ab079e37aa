package gen

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/operation"
)

// readExample reads an example of `calrules check`, in a dialect. It returns nil for other examples.
func readExample(example diag.Example, in diag.Dialect) *event.Request {
	read := new(batch.Request)
	if read.UnmarshalJSON([]byte(example.Request)) != nil || read.Op != operation.Response && !isOperation(read.Op) {
		return nil
	}
	req := read.Request.WithDialect(in)
	return &req
}

// exampleFaults returns faults that put the bad example of a rule into a request: its differences from the good example, or
// all of it. There are none if the examples differ only in the operation.
func exampleFaults(good, bad *event.Request) []*fault {
	if good.Op != bad.Op && reflect.DeepEqual(good.Params, bad.Params) && reflect.DeepEqual(good.Caller, bad.Caller) && reflect.DeepEqual(good.Calendar, bad.Calendar) {
		return nil
	}
	eventType := typeOf(bad)
	return append(paramFaults(good, bad),
		&fault{diag.All, eventType, change{good, bad, false}.put},
		&fault{diag.All, cmp.Or(eventType, constraint.TypeDefault), change{good, bad, true}.put})
}

// paramFaults returns faults that give another wrong value to a parameter that is wrong in the bad example.
func paramFaults(good, bad *event.Request) (faults []*fault) {
	for _, name := range slices.Sorted(maps.Keys(bad.Params)) {
		p := operationOf(bad.Op).Param(name)
		if p == nil || p.Type == "string" || reflect.DeepEqual(good.Params[name], bad.Params[name]) {
			continue
		}
		wrong := wrongParam(*p)
		faults = append(faults, &fault{on: diag.All, put: func(t *draw.T, req *event.Request) { setParam(req, name, wrong(t)) }})
	}
	return faults
}

// repeatParam sends one of the parameters of the operation twice, with different values.
func repeatParam(t *draw.T, req *event.Request) {
	all := slices.Clone(operationOf(req.Op).ParamsIn(req.Dialect))
	all = slices.DeleteFunc(all, func(p operation.Param) bool { return p.Repeated || p.Standard })
	if len(all) > 0 {
		p := draw.One(t, "parameter", all...)
		value := paramValue(p)
		setParam(req, p.Name, value(t), value(t)+draw.One(t, "more", "", "0"))
	}
}

func setParam(req *event.Request, name string, values ...string) {
	if req.Params == nil {
		req.Params = operation.Params{}
	}
	req.Params[name] = values
}

// operationOf returns an operation, or one without parameters for the check of a response.
func operationOf(id operation.ID) *operation.Operation {
	if op, ok := operation.Lookup(id); ok {
		return op
	}
	return new(operation.Operation)
}

// typeOf returns the type of the event that a request is about, if it is a type.
func typeOf(req *event.Request) string {
	eventType := ""
	if req.Existing != nil {
		eventType = req.Existing.EventType
	} else if body := treeOf(req.Body); body != nil {
		sent, _ := body["eventType"].(string)
		eventType = req.Dialect.Name(sent)
	}
	if !constraint.EventType.Has(eventType) {
		return ""
	}
	return eventType
}

// change is the difference between a good example and a bad one.
type change struct {
	good, bad *event.Request
	all       bool // also what the two have in common
}

// put changes a request.
func (c change) put(_ *draw.T, req *event.Request) {
	c.bad = copied(c.bad) // because parts of it are put into the request
	good, bad := c.good, c.bad
	if req.Params == nil {
		req.Params = operation.Params{}
	}
	c.putBody(req)
	apply(c, req.Params, good.Params, bad.Params)
	switch {
	case !OccasionOf(req.Op).Has(ofStored):
	case good.Existing != nil && bad.Existing != nil && req.Existing != nil:
		c.putStored(req)
	default:
		swap(c, &req.Existing, good.Existing, bad.Existing)
	}
	swap(c, &req.Absent, good.Absent, bad.Absent)
	swap(c, &req.IfMatch, good.IfMatch, bad.IfMatch)
	swap(c, &req.Caller, good.Caller, bad.Caller)
	swap(c, &req.Calendar, good.Calendar, bad.Calendar)
	swap(c, &req.Series, good.Series, bad.Series)
}

// ofStored are the occasions on which a request is about a stored event.
const ofStored = diag.Modify | diag.Move | diag.Delete | diag.Get | diag.List | diag.Instances

// putStored changes the stored event, on whose tag the request may depend.
func (c change) putStored(req *event.Request) {
	isTag := req.IfMatch == req.Existing.ETag
	stored := encodeTree(req.Existing)
	apply(c, stored, encodeTree(c.good.Existing), encodeTree(c.bad.Existing))
	if req.Existing = decodeEvent(stored); isTag {
		req.IfMatch = req.Existing.ETag
	}
}

// putBody changes the body. An update sends the stored event after the patch, and a patch clears what other requests leave
// out.
func (c change) putBody(req *event.Request) {
	on, body, from, to := OccasionOf(req.Op), treeOf(req.Body), treeOf(c.good.Body), treeOf(c.bad.Body)
	switch {
	case diag.OtherBodies.Has(on) != diag.OtherBodies.Has(OccasionOf(c.bad.Op)):
		// The body is of another resource.
	case c.good.Body != nil && c.bad.Body != nil && (from == nil || to == nil),
		req.Body == nil && diag.OtherBodies.Has(on):
		req.Body = c.bad.Body // which is not an object, or has no place in another
	case body != nil:
		if req.Op == operation.EventsUpdate && c.bad.Op == operation.EventsPatch && c.bad.Existing != nil && c.good.Existing != nil {
			from, to = merged(encodeTree(c.good.Existing), from), merged(encodeTree(c.bad.Existing), to)
		}
		apply(c, body, from, to)
		if req.Op == operation.EventsPatch && c.bad.Op != operation.EventsPatch {
			for name := range from {
				if _, stays := to[name]; !stays {
					body[name] = nil
				}
			}
		}
		if on.Has(diag.Write) {
			needParams(req.Params, func(name string) bool { return body[name] != nil })
		}
		req.Body = bodyText(body)
	}
}

// merged returns an object with a merge patch applied.
func merged(object, patch members) members {
	text, err := event.MergeJSON(nil, encodeJSON(object), encodeJSON(patch))
	if err != nil {
		panic(fmt.Sprintf("fuzz: merging examples: %v", err))
	}
	return treeOf(text)
}

// treeOf reads a body, or returns nil if it is not an object.
func treeOf(body []byte) members {
	if jsonscan.Valid(body) != nil || body[0] != '{' {
		return nil
	}
	return decodeJSON(body).(members)
}

// swap sets a part of a request to the part of the bad example.
func swap[V any](c change, part *V, good, bad V) {
	if isThere := !reflect.ValueOf(bad).IsZero(); c.all && isThere || !reflect.DeepEqual(good, bad) {
		*part = bad
	}
}

// apply makes a change to a map.
func apply[V any](c change, to, good, bad map[string]V) {
	for name := range good {
		if _, stays := bad[name]; !stays {
			delete(to, name)
		}
	}
	for name, value := range bad {
		if old, was := good[name]; c.all || !was || !reflect.DeepEqual(old, value) {
			to[name] = value
		}
	}
}
