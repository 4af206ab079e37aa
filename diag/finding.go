package diag

import (
	"cmp"
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/wording"
)

// Finding is a result of a check. A Finding owns its data, so it does not keep the request body or an event in memory.
type Finding struct {
	Rule    *Rule   // the rule that reports the finding
	Cause   *Rule   // the broken rule, if Rule only explains how the fault arose; usually nil
	Kind    Kind    // [Reject], [Ignore], [Advise] or [Unspecified], after grading
	Certain Kind    // the kind before grading, according to the service's behavior in the dialect
	Basis   Basis   // the rule's basis, unless the case has another basis
	Path    Pointer // the place in the request
	Key     string  // the key of the rule's sentence; see [Rule.Says]
	Args    []Arg   // the values for the sentence's placeholders, and further values; see [Finding.Arg]
	Dialect Dialect // the dialect of the names in the message and Path

	// Offset is the byte offset of the value in the body or, for a missing value, of the object or array that lacks the value.
	// Offset is -1 if the finding is not about the body, or if the body was not JSON text. Offset is omitted from the JSON
	// encoding.
	Offset int

	Texts Texts     // sentences that replace the rule's sentences; usually nil
	Says  Sentences // further sentences, from a program that reports the rule elsewhere; usually nil

	// Fix is the change that corrects the request, if requested and available.
	Fix *Fix

	decoded string // the message, if the finding was decoded from JSON
}

// Is reports whether Rule or Cause has the given id.
func (f Finding) Is(id string) bool {
	return f.Rule != nil && f.Rule.ID == id || f.Cause != nil && f.Cause.ID == id
}

// Message returns a human-readable description of the finding, with the value, the limit and a remedy. The message is not
// cached. The wording of messages may change in any release.
func (f Finding) Message() string {
	if f.Key == "" {
		return f.decoded
	}
	f.Args = wording.Spelled(f.Args, wording.Dialect(f.Dialect))
	const usual = 256 // bytes
	text := f.say(make([]byte, 0, usual), f.Key, 0)
	for i := range f.Args {
		if f.Args[i].Kind == wording.OfAlso {
			text = f.say(append(text, ' '), f.Args[i].Text, 0)
		}
	}
	return string(text)
}

// Arg returns the argument with the given name as a string, or false if there is none. A value from the request is
// complete and unquoted.
func (f Finding) Arg(name string) (text string, ok bool) {
	f.Args = wording.Spelled(f.Args, wording.Dialect(f.Dialect))
	i := slices.IndexFunc(f.Args, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		return "", false
	}
	if k := f.Args[i].Kind; k == wording.OfValue || k == wording.OfJSON {
		return f.Args[i].Text, true
	}
	return string(f.appendArg(nil, &f.Args[i], 0)), true
}

// Value returns the complete value from the request, with numbers in decimal. Value returns "" if the finding is not
// about a value.
func (f Finding) Value() string { return f.argOrEmpty("value") }

// Limit returns the allowed values, such as "0 to 40320" or "email or popup", or "".
func (f Finding) Limit() string { return f.argOrEmpty("limit") }

// Suggestion returns the allowed value that was probably meant, or "".
func (f Finding) Suggestion() string { return f.argOrEmpty("suggestion") }

// OfOtherDialect reports whether the request used the other dialect's name for the suggestion.
func (f Finding) OfOtherDialect() bool {
	value := f.Value()
	return value != "" && value != f.Suggestion() && value == Google.Name(f.Suggestion())
}

func (f Finding) argOrEmpty(name string) string {
	text, _ := f.Arg(name)
	return text
}

// Equal reports whether two findings are the same: rule, cause, kind, basis, path, message and offset. Equal lets
// go-cmp compare findings.
func (f Finding) Equal(g Finding) bool {
	return f.Rule.Equal(g.Rule) && f.Cause.Equal(g.Cause) && f.Kind == g.Kind && f.Basis == g.Basis &&
		f.Path == g.Path && f.Offset == g.Offset && f.Message() == g.Message()
}

// Redacted returns f with each quoted value in its sentence replaced by (redacted), because values may be private, such as an
// address. Member names, limits, counts and the path remain, although the path may contain a name that a client chose. The
// result has no fix.
func (f Finding) Redacted() Finding {
	f.Args = slices.Clone(wording.Spelled(f.Args, wording.Dialect(f.Dialect)))
	for i := range f.Args {
		switch a := &f.Args[i]; a.Kind {
		case wording.OfValue, wording.OfPlain, wording.OfJSON, wording.OfCharacter:
			*a = wording.Text(a.Name, "(redacted)")
		}
	}
	f.Fix = nil
	return f
}

// String returns the path, message and rule id on one line. String omits the path if the finding is about the whole body.
func (f Finding) String() string {
	path := ""
	if f.Path != "" {
		path = string(f.Path) + ": "
	}
	return path + f.Message() + " [" + f.rule().ID + "]"
}

// rule returns the rule of the finding, or an empty rule.
func (f *Finding) rule() *Rule { return cmp.Or(f.Rule, &noRule) }

var noRule Rule // never modified

// Findings are the findings about a request. Findings about the query precede findings about the body, which are in document
// order.
type Findings []Finding

// Rejected reports whether any finding rejects.
func (fs Findings) Rejected() bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Kind == Reject })
}

// OfKind returns the findings of the given kind, in order.
func (fs Findings) OfKind(k Kind) Findings {
	var of Findings
	for _, f := range fs {
		if f.Kind == k {
			of = append(of, f)
		}
	}
	return of
}

// Err returns an [*Error] with all findings if any of them rejects, and nil otherwise:
//
//	var refused *diag.Error
//	if errors.As(err, &refused) {
//		for _, f := range refused.Findings { ... }
//	}
func (fs Findings) Err() error {
	if !fs.Rejected() {
		return nil
	}
	return &Error{Findings: fs}
}

// Error is an error that rejects a request.
type Error struct {
	Findings Findings // all findings, including findings that do not reject
}

// Error returns the rejecting findings, one per line.
func (e *Error) Error() string {
	var lines []string
	for _, f := range e.Findings.OfKind(Reject) {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}
