package between

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/refusal"
)

// Verdict compares the service's answer with the findings about the request.
type Verdict string

// The verdicts.
const (
	Unjudged          Verdict = ""                   // the request or the answer was not checked
	Agreed            Verdict = "agreed"             // both accept the request, or both refuse it
	RefusedThere      Verdict = "refused-there"      // the service refuses it for a reason unknown here
	AcceptedThere     Verdict = "accepted-there"     // the service accepts what the watcher was sure it would refuse
	AnsweredOtherwise Verdict = "answered-otherwise" // the answer differs from the expected answer
)

// maxRefusal is the maximum number of bytes of an error to read for its reason. The errors of the service are shorter.
const maxRefusal = 64 << 10

// compare sets the verdict about an exchange that is not a batch.
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

// refuse sets the verdict about an exchange whose answer is an error.
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

// explain returns the causes of the refusal of a request with findings. It uses only the status of an unreadable answer.
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

// plain returns the findings without their field Remembered.
func plain(found []Finding) (list diag.Findings) {
	for _, f := range found {
		list = append(list, f.Finding)
	}
	return list
}
