// Package redact finds possible credentials in URLs, to hide them in logs and to remove them before a request is forwarded.
package redact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Redacted is the string that replaces hidden parts of a URL.
const Redacted = "REDACTED"

// IsField reports whether the header field with the given name contains a credential. IsField ignores white space
// around the name, which some servers trim (RFC 9112 section 5.1).
func IsField(name string) bool { return strings.EqualFold(strings.TrimSpace(name), "Authorization") }

// URL replaces each part of the string that may be a credential with [Redacted].
func URL(raw string) string {
	var b strings.Builder
	done := 0 // the end of the part already written or hidden
	for i, s := range spans(raw) {
		if i == 0 || s.start > done {
			b.WriteString(raw[done:s.start] + Redacted)
		}
		done = max(done, s.end)
	}
	return b.String() + raw[done:]
}

// Query returns the query without the parameters in which [URL] hides anything. Query discards a # and everything after it.
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

// A span is the part of a string from start up to but not including end.
type span struct{ start, end int }

// spans returns all parts that may be credentials, in order of start.
func spans(raw string) []span {
	all := append(userinfoSpans(raw), doubtfulSpans(raw)...)
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return all
}

// maxDecodings is the maximum number of times that percent-encoded text is decoded. Text that could be decoded even
// further is treated as a possible credential.
const maxDecodings = 8

// userinfoSpans returns the user information in every URL that the string contains, before and after decoding, allowing for
// servers that remove tabs and line breaks as well as servers that keep them.
func userinfoSpans(raw string) []span {
	spans, split := userinfoOf(raw, decoded.asIs)
	if split {
		joined, _ := userinfoOf(raw, decoded.joined)
		spans = append(spans, joined...)
	}
	return spans
}

// userinfoOf returns any user information that a reader could find by decoding raw repeatedly, calling prepared before each
// decoding, and reports whether raw contained, after any number of decodings, characters that joined removes.
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
		case n == maxDecodings: // text that can still be decoded may begin an authority
			if from := strings.IndexByte(d.text, '%'); from < at {
				spans = append(spans, d.original(span{from, at}))
			}
			return spans, split
		}
		d = prepared(next)
	}
}

// userinfo returns the spans before the @ in authorities and, outside authorities, the spans that contain a colon and
// end at an @.
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
			// A string that looks like a port may be a password, or the part of a password before a slash.
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

// before returns the part of text before the first of the given characters.
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

// hidesAt reports whether an authority may contain a percent-encoded @. In the decoded text, a slash before the @ could
// end the authority.
func hidesAt(authority string) bool {
	text, ok := plain(authority)
	return !ok || strings.Contains(text, "@")
}

// beginsAuthority reports whether some reader could find an authority at the offset: after two slashes, or after a colon and a
// slash. Many servers treat a backslash as a slash.
func beginsAuthority(text string, at int) bool {
	return at >= 2 && isSlash(text[at-1]) && (isSlash(text[at-2]) || text[at-2] == ':')
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// doubtfulSpans returns the parts of the string that may be credentials because of their name or form, and the fragment. Each
// doubtful part extends to the next &, because a token may contain the other separators.
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

// announces reports whether a name or a scheme in text indicates that a credential follows.
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

// isBlank reports whether text begins with a character that some reader treats as white space. This includes U+FFFD, because
// strings.ToLower produces U+FFFD for an invalid byte, which may be white space in Latin-1.
func isBlank(text string) bool {
	c, size := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(c) || !unicode.IsGraphic(c) || c == utf8.RuneError && size > 0
}

// isBetween reports whether c may appear between a name and its colon, as white space, quotes, backslashes and brackets may.
func isBetween(c rune) bool {
	return c != ':' && c != '/' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}

// removed contains the characters that browsers remove from a URL.
const removed = "\t\n\r"

// announcesSplit reports whether text, without tabs and line breaks, indicates that a credential follows.
func announcesSplit(text string) bool {
	joined := decoded{text: text}.joined().text
	return joined != text && announces(joined)
}

// doubtful returns the offset at which a possible credential begins in a piece, or -1 if there is none. If the piece is a
// parameter with the name of a credential, doubtful returns the offset of its value.
func doubtful(piece string) int {
	text, ok := plain(piece)
	if !ok {
		return 0
	}
	// Decode the name separately, because the decoded piece may contain an earlier = with a value before it.
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

// plain returns s as a lenient reader may interpret it: fully decoded, with + replaced with a space, and in lower case, or
// false if s has an invalid escape or would have to be decoded too often.
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

// Decode decodes percent-encoded text once, and reports whether every % began a valid escape. Percent signs that do not begin
// an escape are kept.
func Decode(s string) (text string, ok bool) {
	d, ok := decoded{text: s}.decode()
	return d.text, ok
}

// decoded is a string after any number of decodings.
type decoded struct {
	text    string
	offsets []int // the original offset of each byte and of the end; nil if no offset has changed
}

// offset returns the original offset of byte i, or of the end.
func (d decoded) offset(i int) int {
	if d.offsets == nil {
		return i
	}
	return d.offsets[i]
}

// original returns the span in the original string that corresponds to a span in the decoded text.
func (d decoded) original(s span) span { return span{d.offset(s.start), d.offset(s.end)} }

// asIs returns d unchanged.
func (d decoded) asIs() decoded { return d }

// joined returns d without tabs and line breaks.
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

// decode decodes d once more, and reports whether every % began a valid escape.
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

// unescape returns the first byte of s, decoded if it is percent-encoded, and the number of bytes in its encoding, which
// is 1 or 3.
func unescape(s string) (c byte, size int) {
	if s[0] == '%' && len(s) >= len("%XX") {
		if n, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return byte(n), len("%XX")
		}
	}
	return s[0], 1
}
