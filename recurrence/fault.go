package recurrence

import (
	"fmt"
	"slices"

	"github.com/calrules/calrules/diag"
)

type fault struct {
	rule    *diag.Rule
	kind    diag.Kind // Reject or Advise
	offset  int       // in bytes from the start of the line, or whole
	message string
}

// whole is the offset of a fault that is not about a place within the line.
const whole = -1

// maxFaults is how many faults of one line are kept, so that a line of megabytes costs no more
// than reading it. The first one that rejects the line is always kept.
const maxFaults = 32

// faults are the faults of one line, in the order in which they were found.
type faults struct {
	list     []fault
	rejected bool // one of them rejects the line
}

func (f *faults) reject(rule *diag.Rule, offset int, format string, args ...any) {
	if len(f.list) < maxFaults || !f.rejected {
		f.list = append(f.list, fault{rule, diag.Reject, offset, fmt.Sprintf(format, args...)})
	}
	f.rejected = true
}

func (f *faults) advise(rule *diag.Rule, offset int, format string, args ...any) {
	if len(f.list) < maxFaults {
		f.list = append(f.list, fault{rule, diag.Advise, offset, fmt.Sprintf(format, args...)})
	}
}

// isFull reports whether the line is rejected and no more faults are kept, so that the rest of
// it need not be read.
func (f *faults) isFull() bool { return f.rejected && len(f.list) >= maxFaults }

// firstRejecting returns the first fault that rejects the line. There must be one.
func (f *faults) firstRejecting() fault {
	return f.list[slices.IndexFunc(f.list, func(f fault) bool { return f.kind == diag.Reject })]
}

// maxQuoted is the most bytes of a sender's text that a message repeats.
const maxQuoted = 40

// quoted is text from the sender. It prints in quotes, cut to maxQuoted.
type quoted string

func (q quoted) String() string {
	if len(q) <= maxQuoted {
		return fmt.Sprintf("%q", string(q))
	}
	return fmt.Sprintf("%q...", string(q[:maxQuoted]))
}
