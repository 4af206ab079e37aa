// Package redact finds what may be a credential in a URL, to hide it in logs and to remove it before
// a request is forwarded.
package redact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Redacted replaces hidden text.
const Redacted = "REDACTED"

// IsField reports whether the header field of the given name, which may have white space around it, contains a credential.
// Some readers trim the name (RFC 9112 section 5.1).
func IsField(name string) bool { return strings.EqualFold(strings.TrimSpace(name), "Authorization") }

// URL replaces everything in the text that may be a credential with [Redacted].
func URL(raw string) string {
	var b strings.Builder
	done := 0 // the end of the text that is written or hidden
	for i, s := range spans(raw) {
		if i == 0 || s.start > done {
			b.WriteString(raw[done:s.start] + Redacted)
		}
		done = max(done, s.end)
	}
	return b.String() + raw[done:]
}

// Query returns the parameters of a query in which [URL] hides nothing. The query ends at a #.
func Query(query string) string {
	query, _, _ = strings.Cut(query, "#")
	hidden := spans("?" + query)
	var kept []string
	start := len("?")
	for raw := range strings.SplitSeq(query, "&") {
		end := start + len(raw)
		for len(hidden) > 0 && hidden[0].end < start {
			hidden = hidden[1:]
		}
		if raw != "" && (len(hidden) == 0 || hidden[0].start > end) {
			kept = append(kept, raw)
		}
		start = end + len("&")
	}
	return strings.Join(kept, "&")
}

// span is the part of a text from start up to but not including end.
type span struct{ start, end int }

// spans returns everything that may be a credential, in order of its start.
func spans(raw string) []span {
	all := append(userinfoSpans(raw), doubtfulSpans(raw)...)
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return all
}

// maxDecodings is the maximum number of times percent-encoded text is decoded. Text that can then still be decoded is
// doubtful.
const maxDecodings = 8

// userinfoSpans returns the user information of every URL in the text, before and after decoding, for readers who
// remove tabs and line ends and for readers who keep them.
func userinfoSpans(raw string) []span {
	spans, split := userinfoOf(raw, decoded.asIs)
	if split {
		joined, _ := userinfoOf(raw, decoded.joined)
		spans = append(spans, joined...)
	}
	return spans
}

// userinfoOf returns the user information for a reader who decodes the text any number of times and prepares it each time.
// It also reports whether the text then contained characters that joined removes.
func userinfoOf(raw string, prepared func(decoded) decoded) (spans []span, split bool) {
	d := prepared(decoded{text: raw})
	for n := 1; ; n++ {
		split = split || strings.ContainsAny(d.text, removed)
		for _, s := range userinfo(d.text) {
			spans = append(spans, d.original(s))
		}
		next, _ := d.decode()
		switch at := strings.LastIndexByte(d.text, '@'); {
		case len(next.text) == len(d.text):
			return spans, split
		case n == maxDecodings: // what can still be decoded may begin an authority
			if from := strings.IndexByte(d.text, '%'); from < at {
				spans = append(spans, d.original(span{from, at}))
			}
			return spans, split
		}
		d = prepared(next)
	}
}

// userinfo returns the text before the @ of every authority, and elsewhere the text before an @ if
// it contains a colon.
func userinfo(text string) []span {
	var spans []span
	last := strings.LastIndexByte(text, '@')
	for start := 0; start < len(text); {
		authority := beginsAuthority(text, start)
		ends := `/\?#&`
		if authority {
			ends = `/\?#` // user information may contain a & (RFC 3986 section 3.2.1)
		}
		piece := before(text[start:], ends)
		at := strings.LastIndexByte(piece, '@')
		switch {
		case at < 0 && authority && start < last && hasColon(piece):
			// A text that looks like a port may be a password, or the part of a password before a slash.
			return append(spans, span{start, last})
		case at < 0 && authority && hidesAt(piece):
			spans = append(spans, span{start, start + len(piece)})
		case at >= 0 && (authority || strings.Contains(piece[:at], ":")):
			spans = append(spans, span{start, start + at})
		}
		start += len(piece) + 1
	}
	return spans
}

// before returns the part of a text before the first of the given characters.
func before(text, characters string) string {
	if i := strings.IndexAny(text, characters); i >= 0 {
		return text[:i]
	}
	return text
}

// hasColon reports whether an authority contains a colon that is not part of an IPv6 address.
func hasColon(authority string) bool {
	return strings.Contains(authority[strings.LastIndexByte(authority, ']')+1:], ":")
}

// hidesAt reports whether an authority contains a percent-encoded @. Once decoded, a slash before
// the @ could end the authority.
func hidesAt(authority string) bool {
	text, ok := plain(authority)
	return !ok || strings.Contains(text, "@")
}

// beginsAuthority reports whether some reader sees an authority at the offset: after two slashes, or
// after a colon and one. Many readers treat a backslash as a slash.
func beginsAuthority(text string, at int) bool {
	return at >= 2 && isSlash(text[at-1]) && (isSlash(text[at-2]) || text[at-2] == ':')
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

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

// announces reports whether a name or a scheme in a text announces a credential.
func announces(text string) bool {
	named := text[:max(0, strings.LastIndex(text, "="))]
	for _, name := range []string{"auth", "authorization", "token", scheme} {
		if strings.Contains(named, name) {
			return true
		}
		for _, after := range strings.Split(text, name)[1:] {
			next := strings.TrimLeftFunc(after, isBetween)
			if strings.HasPrefix(next, ":") || name == scheme && isBlank(after) {
				return true
			}
		}
	}
	return false
}

const scheme = "bearer"

// isBlank reports whether a text begins with a character that some reader treats as white space. In Latin-1, that may be a
// byte that is not UTF-8, which strings.ToLower replaces with U+FFFD.
func isBlank(text string) bool {
	c, size := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(c) || !unicode.IsGraphic(c) || c == utf8.RuneError && size > 0
}

// isBetween reports whether c may be between a name and its colon: white space, quotes, the backslashes that
// escape them, and brackets.
func isBetween(c rune) bool {
	return c != ':' && c != '/' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}

// removed are the characters that browsers remove from a URL.
const removed = "\t\n\r"

// announcesSplit reports whether a text announces a credential after removal of the tabs and line ends.
func announcesSplit(text string) bool {
	joined := decoded{text: text}.joined().text
	return joined != text && announces(joined)
}

// doubtful returns the offset from which a piece may be a credential, or -1. If the piece is a parameter with the name of
// a credential, that is the offset of its value.
func doubtful(piece string) int {
	text, ok := plain(piece)
	if !ok {
		return 0
	}
	// Decode the name alone: the decoded piece may contain an earlier = with a value before it.
	raw, _, assigned := strings.Cut(piece, "=")
	name, _ := plain(raw)
	switch named := name == "auth" || name == "access_token"; {
	case named && assigned:
		return len(raw) + len("=")
	case named || announces(text) || announcesSplit(text):
		return 0
	}
	return -1
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

// Decode decodes percent-encoded text once, and reports whether every % began an escape. Other
// percent signs remain.
func Decode(s string) (text string, ok bool) {
	d, ok := decoded{text: s}.decode()
	return d.text, ok
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

// original returns the original of a part of the text.
func (d decoded) original(s span) span { return span{d.offset(s.start), d.offset(s.end)} }

// asIs returns the text unchanged.
func (d decoded) asIs() decoded { return d }

// joined returns the text without the tabs and line ends.
func (d decoded) joined() decoded {
	if !strings.ContainsAny(d.text, removed) {
		return d
	}
	text, offsets := make([]byte, 0, len(d.text)), make([]int, 0, len(d.text))
	for i, c := range []byte(d.text) {
		if !strings.ContainsRune(removed, rune(c)) {
			text, offsets = append(text, c), append(offsets, d.offset(i))
		}
	}
	return decoded{string(text), append(offsets, d.offset(len(d.text)))}
}

// decode decodes the text once more, and reports whether every % began an escape.
func (d decoded) decode() (next decoded, ok bool) {
	if !strings.Contains(d.text, "%") {
		return d, true
	}
	ok = true
	text, offsets := make([]byte, 0, len(d.text)), make([]int, 0, len(d.text))
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
