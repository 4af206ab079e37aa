package diag

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/wording"
)

// Fix is a change to a request that resolves a finding.
type Fix struct {
	// Patch is a JSON Patch (RFC 6902). Patch applies to an object with the body and params members, like an input line of
	// calrules check --ndjson.
	Patch []PatchOperation

	// Safe reports whether the fixed request is the only possible meaning of the original. If Safe is false, a person should
	// confirm the fix.
	Safe bool
}

// HasSafeFix reports whether the finding has a safe fix.
func (f Finding) HasSafeFix() bool { return f.Fix != nil && f.Fix.Safe }

// PatchOperation is an operation of a JSON Patch: add, remove, replace or move.
type PatchOperation struct {
	Op    string          `json:"op"`
	From  Pointer         `json:"from,omitempty"`
	Path  Pointer         `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// The JSON values of the fixIs member.
const (
	isSafe   = "safe"
	isChoice = "choice"
)

// parts returns the values of the fix and fixIs members for a fix, which may be nil.
func (f *Fix) parts() (patch []PatchOperation, is string) {
	switch {
	case f == nil:
		return nil, ""
	case f.Safe:
		return f.Patch, isSafe
	default:
		return f.Patch, isChoice
	}
}

// Proposal is the change that a sentence proposes. The zero Proposal replaces the finding's value with the argument
// named suggestion, if there is one.
type Proposal struct {
	At      string // changes a member of the value, such as "/date", with placeholders; or a query parameter, such as "?text"
	Beside  string // changes another member of the object that contains the value
	Value   string // the new value as JSON, with placeholders; or "" to use Arg
	Arg     string // the name of the argument with the new value; "" means "suggestion"
	Add     bool   // the value may be missing
	Remove  bool   // removes the value
	None    bool   // proposes no fix, although the value has no effect, because the sentence suggests something else
	Rename  bool   // the argument is a new name for the member or parameter
	Certain bool   // no other meaning is possible; see [Fix.Safe]
}

// arg returns the name of the argument with the new value.
func (p Proposal) arg() string { return cmp.Or(p.Arg, "suggestion") }

// Propose returns the fix that the finding's sentence proposes, or false if there is none. The fix may not resolve the
// finding; see event.Checker.AddFixes.
func (f Finding) Propose() (fix Fix, ok bool) {
	f.Args = wording.Spelled(f.Args, wording.Dialect(f.Dialect))
	p, at := f.proposal(), f.place()
	value, hasValue := f.proposed(p)
	op := PatchOperation{Op: "replace", Path: at, Value: value}
	switch {
	case at == "" || f.Key == "" || p.None:
		return Fix{}, false
	case p.Remove, !hasValue && p == Proposal{} && f.Rule.KindOf(f.Dialect, f.Key) == Ignore:
		op = PatchOperation{Op: "remove", Path: at}
	case !hasValue:
		return Fix{}, false
	case p.Add:
		op.Op = "add"
	case p.Rename:
		op = PatchOperation{Op: "move", From: at, Path: beside(at, f.Suggestion())}
	case strings.HasPrefix(p.At, "?"):
		op.Op, op.Path = "add", Pointer("/params").Member(p.At[1:])
	case p.At != "":
		to, filled := f.filled(p.At)
		if op.Op, op.Path = "add", at+Pointer(to); !filled {
			return Fix{}, false
		}
	case p.Beside != "":
		op.Op, op.Path = "add", beside(at, p.Beside)
	}
	return Fix{Patch: []PatchOperation{op}, Safe: p.Certain}, true
}

// beside returns the place of another member of the object around a place.
func beside(at Pointer, name string) Pointer {
	around, _ := at.Split()
	return around.Member(name)
}

// proposal returns the proposal of the finding's sentence. The proposal is certain if an appended sentence makes it certain, or
// if the value differs from the proposed value only in case and surrounding spaces.
func (f *Finding) proposal() Proposal {
	p := f.sentence(f.Key).Fix
	for i := range f.Args {
		if a := &f.Args[i]; a.Kind == wording.OfAlso && f.sentence(a.Text).Fix.Certain {
			p.Certain = true
		}
	}
	if text, ok := f.Arg(p.arg()); ok && strings.EqualFold(strings.TrimSpace(f.Value()), text) {
		p.Certain = true
	}
	return p
}

// sentence returns the finding's sentence with the given key, or an empty sentence.
func (f *Finding) sentence(key string) Sentence {
	for _, says := range [...]Sentences{f.Says, f.Cause.says(), f.Rule.says(), common} {
		if i := slices.IndexFunc(says, func(s Sentence) bool { return s.Key == key }); i >= 0 {
			return says[i]
		}
	}
	return Sentence{}
}

// place returns the finding's place in an object with the body and params members, or "" if the object does not contain the
// place.
func (f *Finding) place() Pointer {
	switch {
	case f.Path == "":
		return "/body"
	case f.Path[0] == '/':
		return "/body" + f.Path
	case f.Path[0] == '?':
		return Pointer("/params").Member(string(f.Path[1:]))
	default:
		return ""
	}
}

// proposed returns the value of a proposal, or false if an argument is missing.
func (f *Finding) proposed(p Proposal) (value json.RawMessage, ok bool) {
	if p.Value != "" {
		text, filled := f.filled(p.Value)
		return json.RawMessage(text), filled
	}
	name := p.arg()
	i := slices.IndexFunc(f.Args, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	if f.Args[i].Kind == wording.OfJSON {
		return json.RawMessage(f.Args[i].Text), true
	}
	text, _ := f.Arg(name)
	value, _ = json.Marshal(text) // never fails for a string
	return value, true
}

// filled returns text with its placeholders replaced, or false if an argument is missing.
func (f *Finding) filled(text string) (string, bool) {
	for _, place := range placesOf(text) {
		arg, ok := f.Arg(place)
		if !ok {
			return "", false
		}
		text = strings.ReplaceAll(text, "{"+place+"}", arg)
	}
	return text, true
}
