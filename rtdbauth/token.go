package rtdbauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"

	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

// A Token is a string that is or may contain a secret: a credential, a URL, or a header field value. Only [Token.Reveal]
// returns the string; a Token is formatted, logged and encoded as "REDACTED". The zero Token is empty.
//
// Tokens cannot be compared with == or used as map keys; see [Token.Equal].
type Token struct {
	// The secret is in a function because fmt would print a string in an unexported field, in a map key or with the %d verb.
	reveal func() string
}

// NewToken returns a token that contains the given string.
func NewToken(text string) Token {
	return Token{reveal: func() string { return text }}
}

// Reveal returns the string in the token. The caller must keep the string secret.
func (t Token) Reveal() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// Empty reports whether the token is the empty string.
func (t Token) Empty() bool { return t.Reveal() == "" }

// Equal reports whether two tokens contain the same string. The running time of Equal does not depend on where the strings
// differ.
func (t Token) Equal(other Token) bool {
	// ConstantTimeCompare returns immediately if the lengths differ, so Equal compares hashes, which all have the same length.
	a, b := sha256.Sum256([]byte(t.Reveal())), sha256.Sum256([]byte(other.Reveal()))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// String returns "REDACTED", as do all other methods that format or encode a token.
func (Token) String() string               { return redact.Redacted }
func (Token) Format(s fmt.State, _ rune)   { _, _ = io.WriteString(s, redact.Redacted) }
func (Token) LogValue() slog.Value         { return slog.StringValue(redact.Redacted) }
func (Token) MarshalText() ([]byte, error) { return []byte(redact.Redacted), nil }

// RedactURL replaces everything that may be a credential in a URL, or in a path with a query, with "REDACTED". The result can
// be logged. RedactURL accepts any string, and hides doubtful parts, such as a pair that cannot be decoded.
//
// RedactURL hides the fragment, the values of credential parameters, and the user information in every URL, including
// URLs inside parameters. Parameter names match regardless of case and repeated percent-encoding. RedactURL also hides
// any other part of the string that contains a colon and ends at an @. RedactURL runs in linear time.
func RedactURL(raw string) string { return redact.URL(raw) }
