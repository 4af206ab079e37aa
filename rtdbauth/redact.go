package rtdbauth

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// RedactURL returns a URL, or the path and query of one, with "REDACTED" in the place of
// whatever may be a credential. It is for logs, and takes any text: where in doubt, as with
// what cannot be decoded, it hides.
//
// It knows the parameters by their names in any case and however often percent-encoded, and
// hides the fragment. It hides user information wherever a URL stands in the text, be it in
// the value of a parameter and percent-encoded, and whatever else stands before an @ and
// holds a colon. It takes a time that grows as the text does.
func RedactURL(raw string) string {
	spans := slices.AppendSeq(userinfoSpans(raw), doubtfulSpans(raw))
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	shown := 0 // up to where the text is shown or hidden already
	for i, s := range spans {
		if i == 0 || s.start > shown {
			b.WriteString(raw[shown:s.start] + redacted)
		}
		shown = max(shown, s.end)
	}
	return b.String() + raw[shown:]
}

// span is a part of a text: from the first byte on, and before the second.
type span struct{ start, end int }

// mostDecodings is how often what is percent-encoded is decoded. Nobody encodes as often but
// to keep a reader busy, or to get past one; what can be decoded further is doubtful.
const mostDecodings = 8

// userinfoSpans returns the user information of every URL in the text, as it was sent and as
// a reader further on might decode it.
func userinfoSpans(raw string) []span {
	var spans []span
	r := reading{text: raw}
	for range mostDecodings {
		for s := range userinfo(r.text) {
			spans = append(spans, span{r.origin(s.start), r.origin(s.end)})
		}
		next, _ := r.decode()
		if len(next.text) == len(r.text) {
			break
		}
		r = next
	}
	return spans
}

// userinfo yields what stands before the @ in an authority, and elsewhere what may have been
// meant so: it holds a colon.
func userinfo(text string) iter.Seq[span] {
	return func(yield func(span) bool) {
		last := strings.LastIndexByte(text, '@')
		for start := 0; start < len(text); {
			piece, authority := text[start:], beginsAuthority(text, start)
			ends := "/?#&"
			if authority {
				ends = "/?#" // user information may hold a & (RFC 3986 section 3.2.1)
			}
			if i := strings.IndexAny(piece, ends); i >= 0 {
				piece = piece[:i]
			}
			at := strings.LastIndexByte(piece, '@')
			switch {
			case at < 0 && authority && start < last && !hasPort(piece):
				yield(span{start, last}) // a password holds what ends an authority
				return
			case at < 0 && authority && hidesAt(piece):
				if !yield(span{start, start + len(piece)}) {
					return
				}
			case at >= 0 && (authority || strings.Contains(piece[:at], ":")):
				if !yield(span{start, start + at}) {
					return
				}
			}
			start += len(piece) + 1
		}
	}
}

// hidesAt reports whether there is an @ in what has to be decoded first, by when a slash that was
// encoded too may end the authority before it.
func hidesAt(authority string) bool {
	text, ok := plain(authority)
	return !ok || strings.Contains(text, "@")
}

// beginsAuthority reports whether an authority begins at the index: after two slashes, not
// more, for after three there is no host and so no user.
func beginsAuthority(text string, at int) bool {
	return strings.HasSuffix(text[:at], "//") && !strings.HasSuffix(text[:at], "///")
}

// hasPort reports whether an authority without user information has a port that is one, or
// none.
func hasPort(authority string) bool {
	host := authority[strings.LastIndexByte(authority, ']')+1:] // the address holds colons
	_, port, _ := strings.Cut(host, ":")
	return strings.Trim(port, "0123456789") == ""
}

// doubtfulSpans yields what of the text may be a credential by its name or its look, and the
// fragment. Each span goes to the end of its chunk: a chunk holds no &, while the other
// characters at which it is taken apart may also stand within a token.
func doubtfulSpans(raw string) iter.Seq[span] {
	return func(yield func(span) bool) {
		start := 0
		for chunk := range strings.SplitSeq(raw, "&") {
			end := start + len(chunk)
			fragment := strings.Contains(chunk, "#")
			if fragment {
				end = len(raw)
			}
			if shown := undoubted(chunk); shown >= 0 && !yield(span{start + shown, end}) || fragment {
				return
			}
			start = end + 1
		}
	}
}

// undoubted returns how much of a chunk's beginning is no credential, or -1 where all of it is
// none.
func undoubted(chunk string) int {
	for start := 0; ; {
		end := len(chunk)
		if i := strings.IndexAny(chunk[start:], "?;#"); i >= 0 {
			end = start + i
		}
		switch shown := undoubtedPiece(chunk[start:end]); {
		case shown >= 0:
			return start + shown
		case end == len(chunk):
			return -1
		case chunk[end] == '#':
			return end + 1
		}
		start = end + 1
	}
}

// undoubtedPiece is [undoubted] for a piece that nothing takes further apart. Of one that may
// hold a credential only the name of a parameter of the service is none.
func undoubtedPiece(piece string) int {
	text, ok := plain(piece)
	if !ok {
		return 0
	}
	if raw, _, found := strings.Cut(piece, "="); found {
		// The name by itself: decoded, the piece may hold another = and the value before it.
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
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// plain returns what a careless reader might understand: s decoded as often as there is
// something to decode, + as a space, all in lower case. It reports false where s cannot be
// decoded, or not within [mostDecodings].
func plain(s string) (text string, ok bool) {
	r, ok := reading{text: s}.decode()
	if !ok {
		return "", false
	}
	for range mostDecodings - 1 {
		next, _ := r.decode()
		if len(next.text) == len(r.text) {
			return strings.ToLower(strings.ReplaceAll(r.text, "+", " ")), true
		}
		r = next
	}
	return "", false
}

// reading is a text as it reads after it was decoded, perhaps several times.
type reading struct {
	text string
	from []int // where each byte, and the end, stood when it was sent; nil where all still do
}

// origin returns where the byte i of the text, or its end, stood when it was sent.
func (r reading) origin(i int) int {
	if r.from == nil {
		return i
	}
	return r.from[i]
}

// decode returns the text decoded once more, and whether each % of it began an escape. One
// that does not stays, as it does for a careless reader.
func (r reading) decode() (next reading, ok bool) {
	if !strings.Contains(r.text, "%") {
		return r, true
	}
	text, from, ok := make([]byte, 0, len(r.text)), make([]int, 0, len(r.text)+1), true
	for i := 0; i < len(r.text); {
		c, size := r.text[i], 1
		if c == '%' {
			if c, size = unescape(r.text[i:]); size == 1 {
				ok = false
			}
		}
		text, from = append(text, c), append(from, r.origin(i))
		i += size
	}
	return reading{string(text), append(from, r.origin(len(r.text)))}, ok
}

// unescape returns the byte that s begins with, and in how many bytes it stands there: three
// where it is escaped.
func unescape(s string) (c byte, size int) {
	if len(s) < len("%XX") {
		return s[0], 1
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	if err != nil {
		return s[0], 1
	}
	return byte(n), len("%XX")
}

// withoutUser returns a URL up to its query without the user information of its authority,
// which follows the first two slashes; without slashes before it, all up to the first one
// could be one.
func withoutUser(address string) string {
	start := 0
	if i := strings.Index(address, "/"); i >= 0 && strings.HasPrefix(address[i:], "//") {
		start = i + len("//")
	}
	authority, _, _ := strings.Cut(address[start:], "/")
	return address[:start] + address[start+strings.LastIndexByte(authority, '@')+1:]
}
