package event

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the result as [Result.AppendJSON] does.
func (r Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the result as a line of the batch form, without a line end: id (null
// where the request has none) and accepted; then findings, which are an array also where
// there are none, truncated where it is true, and event and
// remainder where there are any. A request that
// could not be checked is answered with error in place of these.
func (r *Result) AppendJSON(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, `{"id":`...)
	if len(r.ID) == 0 {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, r.ID...)
	}
	if r.Error != "" {
		dst = append(dst, `,"accepted":false,"error":`...)
		dst = appendValue(dst, r.Error)
	} else {
		dst = r.appendAnswer(dst)
	}
	return onOneLine(append(dst, '}'), start)
}

// appendAnswer appends the members of a request that was checked, each after a comma.
func (r *Result) appendAnswer(dst []byte) []byte {
	if r.Accepted {
		dst = append(dst, `,"accepted":true,"findings":[`...)
	} else {
		dst = append(dst, `,"accepted":false,"findings":[`...)
	}
	for i := range r.Findings {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, &r.Findings[i])
	}
	dst = append(dst, ']')
	if r.Truncated {
		dst = append(dst, `,"truncated":true`...)
	}
	if r.Event != nil {
		dst = r.Event.AppendJSON(append(dst, `,"event":`...))
	}
	if r.Remainder != nil {
		dst = r.Remainder.AppendJSON(append(dst, `,"remainder":`...))
	}
	return dst
}

// appendValue appends a value that always encodes: a string or a finding.
func appendValue(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("event: " + err.Error())
	}
	return append(dst, text...)
}

// onOneLine takes the line breaks out of the JSON text that begins at start. Only members
// that are kept as they were written can have brought any.
func onOneLine(dst []byte, start int) []byte {
	if !bytes.ContainsRune(dst[start:], '\n') {
		return dst
	}
	text := bytes.Clone(dst[start:])
	line := bytes.NewBuffer(dst[:start])
	if err := json.Compact(line, text); err != nil {
		return dst // an ID that the caller made, and that is no JSON
	}
	return line.Bytes()
}
