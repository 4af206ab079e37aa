package rtdbauth

import (
	"net/url"
	"strings"
)

// RedactURL returns a URL, or the path and query of one, with "REDACTED" in the place of
// whatever may be a credential. It is for logs, and takes any text: where in doubt, as with
// what cannot be decoded, it hides. It knows the parameters by their names in any case and
// however often percent-encoded, and hides user information and the fragment.
func RedactURL(raw string) string {
	chunks := strings.Split(redactUserinfo(raw), "&")
	for i, chunk := range chunks {
		chunks[i] = redactChunk(chunk)
	}
	return strings.Join(chunks, "&")
}

// redactUserinfo hides what stands before an @ in the authority.
func redactUserinfo(raw string) string {
	start := strings.Index(raw, "//")
	if start < 0 {
		return raw
	}
	start += len("//")
	end := len(raw)
	if i := strings.IndexAny(raw[start:], "/?#"); i >= 0 {
		end = start + i
	}
	if at := strings.LastIndex(raw[start:end], "@"); at >= 0 {
		return raw[:start] + redacted + raw[start+at:]
	}
	return raw
}

// redactChunk hides from the first doubtful piece of the chunk to its end. A chunk holds no
// &; the other characters at which it is taken apart may also stand within a token.
func redactChunk(chunk string) string {
	for start := 0; ; {
		end := len(chunk)
		if i := strings.IndexAny(chunk[start:], "?;#"); i >= 0 {
			end = start + i
		}
		switch kept, hide := redactPiece(chunk[start:end]); {
		case hide:
			return chunk[:start] + kept + redacted
		case end == len(chunk):
			return chunk
		case chunk[end] == '#':
			return chunk[:end+1] + redacted
		}
		start = end + 1
	}
}

// redactPiece reports whether a piece may hold a credential, and what of its beginning does
// not: the name of a parameter of the service.
func redactPiece(piece string) (kept string, hide bool) {
	text, ok := decodeFully(piece)
	if !ok {
		return "", true
	}
	text = strings.ToLower(text)
	name, _, assigned := strings.Cut(text, "=")
	if raw, _, found := strings.Cut(piece, "="); found && (name == authName || name == accessTokenName) {
		return raw + "=", true
	}
	return "", assigned && containsAny(name, "auth", "token") || containsAny(text, "auth=", "token=", "bearer ")
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// decodeFully decodes as often as there is something to decode, as a careless reader
// further on might. It reports false where s cannot be decoded at all.
func decodeFully(s string) (text string, ok bool) {
	text, err := url.QueryUnescape(s)
	if err != nil {
		return "", false
	}
	for {
		next, err := url.QueryUnescape(text)
		if err != nil || next == text {
			return text, true
		}
		text = next
	}
}
