package event

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON returns what [Result.AppendJSON] appends.
func (r Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the result as a line of the batch form, without a line end. Its members are id,
// which may be null, accepted, findings, which may be an empty array, truncated if it is true, event
// and remainder if there are any, and stored if it differs from event. If the request could not be
// checked, error takes the place of the members after accepted.
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

// appendAnswer appends the members that only a checked request has, each after a comma.
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
	if r.Stored != nil && !eventTable.Exact(r.Stored, r.Event) {
		dst = r.Stored.AppendJSON(append(dst, `,"stored":`...))
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

// onOneLine removes the line breaks from the JSON text that begins at start. Only members that are kept
// as they were written can contain any.
func onOneLine(dst []byte, start int) []byte {
	if !bytes.ContainsRune(dst[start:], '\n') {
		return dst
	}
	text := bytes.Clone(dst[start:])
	line := bytes.NewBuffer(dst[:start])
	if err := json.Compact(line, text); err != nil {
		return dst // the caller has set an ID that is not JSON
	}
	return line.Bytes()
}
