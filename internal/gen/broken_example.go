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

// readExample returns the request in an example of `calrules check`, in the given dialect, or nil for examples of other
// commands.
func readExample(example diag.Example, in diag.Dialect) *event.Request {
	read := new(batch.Request)
	if read.UnmarshalJSON([]byte(example.Request)) != nil || read.Op != operation.Response && !isOperation(read.Op) {
		return nil
	}
	req := read.Request.WithDialect(in)
	return &req
}

// exampleFaults returns faults that copy a rule's bad example into a request: either the whole example, or only its differences
// from the good example. There are no faults if the examples differ only in the operation.
func exampleFaults(good, bad *event.Request) []*fault {
	if good.Op != bad.Op && reflect.DeepEqual(good.Params, bad.Params) && reflect.DeepEqual(good.Caller, bad.Caller) && reflect.DeepEqual(good.Calendar, bad.Calendar) {
		return nil
	}
	eventType := typeOf(bad)
	return append(paramFaults(good, bad),
		&fault{diag.All, eventType, change{good, bad, false}.put},
		&fault{diag.All, cmp.Or(eventType, constraint.TypeDefault), change{good, bad, true}.put})
}

// paramFaults returns faults that set other wrong values for the parameters that are wrong in the bad example.
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

// repeatParam sets one of the operation's parameters twice, to different values.
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

// operationOf returns the operation with the given id or, for operation.Response, an operation without parameters.
func operationOf(id operation.ID) *operation.Operation {
	if op, ok := operation.Lookup(id); ok {
		return op
	}
	return new(operation.Operation)
}

// typeOf returns the type of the event that a request is about, or "" if the type is not valid.
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

// change is the difference between a good example and a bad example.
type change struct {
	good, bad *event.Request
	all       bool // whether to copy the common parts too
}

func (c change) put(_ *draw.T, req *event.Request) {
	c.bad = copied(c.bad) // the request will share parts of it
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

// ofStored is the set of occasions on which a request is about a stored event.
const ofStored = diag.Modify | diag.Move | diag.Delete | diag.Get | diag.List | diag.Instances

// putStored applies the change to the stored event. If the request depends on the entity tag of the event, putStored also
// updates the tag in the request.
func (c change) putStored(req *event.Request) {
	isTag := req.IfMatch == req.Existing.ETag
	stored := encodeTree(req.Existing)
	apply(c, stored, encodeTree(c.good.Existing), encodeTree(c.bad.Existing))
	if req.Existing = decodeEvent(stored); isTag {
		req.IfMatch = req.Existing.ETag
	}
}

// putBody applies the change to the body. To turn a patch into an update, putBody applies the patch to the stored event; to
// turn any other request into a patch, putBody clears the members that the request leaves out.
func (c change) putBody(req *event.Request) {
	on, body, from, to := OccasionOf(req.Op), treeOf(req.Body), treeOf(c.good.Body), treeOf(c.bad.Body)
	switch {
	case diag.OtherBodies.Has(on) != diag.OtherBodies.Has(OccasionOf(c.bad.Op)):
		// The bodies represent different resources.
	case c.good.Body != nil && c.bad.Body != nil && (from == nil || to == nil),
		req.Body == nil && diag.OtherBodies.Has(on):
		req.Body = c.bad.Body // cannot be merged into another body
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

func merged(object, patch members) members {
	text, err := event.MergeJSON(nil, encodeJSON(object), encodeJSON(patch))
	if err != nil {
		panic(fmt.Sprintf("fuzz: merging examples: %v", err))
	}
	return treeOf(text)
}

// treeOf returns a body as a tree, or nil if the body is not an object.
func treeOf(body []byte) members {
	if jsonscan.Valid(body) != nil || body[0] != '{' {
		return nil
	}
	return decodeJSON(body).(members)
}

// swap sets a part of a request to the corresponding part of the bad example.
func swap[V any](c change, part *V, good, bad V) {
	if isThere := !reflect.ValueOf(bad).IsZero(); c.all && isThere || !reflect.DeepEqual(good, bad) {
		*part = bad
	}
}

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
