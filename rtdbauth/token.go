package rtdbauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// redacted stands wherever a token would have been.
const redacted = "REDACTED"

// Token is text that is a secret or may contain one: a credential, a request's URL, the
// value of a header field. It shows itself to [Token.Reveal] alone; every other way of
// rendering it gives "REDACTED". The zero Token is empty.
//
// The text is behind a function because nothing else holds: a string type shows its text
// under %d, as a map key, and in an unexported field, whose methods fmt does not call. A
// Token cannot be compared with == or be a map key; see [Token.Equal].
type Token struct {
	reveal func() string
}

// NewToken returns a token with the text given.
func NewToken(text string) Token {
	return Token{reveal: func() string { return text }}
}

// Reveal returns the text. It is for verifiers; whoever calls it keeps the secret from then on.
func (t Token) Reveal() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// Empty reports whether the text is empty.
func (t Token) Empty() bool { return t.Reveal() == "" }

// Equal reports whether both texts are the same, in a time that does not depend on where,
// or in how many bytes, they differ.
func (t Token) Equal(other Token) bool {
	// Hashed first, since ConstantTimeCompare returns at once where lengths differ.
	a, b := sha256.Sum256([]byte(t.Reveal())), sha256.Sum256([]byte(other.Reveal()))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// String returns "REDACTED".
func (Token) String() string { return redacted }

// GoString returns "REDACTED".
func (Token) GoString() string { return redacted }

// Format writes "REDACTED" under every verb and flag.
func (Token) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redacted) }

// LogValue returns "REDACTED".
func (Token) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns "REDACTED".
func (Token) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON returns "REDACTED" as a JSON string.
func (Token) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// UnmarshalJSON reads the text from a JSON string. Its error does not show what was read.
func (t *Token) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return errors.New("not a string")
	}
	*t = NewToken(text)
	return nil
}
