package batch

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/jsonscan"
)

// AppendError appends the answer to a line that cannot be checked. AppendError does not append a newline.
func AppendError(dst []byte, id json.RawMessage, err error) []byte {
	start := len(dst)
	dst = append(appendID(dst, id), `,"accepted":false,"error":`...)
	return onOneLine(append(appendValue(dst, err.Error()), '}'), start)
}

// AppendAnswer appends the answer to a request. AppendAnswer does not append a newline. The answer contains the members id
// (which may be null), accepted and findings (which may be an empty array). The answer also contains the members truncated if
// true, answerFindings if the response is known, event and remainder if they exist, and stored if it differs from event.
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
	start := len(dst)
	dst = append(dst, '[')
	for i := range found {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFinding(dst, &found[i])
	}
	return escapeHTML(append(dst, ']'), start)
}

// appendFinding appends a finding in the same form as [diag.Finding.MarshalJSON], but several times as fast.
func appendFinding(dst []byte, f *diag.Finding) []byte {
	dst = jsonscan.AppendQuote(append(dst, `{"rule":`...), f.Rule.String())
	if f.Cause != nil {
		dst = jsonscan.AppendQuote(append(dst, `,"cause":`...), f.Cause.String())
	}
	dst = jsonscan.AppendQuote(append(dst, `,"kind":`...), string(f.Kind))
	dst = jsonscan.AppendQuote(append(dst, `,"basis":`...), string(f.Basis))
	dst = jsonscan.AppendQuote(append(dst, `,"path":`...), string(f.Path))
	dst = jsonscan.AppendQuote(append(dst, `,"message":`...), f.Message())
	if f.Fix != nil {
		is := `,"fixIs":"choice"`
		if f.HasSafeFix() {
			is = `,"fixIs":"safe"`
		}
		dst = append(appendValue(append(dst, `,"fix":`...), f.Fix.Patch), is...)
	}
	return append(dst, '}')
}

// escapeHTML escapes the JSON text that begins at start as encoding/json does: <, >, &, U+2028 and U+2029.
func escapeHTML(dst []byte, start int) []byte {
	isEscaped := func(text string) bool { return bytes.Contains(dst[start:], []byte(text)) }
	if !slices.ContainsFunc([]string{"<", ">", "&", "\u2028", "\u2029"}, isEscaped) {
		return dst // the usual case
	}
	b := bytes.NewBuffer(dst[:start:start])
	json.HTMLEscape(b, dst[start:])
	return b.Bytes()
}

// appendEvents appends the event members of an answer, each preceded by a comma.
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

// appendValue appends the JSON encoding of a value that is known to be encodable.
func appendValue(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("batch: " + err.Error())
	}
	return append(dst, text...)
}

// onOneLine removes line breaks from the JSON text that begins at start. Line breaks can occur only in members that are
// copied verbatim from the request.
func onOneLine(dst []byte, start int) []byte {
	if !bytes.ContainsRune(dst[start:], '\n') {
		return dst
	}
	line := bytes.NewBuffer(nil)
	if err := json.Compact(line, dst[start:]); err != nil {
		return dst // the id is not valid JSON
	}
	return append(dst[:start], line.Bytes()...)
}
