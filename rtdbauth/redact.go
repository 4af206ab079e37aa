package rtdbauth

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// RedactURL returns a URL, or the path and query of one, with "REDACTED" in place of everything
// that may be a credential. It is for logs. It accepts any text, and hides what is doubtful, such
// as a pair that cannot be decoded.
//
// RedactURL hides the values of parameters with the name of a credential, in any case and however
// often it is percent-encoded; the fragment; and the user information of every URL in the text,
// even of one in a parameter. It also hides other text before an @ if that text contains a colon.
// It takes linear time.
func RedactURL(raw string) string {
	spans := append(userinfoSpans(raw), doubtfulSpans(raw)...)
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	done := 0 // the end of the text that is written or hidden
	for i, s := range spans {
		if i == 0 || s.start > done {
			b.WriteString(raw[done:s.start] + redacted)
		}
		done = max(done, s.end)
	}
	return b.String() + raw[done:]
}

// span is the part of a text from start up to, but not including, end.
type span struct{ start, end int }

// maxDecodings is how often percent-encoded text is decoded. Text that can still be decoded then
// is doubtful.
const maxDecodings = 8

// userinfoSpans returns the user information of every URL in the text, before and after decoding.
func userinfoSpans(raw string) []span {
	var spans []span
	d := decoded{text: raw}
	for range maxDecodings {
		for _, s := range userinfo(d.text) {
			spans = append(spans, span{d.offset(s.start), d.offset(s.end)})
		}
		next, _ := d.decode()
		if len(next.text) == len(d.text) {
			break
		}
		d = next
	}
	return spans
}

// userinfo returns the text before the @ of every authority, and elsewhere the text before an @ if
// it contains a colon.
func userinfo(text string) []span {
	var spans []span
	last := strings.LastIndexByte(text, '@')
	for start := 0; start < len(text); {
		authority := beginsAuthority(text, start)
		ends := "/?#&"
		if authority {
			ends = "/?#" // user information may contain a & (RFC 3986 section 3.2.1)
		}
		piece := before(text[start:], ends)
		at := strings.LastIndexByte(piece, '@')
		switch {
		case at < 0 && authority && start < last && !hasPort(piece):
			return append(spans, span{start, last}) // a password contains a character that ends an authority
		case at < 0 && authority && hidesAt(piece):
			spans = append(spans, span{start, start + len(piece)})
		case at >= 0 && (authority || strings.Contains(piece[:at], ":")):
			spans = append(spans, span{start, start + at})
		}
		start += len(piece) + 1
	}
	return spans
}

// before returns the part of a text before the first of the characters.
func before(text, characters string) string {
	if i := strings.IndexAny(text, characters); i >= 0 {
		return text[:i]
	}
	return text
}

// hidesAt reports whether an authority contains a percent-encoded @. Once decoded, a slash before
// the @ could end the authority.
func hidesAt(authority string) bool {
	text, ok := plain(authority)
	return !ok || strings.Contains(text, "@")
}

// beginsAuthority reports whether an authority begins at the offset: after exactly two slashes. A
// URL with three has no host.
func beginsAuthority(text string, at int) bool {
	return strings.HasSuffix(text[:at], "//") && !strings.HasSuffix(text[:at], "///")
}

// hasPort reports whether an authority without user information has a valid port, or none.
func hasPort(authority string) bool {
	host := authority[strings.LastIndexByte(authority, ']')+1:] // an IPv6 address contains colons
	_, port, _ := strings.Cut(host, ":")
	return strings.Trim(port, "0123456789") == ""
}

// doubtfulSpans returns the parts of the text that may be credentials because of their name or
// form, and the fragment. Each extends to the next &, because a token may contain the other
// separators.
func doubtfulSpans(raw string) []span {
	var spans []span
	for start := 0; start <= len(raw); {
		piece := before(raw[start:], "&?;#")
		end := start + len(piece)
		from := doubtful(piece)
		if from < 0 && strings.HasPrefix(raw[end:], "#") {
			from = len(piece) + len("#")
		}
		if from >= 0 {
			chunk, _, _ := strings.Cut(raw[start:], "&")
			end = start + len(chunk)
			if strings.Contains(chunk, "#") {
				end = len(raw)
			}
			spans = append(spans, span{start + from, end})
		}
		start = end + 1
	}
	return spans
}

// doubtful returns the offset from which a piece may be a credential, or -1. If the piece is a
// parameter with the name of a credential, that is the offset of its value.
func doubtful(piece string) int {
	text, ok := plain(piece)
	if !ok {
		return 0
	}
	if raw, _, found := strings.Cut(piece, "="); found {
		// Decode the name alone: the decoded piece may contain an earlier = with a value before it.
		if name, _ := plain(raw); name == authName || name == accessTokenName {
			return len(raw) + len("=")
		}
	}
	name, _, assigned := strings.Cut(text, "=")
	if assigned && containsAny(name, "auth", "token") || containsAny(text, "auth=", "token=", "bearer ") {
		return 0
	}
	return -1
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// plain returns s as a careless reader may understand it: fully decoded, with + as a space, in
// lower case. It returns false if s has an invalid escape or needs too many decodings.
func plain(s string) (text string, ok bool) {
	d, ok := decoded{text: s}.decode()
	if !ok {
		return "", false
	}
	for range maxDecodings - 1 {
		next, _ := d.decode()
		if len(next.text) == len(d.text) {
			return strings.ToLower(strings.ReplaceAll(d.text, "+", " ")), true
		}
		d = next
	}
	return "", false
}

// decoded is a text after any number of decodings.
type decoded struct {
	text    string
	offsets []int // the original offset of each byte and of the end; nil if they have not changed
}

// offset returns the original offset of the byte i, or of the end.
func (d decoded) offset(i int) int {
	if d.offsets == nil {
		return i
	}
	return d.offsets[i]
}

// decode decodes the text once more, and reports whether every % began an escape. Other percent
// signs remain.
func (d decoded) decode() (next decoded, ok bool) {
	if !strings.Contains(d.text, "%") {
		return d, true
	}
	ok = true
	text, offsets := make([]byte, 0, len(d.text)), make([]int, 0, len(d.text)+1)
	for i := 0; i < len(d.text); {
		c, size := unescape(d.text[i:])
		ok = ok && (size > 1 || c != '%')
		text, offsets = append(text, c), append(offsets, d.offset(i))
		i += size
	}
	return decoded{string(text), append(offsets, d.offset(len(d.text)))}, ok
}

// unescape returns the first byte of s, decoded if it is percent-encoded, and the number of bytes
// that encode it: 1 or 3.
func unescape(s string) (c byte, size int) {
	if s[0] == '%' && len(s) >= len("%XX") {
		if n, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return byte(n), len("%XX")
		}
	}
	return s[0], 1
}
