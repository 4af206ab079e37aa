package between

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/refusal"
)

// A Verdict compares the service's response with the findings about the request.
type Verdict string

// The verdicts.
const (
	Unjudged          Verdict = ""                   // the request or the response was not checked
	Agreed            Verdict = "agreed"             // the watcher and the service both accept or both refuse the request
	RefusedThere      Verdict = "refused-there"      // the service refuses the request for a reason that the watcher does not know
	AcceptedThere     Verdict = "accepted-there"     // the service accepts a request that the watcher was certain it would refuse
	AnsweredOtherwise Verdict = "answered-otherwise" // the response differs from the expected response
)

// maxRefusal is the maximum number of bytes in an error response to search for the reason. The service's error responses are
// shorter.
const maxRefusal = 64 << 10

// compare sets the verdict for an exchange that is not a batch.
func (x *Exchange) compare(status int, header Header, body []byte, found diag.Findings, unchecked Reason) {
	switch {
	case x.Op == "" && len(x.Findings) == 0:
	case status >= 400:
		x.refuse(status, header, body)
	case x.Unchecked != "" || !isSuccess(status):
	case isCertain(plain(x.Findings)):
		x.Verdict = AcceptedThere
	case isCertain(found):
		x.Verdict = AnsweredOtherwise
	case unchecked == "":
		x.Verdict = Agreed
	}
}

// refuse sets the verdict for an exchange whose response is an error.
func (x *Exchange) refuse(status int, header Header, body []byte) {
	x.Refused = new(x.watcher.explain(status, header, body, x.Findings))
	switch {
	case x.Unchecked != "":
	case x.Refused.Known:
		x.Verdict = Agreed
	default:
		x.Verdict = RefusedThere
	}
}

// explain returns the causes for which the service refused a request with the given findings. If the response cannot be parsed,
// explain uses only the status.
func (w *Watcher) explain(status int, header Header, body []byte, found []Finding) refusal.Explanation {
	var refused refusal.Refusal
	text, unread := w.decoded(header, body, "")
	defer text.Release()
	if unread == "" {
		refused, _ = refusal.Parse(string(text.Text[:min(len(text.Text), maxRefusal)]))
	}
	refused.Status = status
	return refused.Explain(plain(found))
}

// plain returns the findings without the Remembered field.
func plain(found []Finding) (list diag.Findings) {
	for _, f := range found {
		list = append(list, f.Finding)
	}
	return list
}
