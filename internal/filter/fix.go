package filter

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Fix corrects the request in a line, and returns the corrected request and the resolved findings, each with its Fix. The fix
// is a JSON value: "safe" applies the safe fixes, "all" applies all fixes, and "best" applies all fixes and then tries the
// [attempts] in order until no finding rejects the request. If fix is a JSON Patch, Fix applies it unchanged and returns no
// findings.
func Fix(req *batch.Request, text, fix []byte) (fixed *event.Request, made diag.Findings, err error) {
	checker := req.Checker(Checker(event.Checker{}, text))
	switch string(fix) {
	case `"safe"`:
		return checker.Fix(&req.Request, diag.Finding.HasSafeFix)
	case `"all"`:
		return checker.Fix(&req.Request, allFixes)
	case `"best"`:
		return best(checker, &req.Request)
	}
	var patch []diag.PatchOperation
	if json.Unmarshal(fix, &patch) != nil {
		return nil, nil, errors.New(`fix must be "safe", "all", "best" or a JSON Patch`)
	}
	fixed, ok := checker.Apply(&req.Request, patch)
	if !ok {
		return nil, nil, errors.New("the fix does not fit the request")
	}
	return fixed, nil, nil
}

func allFixes(diag.Finding) bool { return true }

// mostTries is the maximum number of checked attempts for a request; mostTried is the maximum total length
// of the checked bodies, and mostTrimmed is the maximum number of elements removed from the end of an array.
const (
	mostTries   = 128
	mostTried   = 64 << 20
	mostTrimmed = 32
)

// best applies all fixes and then, for each finding that still rejects, the first attempt that reduces the rejections.
// Faults that need a new value, such as a missing start, remain.
func best(c *event.Checker, req *event.Request) (fixed *event.Request, made diag.Findings, err error) {
	req, made, err = c.Fix(req, allFixes)
	if err != nil {
		return nil, nil, err
	}
	found, err := c.Find(req)
	if err != nil {
		return nil, nil, err
	}
	tries := min(mostTries, mostTried/(1+len(req.Body)))
	for i := 0; i < len(found) && tries > 0; {
		next, after, f := attempt(c, req, found, i, &tries)
		if next == nil {
			i++
			continue
		}
		made = append(made, f)
		req, found = next, after // index i now has another finding
	}
	return req, made, nil
}

// attempt tries to resolve the finding at index i, and returns the request after the first successful attempt, the findings
// about that request, and the resolved finding with its fix, or nil if no attempt succeeds.
func attempt(c *event.Checker, req *event.Request, found diag.Findings, i int, tries *int) (*event.Request, diag.Findings, diag.Finding) {
	f := found[i]
	if f.Kind != diag.Reject {
		return nil, nil, f
	}
	for _, patch := range attempts(req, &f) {
		if *tries--; *tries < 0 {
			break
		}
		next, ok := c.Apply(req, patch)
		if !ok {
			continue
		}
		if after, err := c.Find(next); err == nil && isLess(after, found) {
			f.Fix = &diag.Fix{Patch: patch}
			return next, after, f
		}
	}
	return nil, nil, f
}

// isLess reports whether fewer findings reject than before, and no rule rejects that did not reject before. Findings that were
// hidden by a syntax error are not considered new.
func isLess(after, before diag.Findings) bool {
	was, is := before.OfKind(diag.Reject), after.OfKind(diag.Reject)
	if was[0].Is(ruleid.JSONSyntax) {
		return !slices.ContainsFunc(is, func(f diag.Finding) bool { return f.Is(ruleid.JSONSyntax) })
	}
	return len(is) < len(was) && !slices.ContainsFunc(is, func(f diag.Finding) bool {
		return !slices.ContainsFunc(was, func(g diag.Finding) bool { return g.Rule == f.Rule })
	})
}

// attempts returns the patches to try for a finding, in this order: turn a malformed body into an object; add the zone of the
// calendar to a time; wrap a value in an array; remove the last elements of an array, a member of an object, the value, or the
// enclosing object or array.
func attempts(req *event.Request, f *diag.Finding) (patches [][]diag.PatchOperation) {
	if !f.Path.InBody() {
		return [][]diag.PatchOperation{{removal("/params/" + f.Path[1:])}}
	}
	at, value := "/body"+f.Path, valueAt(req.Body, f.Path)
	switch {
	case f.Is(ruleid.JSONSyntax):
		patches = readings(req.Body, f.Offset)
	case f.Is(ruleid.JSONType) && value != nil:
		patches = append(patches, []diag.PatchOperation{{Op: "replace", Path: at, Value: slices.Concat([]byte("["), value, []byte("]"))}})
	case (f.Is(ruleid.TimeOffset) || f.Is(ruleid.TimeZoneRecurring)) && req.Calendar != nil && req.Calendar.TimeZone != "":
		around, _ := at.Split()
		patches = append(patches, []diag.PatchOperation{{Op: "add", Path: around.Member("timeZone"), Value: jsonscan.AppendQuote(nil, req.Calendar.TimeZone)}})
	}
	patches = append(patches, trims(at, value)...)
	for name := range jsonscan.Of(value).Members() {
		patches = append(patches, []diag.PatchOperation{removal(at.Member(string(jsonscan.Unquote(name))))})
	}
	for ; at != "/body"; at, _ = at.Split() {
		patches = append(patches, []diag.PatchOperation{removal(at)})
	}
	return patches
}

// trims returns the patches that remove the last element of an array, the last two, and so on.
func trims(at diag.Pointer, array json.RawMessage) (patches [][]diag.PatchOperation) {
	elements := 0
	for range jsonscan.Of(array).Elements() {
		elements++
	}
	var last []diag.PatchOperation
	for i := elements - 1; i > 0 && len(last) < mostTrimmed; i-- {
		last = append(last, removal(at.Index(i)))
		patches = append(patches, slices.Clone(last))
	}
	return patches
}

func removal(path diag.Pointer) diag.PatchOperation {
	return diag.PatchOperation{Op: "remove", Path: path}
}

// readings returns the patches that may turn a malformed body into an object. A patch removes everything after the first value
// in the body, removes the character at the mistake, or replaces an array with its only element.
func readings(body []byte, mistake int) (patches [][]diag.PatchOperation) {
	var texts [][]byte
	if mistake > 0 && mistake < len(body) {
		texts = [][]byte{body[:mistake], slices.Concat(body[:mistake], body[mistake+1:])}
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) == 1 {
		texts = append(texts, list[0])
	}
	for _, text := range texts {
		patches = append(patches, []diag.PatchOperation{{Op: "replace", Path: "/body", Value: bytes.TrimSpace(text)}})
	}
	return patches
}

func valueAt(body []byte, at diag.Pointer) (value json.RawMessage) {
	if at == "" || jsonscan.Valid(body) != nil {
		return nil
	}
	if begin := jsonscan.Find(body, 0, at); begin >= 0 {
		_ = json.NewDecoder(bytes.NewReader(body[begin:])).Decode(&value) // the body is valid
	}
	return value
}
