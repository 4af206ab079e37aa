package recurrence

import (
	"fmt"

	"github.com/calrules/calrules/diag"
)

// fault is one thing that is wrong with a line, or worth saying about it.
type fault struct {
	rule    *diag.Rule
	advice  bool // it does not refuse the line
	offset  int  // in bytes from the start of the line, or whole
	message string
}

// whole is the offset of a fault that is not about a place within the line.
const whole = -1

// maxFaults bounds how many faults of one line are kept, so that a line of megabytes costs
// no more than to read it. The first that refuses the line is kept in any case.
const maxFaults = 32

// faults are those of one line, in the order in which they were found.
type faults struct {
	list     []fault
	rejected bool // one of them refuses the line
}

// refuse adds a fault that refuses the line. The offset is in bytes from the start of the
// line, or [whole].
func (f *faults) refuse(rule *diag.Rule, offset int, format string, args ...any) {
	if len(f.list) < maxFaults || !f.rejected {
		f.list = append(f.list, fault{rule: rule, offset: offset, message: fmt.Sprintf(format, args...)})
	}
	f.rejected = true
}

// enough reports whether the line is refused and no more faults are kept: the rest of it
// need not be read.
func (f *faults) enough() bool { return f.rejected && len(f.list) >= maxFaults }

// advise adds a fault that does not refuse the line.
func (f *faults) advise(rule *diag.Rule, offset int, format string, args ...any) {
	if len(f.list) < maxFaults {
		f.list = append(f.list, fault{rule: rule, offset: offset, advice: true, message: fmt.Sprintf(format, args...)})
	}
}

// maxQuoted is the most bytes of a sender's text that a message repeats.
const maxQuoted = 40

// quoted is text of the sender's; it prints in quotes and cut to [maxQuoted].
type quoted string

func (q quoted) String() string {
	if len(q) <= maxQuoted {
		return fmt.Sprintf("%q", string(q))
	}
	return fmt.Sprintf("%q...", string(q[:maxQuoted]))
}
