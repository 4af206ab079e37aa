package traffic

import (
	"cmp"
	"fmt"
	"io"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/visible"
)

// Write writes an exchange as text: a line for each finding, and a line for a verdict other than agreement. The string where is
// the prefix of each line.
func (x *Exchange) Write(out io.Writer, where string) {
	writeFindings(out, where, "", x.Findings)
	for i := range x.Parts {
		x.Parts[i].Write(out, x.PartOf(where, i))
	}
	writeFindings(out, where, "answer ", x.Answer)
	if x.Unchecked != "" {
		fmt.Fprintf(out, "%s: not checked: %s\n", where, visible.Text(string(x.Unchecked)))
	}
	x.writeVerdict(out, where)
}

// Request returns the method and path as text.
func (x *Exchange) Request() string {
	return cmp.Or(visible.Text(x.Method), "another method") + " " + cmp.Or(visible.Text(x.Path), "another path")
}

// PartOf returns the heading for the findings about part i of a batch, given the heading for the batch.
func (x *Exchange) PartOf(where string, i int) string {
	return fmt.Sprintf("%s: part %d, %s", where, i+1, x.Parts[i].Request())
}

func (x *Exchange) writeVerdict(out io.Writer, where string) {
	switch x.Verdict {
	case between.RefusedThere:
		fmt.Fprintf(out, "%s: %s\n", where, x.RefusedThere())
	case between.AcceptedThere:
		fmt.Fprintf(out, "%s: the service accepted the request with %d, but the rules reject it\n", where, x.Status)
	case between.AnsweredOtherwise:
		for _, f := range x.Answer {
			if f.Predicted+f.Recorded == "" {
				continue
			}
			fmt.Fprintf(out, "%s: answered differently: %spredicted %s, recorded %s\n", where, PathPrefix(f.Path), visible.Text(cmp.Or(f.Predicted, "nothing")), visible.Text(cmp.Or(f.Recorded, "nothing")))
		}
	}
}

// RefusedThere returns the message about a refusal for a reason unknown to the library.
func (x *Exchange) RefusedThere() string {
	return fmt.Sprintf("the service refused the request with %d for a reason that calrules does not know%s", x.Status, x.Refusal.inWords())
}

// inWords returns the reason, the message and the meaning of a refusal, each after a colon.
func (r *Refusal) inWords() string {
	var words string
	for _, part := range []string{r.Reason, r.Message, r.Meaning} {
		if part != "" {
			words += ": " + part
		}
	}
	return words
}

func writeFindings(out io.Writer, where, about string, findings []Finding) {
	for _, f := range findings {
		note := ""
		if f.Remembered {
			note = " (compared with the event read earlier)"
		}
		fmt.Fprintf(out, "%s: %s%s %s%s%s [%s]\n", where, about, f.Kind, PathPrefix(f.Path), visible.Text(f.Message), note, f.Rule)
	}
}

// PathPrefix returns the prefix with the path for the sentence of a finding, or "" for an empty path.
func PathPrefix(path diag.Pointer) string {
	if path == "" {
		return ""
	}
	return visible.Text(string(path)) + ": "
}
