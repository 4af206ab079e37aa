package aim

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// secrets lists strings that must not appear in a report: the values of the caller's header fields, and longer parts of these
// values, such as a token after its scheme. The longest secrets come first.
type secrets []string

// leastSecret is the minimum length, in bytes, at which a part of a header field is hidden separately.
const leastSecret = 6

func secretsOf(header http.Header) (all secrets) {
	if user, password, ok := (&http.Request{Header: header}).BasicAuth(); ok { // a server decodes them
		for _, part := range []string{user, password} {
			if len(part) >= leastSecret {
				all = append(all, part)
			}
		}
	}
	for _, values := range header {
		for _, value := range values {
			if value != "" {
				all = append(all, value)
			}
			for _, part := range strings.FieldsFunc(value, isBetweenParts) {
				if len(part) >= leastSecret && !strings.EqualFold(part, "Bearer") {
					all = append(all, part)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// isBetweenParts reports whether a character separates the parts of a header field's value, which is true for all characters
// that JSON may escape.
func isBetweenParts(c rune) bool {
	return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-._~", c))
}

func (s secrets) hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, "(hidden)")
	}
	return text
}

func (s secrets) in(text []byte) bool {
	return slices.ContainsFunc(s, func(secret string) bool { return bytes.Contains(text, []byte(secret)) })
}

// hide removes secrets from the report, since a server may repeat secrets in its responses.
func (r *run) hide() {
	for i := range r.report.Disagreements {
		d := &r.report.Disagreements[i]
		d.Place, d.Message, d.Server = r.secrets.hide(d.Place), r.secrets.hide(d.Message), r.secrets.hide(d.Server)
		r.hideAll(d.Curl)
	}
	for i := range r.report.Scores {
		s := &r.report.Scores[i]
		s.NotTried = r.secrets.hide(s.NotTried)
	}
	r.hideAll(r.report.Unclear)
	r.hideAll(r.report.Left)
	r.hideAll(r.report.Tidied)
	r.report.Stopped = r.secrets.hide(r.report.Stopped)
}

func (r *run) hideAll(texts []string) {
	for i := range texts {
		texts[i] = r.secrets.hide(texts[i])
	}
}
