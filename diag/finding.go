package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Finding is a result of a check.
type Finding struct {
	Rule    *Rule   // the rule that reports it
	Kind    Kind    // [Reject], [Ignore], [Advise] or [Unspecified], after grading
	Path    Pointer // the place in the request
	Message string  // what was seen, the limit, and what to do; for people
	Data            // the same as data, as far as it is known

	// Offset is where the value begins in the text of the body, in bytes; for a missing value, where
	// the object or array begins that lacks it. It is -1 if the finding is not about the body, or
	// the body is not text. It is not part of the JSON.
	Offset int
}

// Data is what the message of a finding says, as data. A field is empty if there is nothing to
// say. It is not part of the JSON of a finding.
type Data struct {
	Value      string // the value that was seen, not shortened; a number in decimal
	Limit      string // what the value must be, such as "0 to 40320" or "email or popup"
	Suggestion string // the allowed value that was probably meant
}

// String returns the path, message and rule id on one line. It leaves out the path of the whole
// body, which is empty.
func (f Finding) String() string {
	path := ""
	if f.Path != "" {
		path = string(f.Path) + ": "
	}
	return path + f.Message + " [" + f.rule().ID + "]"
}

// rule returns the rule of the finding, and one without an id for a finding that has none.
func (f Finding) rule() *Rule { return cmp.Or(f.Rule, &Rule{}) }

// Findings are the findings about a request: first those about the query, then those about the
// body, in the order of the document.
type Findings []Finding

// Rejected reports whether any finding rejects.
func (fs Findings) Rejected() bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Kind == Reject })
}

// Kind returns the findings of one kind, in order.
func (fs Findings) Kind(k Kind) Findings {
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

// Error is the rejection of a request as a Go error.
type Error struct {
	Findings Findings // all findings, including those that do not reject
}

// Error returns the rejecting findings, one per line.
func (e *Error) Error() string {
	var lines []string
	for _, f := range e.Findings.Kind(Reject) {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// Quote quotes a value for a message. It shortens a long value and adds its length, so that
// messages stay readable.
func Quote(s string) string {
	const most = 40
	if len(s) <= most {
		var buffer [162]byte // enough for 40 bytes like \xff and the quotes
		if isPlain(s) {
			return string(append(append(append(buffer[:0], '"'), s...), '"')) // takes half as long as adding them up
		}
		return string(strconv.AppendQuote(buffer[:0], s))
	}
	runes := 0
	for i := range s {
		if runes++; runes > most {
			return fmt.Sprintf("%q… (%d characters)", s[:i], utf8.RuneCountInString(s))
		}
	}
	return strconv.Quote(s)
}

// isPlain reports whether a quoted text has no escapes, because it is ASCII without quotes, backslashes and
// control characters.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
