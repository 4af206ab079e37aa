package event

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/operation"
)

// String returns the event as JSON on one line, as [Event.MarshalJSON] does.
func (e Event) String() string { return string(e.AppendJSON(nil)) }

// GoString returns the same string as [Event.String]. Tests that print an event in Go syntax thus show the values
// behind pointers and in unexported fields.
func (e Event) GoString() string { return e.String() }

// String returns the request as a line of JSON for `calrules check --ndjson`. A body that is not UTF-8 JSON becomes the
// bodyText member. The result omits functions in the Calendar.
func (r Request) String() string { return string(r.AppendJSON(nil)) }

// AppendJSON appends the result of [Request.String] to dst.
func (r Request) AppendJSON(dst []byte) []byte {
	start := len(dst)
	dst = jsonscan.AppendQuote(append(dst, `{"op":`...), string(r.Op))
	if r.Params != nil {
		params, _ := r.Params.MarshalJSON() // never fails
		dst = append(append(dst, `,"params":`...), params...)
	}
	if r.Existing != nil {
		dst = r.Existing.AppendIn(r.Dialect, append(dst, `,"existing":`...))
	} else if r.Absent {
		dst = append(dst, `,"existing":null`...)
	}
	dst = r.appendBody(dst)
	if r.IfMatch != "" {
		dst = jsonscan.AppendQuote(append(dst, `,"ifMatch":`...), r.IfMatch)
	}
	if r.Caller != nil {
		dst = append(append(dst, `,"caller":`...), encoded(r.Caller)...)
	}
	if r.Calendar != nil {
		dst = append(append(dst, `,"calendar":`...), encoded(listed(r.Calendar))...)
	}
	if r.Series != nil {
		dst = r.Series.AppendIn(r.Dialect, append(dst, `,"series":`...))
	}
	if r.Status != 0 {
		dst = strconv.AppendInt(append(dst, `,"status":`...), int64(r.Status), 10)
	}
	if r.Answer != nil {
		dst = append(append(dst, `,"answer":`...), r.Answer...)
	}
	if r.Dialect == diag.Google {
		dst = append(append(dst, `,"dialect":`...), encoded(r.Dialect)...)
	}
	return onOneLine(append(dst, '}'), start)
}

// GoString returns the same string as [Request.String], for the same reason as [Event.GoString].
func (r Request) GoString() string { return r.String() }

// encoded returns the JSON encoding of a value that can always be encoded, without escaping HTML characters.
func encoded(v any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("event: " + err.Error())
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// appendBody appends the member that contains the body, if there is a body.
func (r *Request) appendBody(dst []byte) []byte {
	switch {
	case r.Event != nil:
		return r.Event.AppendIn(r.Dialect, append(dst, `,"body":`...))
	case r.Body == nil:
		return dst
	case utf8.Valid(r.Body) || !isWTF8(r.Body):
		if with, err := jsonscan.AppendCompact(append(dst, `,"body":`...), r.Body); err == nil {
			return with
		}
	}
	return jsonscan.AppendQuoteWTF8(append(dst, `,"bodyText":`...), string(r.Body))
}

// isWTF8 reports whether the bodyText member can represent text.
func isWTF8(text []byte) bool {
	return bytes.Equal(jsonscan.UnquoteWTF8(jsonscan.AppendQuoteWTF8(nil, string(text))), text)
}

// onOneLine removes the line breaks from the JSON at text[start:]. Only a body, a homeOffice or an undocumented member
// can contain line breaks. A homeOffice that a program sets need not be JSON.
func onOneLine(text []byte, start int) []byte {
	if bytes.IndexByte(text[start:], '\n') < 0 {
		return text
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text[start:]); err != nil {
		for i, c := range text[start:] {
			if c == '\n' {
				text[start+i] = ' '
			}
		}
		return text
	}
	return append(text[:start], line.Bytes()...)
}

// listed returns a copy of c without the sets that are not lists.
func listed(c *operation.Calendar) *operation.Calendar {
	printed := *c
	for _, ids := range []*operation.IDs{&printed.Colors, &printed.Labels, &printed.Buildings, &printed.IDs} {
		list, ok := (*ids).(operation.IDList)
		if *ids = nil; ok {
			*ids = append(operation.IDList{}, list...) // never nil, which would encode as null
		}
	}
	return &printed
}
