package batch

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// AppendError appends the answer to a line that cannot be checked, without a line end.
func AppendError(dst []byte, id json.RawMessage, err error) []byte {
	start := len(dst)
	dst = append(appendID(dst, id), `,"accepted":false,"error":`...)
	return onOneLine(append(appendValue(dst, err.Error()), '}'), start)
}

// AppendAnswer appends the answer to a request, without a line end. Its members are id, which may be
// null, accepted, findings, which may be an empty array, truncated if it is true, answerFindings if the answer is known,
// event and remainder if there are any, and stored if it differs from event.
func AppendAnswer(dst []byte, id json.RawMessage, r event.Result) []byte {
	start := len(dst)
	dst = append(appendID(dst, id), `,"accepted":`...)
	dst = appendFindings(append(strconv.AppendBool(dst, r.Accepted), `,"findings":`...), r.Findings)
	if r.Truncated {
		dst = append(dst, `,"truncated":true`...)
	}
	if r.AnswerFindings != nil {
		dst = appendFindings(append(dst, `,"answerFindings":`...), r.AnswerFindings)
	}
	return onOneLine(append(appendEvents(dst, r), '}'), start)
}

func appendFindings(dst []byte, found diag.Findings) []byte {
	dst = append(dst, '[')
	for i := range found {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFinding(dst, &found[i])
	}
	return append(dst, ']')
}

// appendFinding is appendValue for a finding, which encodes itself; json.Marshal would read its text again.
func appendFinding(dst []byte, f *diag.Finding) []byte {
	text, err := f.MarshalJSON()
	if err != nil {
		panic("batch: " + err.Error())
	}
	b := bytes.NewBuffer(dst)
	json.HTMLEscape(b, text)
	return b.Bytes()
}

// appendEvents appends the events of an answer, each after a comma.
func appendEvents(dst []byte, r event.Result) []byte {
	if r.Answer != nil {
		dst = r.Answer.AppendIn(r.Dialect, append(dst, `,"event":`...))
	}
	if r.Stored != nil && r.Stored != r.Answer && (r.Answer == nil || !r.Stored.Equal(*r.Answer)) {
		dst = r.Stored.AppendIn(r.Dialect, append(dst, `,"stored":`...))
	}
	if r.CancelledCopy != nil {
		dst = r.CancelledCopy.AppendIn(r.Dialect, append(dst, `,"remainder":`...))
	}
	return dst
}

func appendID(dst []byte, id json.RawMessage) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return append(append(dst, `{"id":`...), id...)
}

// appendValue appends a value that always encodes.
func appendValue(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("batch: " + err.Error())
	}
	return append(dst, text...)
}

// onOneLine removes the line breaks from the JSON text that begins at start. Only members that are kept
// as they were written can contain any.
func onOneLine(dst []byte, start int) []byte {
	if !bytes.ContainsRune(dst[start:], '\n') {
		return dst
	}
	line := bytes.NewBuffer(nil)
	if err := json.Compact(line, dst[start:]); err != nil {
		return dst // the id is not JSON
	}
	return append(dst[:start], line.Bytes()...)
}
