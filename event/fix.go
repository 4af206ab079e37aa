package event

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/operation"
)

// mostTries is the maximum number of fixes to try for a request.
const mostTries = 32

// AddFixes sets the Fix of each finding that can be fixed. A fix is a change to the body or the parameters that removes
// the finding without causing a new rejection. AddFixes tries the first 32 proposed fixes. Trying a fix takes as long
// as checking the request.
func (c *Checker) AddFixes(req *Request, found diag.Findings) {
	tries := 0
	for i := 0; i < len(found) && tries < mostTries; i++ {
		fix, ok := proposedFor(req, &found[i])
		if !ok {
			continue
		}
		tries++
		if _, _, ok := c.tryFix(req, found, i, fix.Patch); ok {
			found[i].Fix = &fix
		}
	}
}

// mostFixes is the maximum number of successive fixes, and mostFixed is the maximum total length of the bodies checked
// after these fixes. Even a long body can have mostTries fixes.
const (
	mostFixes = 1000
	mostFixed = 64 << 20
)

// Fix returns a copy of the request with fixes applied, and the fixed findings, each with its Fix. Fix fixes only
// findings for which allows returns true, such as those with a safe fix. Fix applies one fix at a time, because a fix
// can reveal another finding. Fix stops when no more fixes apply, after 1,000 fixes, or after at least 32 fixes whose
// checks read 64 MiB of bodies in total.
func (c *Checker) Fix(req *Request, allows func(diag.Finding) bool) (fixed *Request, made diag.Findings, err error) {
	found, err := c.Find(req)
	if err != nil {
		return nil, nil, err
	}
	most := min(mostFixes, max(mostTries, mostFixed/(1+len(req.Body))))
	for {
		before := len(made)
		if req, found, made = c.fixOnce(req, found, made, most, allows); len(made) == before {
			return req, made, nil
		}
	}
}

// fixOnce tries to fix each finding once, and appends the fixed findings to made until made contains most findings.
func (c *Checker) fixOnce(req *Request, found, made diag.Findings, most int, allows func(diag.Finding) bool) (*Request, diag.Findings, diag.Findings) {
	failures := 0
	for i := 0; i < len(found) && failures < mostTries && len(made) < most; {
		fix, ok := proposedFor(req, &found[i])
		f := found[i]
		if f.Fix = &fix; !ok || !allows(f) {
			i++
			continue
		}
		next, after, ok := c.tryFix(req, found, i, fix.Patch)
		if !ok {
			failures++
			i++
			continue
		}
		made = append(made, f)
		req, found = next, after // index i now refers to another finding
	}
	return req, found, made
}

// proposedFor returns the fix that a finding proposes, or false if there is none.
func proposedFor(req *Request, f *diag.Finding) (fix diag.Fix, ok bool) {
	if f.Is(ruleid.JSONSyntax) {
		return withoutMark(req.Body)
	}
	if fix, ok = f.Propose(); ok {
		fix.Patch = inParams(fix.Patch, req.Params)
	}
	return fix, ok
}

// withoutMark returns the fix for a body that consists of a byte order mark and JSON. The path of a patch cannot
// identify the mark, so the fix replaces the whole body.
func withoutMark(body []byte) (fix diag.Fix, ok bool) {
	text, hasMark := bytes.CutPrefix(body, []byte("\ufeff"))
	if !hasMark || jsonscan.Valid(text) != nil {
		return diag.Fix{}, false
	}
	return diag.Fix{Patch: []diag.PatchOperation{{Op: "replace", Path: "/body", Value: bytes.Clone(text)}}, Safe: true}, true
}

// inParams returns the patch, preceded by an operation that adds params if the patch adds the first parameter, or nil if the
// patch would discard a different value of a parameter.
func inParams(patch []diag.PatchOperation, params operation.Params) []diag.PatchOperation {
	op := &patch[0]
	around, name := op.Path.Split()
	switch {
	case around != "/params":
	case op.Op == "add" && params == nil:
		patch = slices.Insert(patch, 0, diag.PatchOperation{Op: "add", Path: around, Value: json.RawMessage("{}")})
	case op.Op == "replace" && len(params[name]) > 1, op.Op == "move" && len(params[name]) > 0:
		return nil
	}
	return patch
}

// tryFix returns the patched request and its findings, or false if the patch causes a new rejection or does not decrease the
// number of findings of the rule at the place. Findings that were hidden by a syntax error or by a full list are not
// considered new.
func (c *Checker) tryFix(req *Request, found diag.Findings, i int, patch []diag.PatchOperation) (fixed *Request, after diag.Findings, ok bool) {
	fixed, ok = c.Apply(req, patch)
	if !ok {
		return nil, nil, false
	}
	after, err := c.Find(fixed)
	if err != nil {
		return nil, nil, false
	}
	was, is := tallied(found), tallied(after)
	if at := placeOf(found[i]); is[at].count >= was[at].count {
		return nil, nil, false
	}
	if found[i].Is(ruleid.JSONSyntax) {
		return fixed, after, true
	}
	isFull := len(found) >= min(cmp.Or(c.orZero().MaxFindings, engine.Most), engine.Most)
	known := len(after)
	for isFull && known > 0 && was[placeOf(after[known-1])].count == 0 {
		known--
	}
	for _, f := range after[:known] {
		if f.Kind == diag.Reject && !was[placeOf(f)].rejected {
			return nil, nil, false
		}
	}
	return fixed, after, true
}

// place identifies the subject of a finding. Several findings can share a place, such as the faults in a recurrence line.
type place struct {
	rule *diag.Rule
	path diag.Pointer
}

func placeOf(f diag.Finding) place { return place{f.Rule, f.Path} }

// tally records the number of findings at a place, and whether any of them is a rejection.
type tally struct {
	count    int
	rejected bool
}

func tallied(found diag.Findings) map[place]tally {
	all := map[place]tally{}
	for _, f := range found {
		was := all[placeOf(f)]
		all[placeOf(f)] = tally{was.count + 1, was.rejected || f.Kind == diag.Reject}
	}
	return all
}

// Apply returns a copy of the request, without its response, to which the patch of a [diag.Fix] has been applied. Apply changes
// no other part of the body, and converts an Event to JSON. Apply returns false if the patch is empty, or if one of its operations
// cannot be applied to the request.
func (c *Checker) Apply(req *Request, patch []diag.PatchOperation) (fixed *Request, ok bool) {
	if req == nil {
		return nil, false
	}
	fixed = new(*req)
	fixed.Answer = nil
	if fixed.Params = maps.Clone(req.Params); fixed.Params == nil {
		fixed.Params = operation.Params{}
	}
	if req.Event != nil {
		fixed.Event, fixed.Body = nil, req.Event.AppendIn(cmp.Or(req.Dialect, c.orZero().Dialect), nil)
	}
	for _, op := range patch {
		if !fixed.apply(op) {
			return nil, false
		}
	}
	return fixed, len(patch) > 0
}

// apply applies a patch operation, and reports whether it succeeded.
func (r *Request) apply(op diag.PatchOperation) (ok bool) {
	if at, inBody := strings.CutPrefix(string(op.Path), "/body"); inBody {
		r.Body, ok = applyTo(r.Body, diag.Pointer(at), op)
		return ok
	}
	if op.Path == "/params" {
		return true
	}
	_, name := op.Path.Split()
	switch op.Op {
	case "move":
		_, from := op.From.Split()
		r.Params[name] = r.Params[from]
		delete(r.Params, from)
	case "remove":
		delete(r.Params, name)
	default:
		var value string
		if json.Unmarshal(op.Value, &value) != nil {
			return false
		}
		r.Params[name] = []string{value}
	}
	return true
}

func applyTo(body []byte, at diag.Pointer, op diag.PatchOperation) ([]byte, bool) {
	switch {
	case at == "" && op.Op == "replace":
		return bytes.Clone(op.Value), jsonscan.Valid(op.Value) == nil
	case jsonscan.Valid(body) != nil:
		return nil, false
	}
	switch op.Op {
	case "add":
		if text, ok := jsonscan.Replace(body, at, op.Value); ok {
			return text, true
		}
		return jsonscan.Insert(body, at, op.Value)
	case "replace":
		return jsonscan.Replace(body, at, op.Value)
	case "remove":
		return jsonscan.Remove(body, at)
	default: // a move within an object
		_, name := op.Path.Split()
		return jsonscan.Rename(body, diag.Pointer(strings.TrimPrefix(string(op.From), "/body")), name)
	}
}
