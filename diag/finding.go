package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Finding is one thing that a check found.
type Finding struct {
	Rule    *Rule   // the rule that was broken, or that had something to say
	Kind    Kind    // [Reject], [Ignore], [Advise] or [Unspecified], after grading
	Path    Pointer // where
	Message string  // for people: what was seen, the limit and what to do
}

// String gives the finding as one line: path, message and rule id.
func (f Finding) String() string {
	path := f.Path
	if path == "" {
		path = "/"
	}
	return fmt.Sprintf("%s: %s [%s]", path, f.Message, f.Rule.ID)
}

// Findings are the findings of one request: those about the query first, then those
// about the body in the order in which the places stand in it.
type Findings []Finding

// Rejected reports whether any finding rejects.
func (fs Findings) Rejected() bool {
	for i := range fs {
		if fs[i].Kind == Reject {
			return true
		}
	}
	return false
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

// Err returns nil unless a finding rejects. The error that it returns otherwise is an
// [*Error] that holds all findings, also those that do not reject:
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

// Error is a refusal as a Go error.
type Error struct {
	Findings Findings // all findings of the request, not only those that reject
}

// Error gives the rejecting findings, a line each.
func (e *Error) Error() string {
	var b strings.Builder
	for _, f := range e.Findings.Kind(Reject) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.String())
	}
	return b.String()
}

// Quote quotes a value of the payload for a message. Of a long value it quotes the beginning
// and tells the length: nobody wants a whole description in a log.
func Quote(s string) string {
	const most = 40
	if len(s) <= most {
		var buffer [4*most + 2]byte // as long as a quoted text of most bytes can be
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
