package rtdbauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"

	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

// Token is text that is or may contain a secret: a credential, a URL, or the value of a header field. Only [Token.Reveal]
// returns the text; a Token is formatted, logged and encoded as "REDACTED". The zero Token is empty.
//
// Tokens cannot be compared with == or used as map keys; see [Token.Equal].
type Token struct {
	// A function, because fmt shows the text of a string type in an unexported field, as a map
	// key, and under %d.
	reveal func() string
}

// NewToken returns a token with the given text.
func NewToken(text string) Token {
	return Token{reveal: func() string { return text }}
}

// Reveal returns the text. The caller must keep it secret.
func (t Token) Reveal() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// Empty reports whether the text is empty.
func (t Token) Empty() bool { return t.Reveal() == "" }

// Equal reports whether the tokens have the same text. Its running time does not depend on where the texts differ.
func (t Token) Equal(other Token) bool {
	// ConstantTimeCompare returns at once if the lengths differ; all hashes have the same length.
	a, b := sha256.Sum256([]byte(t.Reveal())), sha256.Sum256([]byte(other.Reveal()))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// String returns "REDACTED", as do all other methods that render a token.
func (Token) String() string               { return redact.Redacted }
func (Token) Format(s fmt.State, _ rune)   { _, _ = io.WriteString(s, redact.Redacted) }
func (Token) LogValue() slog.Value         { return slog.StringValue(redact.Redacted) }
func (Token) MarshalText() ([]byte, error) { return []byte(redact.Redacted), nil }

// RedactURL replaces everything that may be a credential in a URL, or in a path with a query, with "REDACTED", for logs.
// It accepts any text, and hides doubtful parts, such as a pair that cannot be decoded.
//
// RedactURL hides the values of parameters with the name of a credential, in any case and however often it is
// percent-encoded; the fragment; and the user information of every URL in the text, even in a parameter. It also hides
// other text before an @ if that text contains a colon. It takes linear time.
func RedactURL(raw string) string { return redact.URL(raw) }
