package recurrence

import (
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// A fault is a part of a line that a rule reports because the part cannot be parsed or because programs may ignore it.
type fault struct {
	rule   *diag.Rule
	key    string // the key of one of the rule's sentences
	args   []diag.Arg
	offset int // in bytes from the start of the line, or whole
	kind   diag.Kind
	fix    *fix // the correction, or nil if the intended line is unknown
}

// whole is the offset of a fault that concerns the line as a whole.
const whole = -1

// maxFaults is the maximum number of faults kept per line, which bounds the memory that a very long line can use. The
// first fault that rejects the line is always kept.
const maxFaults = 32

// maxFixed is the maximum number of faults per line that are reported with the corrected line, since each copy is about as
// long as the line itself.
const maxFixed = 8

// fixedArg is the name of the argument that contains the corrected line.
const fixedArg = "fixed"

// reject records a fault that rejects the line, unless the dialect accepts such a line.
func (l *line) reject(rule *diag.Rule, offset int, key string, args ...diag.Arg) {
	l.rejectTo(nil, rule, offset, key, args...)
}

// rejectTo is like [line.reject], but for a fault that the change m corrects.
func (l *line) rejectTo(m *fix, rule *diag.Rule, offset int, key string, args ...diag.Arg) {
	f := fault{rule, key, args, offset, rule.KindOf(l.dialect, key), m}
	if f.kind != rule.Kind {
		l.note(f)
		return
	}
	l.faults, l.rejected = append(l.faults, f), true
}

func (l *line) advise(m *fix, rule *diag.Rule, offset int, key string, args ...diag.Arg) {
	l.note(fault{rule, key, args, offset, diag.Advise, m})
}

func (l *line) note(f fault) {
	if len(l.faults) < maxFaults {
		l.faults = append(l.faults, f)
	}
}

// firstRejected returns the index of the first rejected line, or -1 if there is none.
func firstRejected(lines []line) int {
	for i := range lines {
		if lines[i].rejected {
			return i
		}
	}
	return -1
}

// isFull reports whether the line is rejected and has the maximum number of faults. The rest of such a line need not be parsed.
func (l *line) isFull() bool { return l.rejected && len(l.faults) >= maxFaults }

// arguments returns the arguments of the sentence about the fault. The place is a character position, counted from 1.
func (f fault) arguments(line string) []diag.Arg {
	if f.offset < 0 {
		return f.args // the sentence does not mention a place
	}
	return append(f.args, diag.Number("place", utf8.RuneCountInString(line[:f.offset])+1))
}

// checkFaults reports the faults that break the reporter's rule.
func checkFaults(in *input, r engine.Reporter) {
	for i := range in.lines {
		l := &in.lines[i]
		for k, f := range l.faults {
			if f.rule != r.Rule() {
				continue
			}
			args := f.arguments(l.text)
			if k < maxFixed && f.fix != nil && f.fix.line == "" {
				args = append(args, diag.Value(fixedArg, f.fix.in(l.text)))
			}
			in.report(r.WithKind(f.kind), i, f.key, args...)
		}
	}
}

// report reports a finding about line i.
func (in *input) report(r engine.Reporter, i int, key string, args ...diag.Arg) {
	r.Report(diag.Pointer("").Index(i), key, append(args, diag.Value("value", in.lines[i].text))...)
}

// reject reports a finding that rejects line i. After that, the rules about instances no longer apply.
func (in *input) reject(r engine.Reporter, i int, key string, args ...diag.Arg) {
	in.lines[i].rejected = true
	in.report(r, i, key, args...)
}

// placed returns a sentence about a place within a line. The fix of the finding proposes the line without the fault.
func placed(key, text string) diag.Sentence {
	return diag.Sentence{Key: key, Text: "At character {place}: " + text, Fix: diag.Proposal{Arg: fixedArg}}
}

// withoutPlace returns the message of a finding without the prefix that [placed] adds.
func withoutPlace(f diag.Finding) string {
	place, _ := f.Arg("place")
	return strings.TrimPrefix(f.Message(), "At character "+place+": ")
}
