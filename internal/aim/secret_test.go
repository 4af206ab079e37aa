package aim

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// No part of a report that can have a text of the server has a secret.
func TestHide(t *testing.T) {
	const secret = "hushhush"
	r := &run{secrets: secretsOf(http.Header{"Authorization": {"Bearer " + secret}}), report: Report{
		Disagreements: []Disagreement{{Place: secret, Message: secret, Server: secret, Curl: []string{secret}}},
		Scores:        []Score{{NotTried: secret}}, Unclear: []string{secret}, Left: []string{secret}, Tidied: []string{secret}, Stopped: secret,
	}}
	r.hide()
	text, err := json.Marshal(r.report)
	if err != nil || strings.Contains(string(text), secret) || strings.Count(string(text), "(hidden)") != 9 {
		t.Errorf("%s, %v", text, err)
	}
}

// A server can repeat the credentials of the scheme Basic as it decodes them.
func TestHideBasic(t *testing.T) {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth("ada.lovelace", "correct horse")
	if got, want := secretsOf(r.Header).hide("ada.lovelace may not sign in with correct horse or "+r.Header.Get("Authorization")), "(hidden) may not sign in with (hidden) or (hidden)"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// A part of a header field is hidden alone if it is long enough, and the longest secret first.
func TestHideParts(t *testing.T) {
	basic := &http.Request{Header: http.Header{}}
	basic.SetBasicAuth("ada-l", "horses")
	for _, test := range []struct {
		header     http.Header
		text, want string
	}{
		{http.Header{"Authorization": {"Bearer abcdef/short"}}, "bearer abcdef short", "bearer (hidden) short"},
		{http.Header{"X-Key": {"abcdef", "abcdefgh"}}, "abcdefgh", "(hidden)"},
		{http.Header{"X-Key": {""}}, "abc", "abc"},
		{http.Header{"X-Key": {"abc"}}, "abcd", "(hidden)d"},
		{basic.Header, "ada-l horses", "ada-l (hidden)"},
	} {
		if got := secretsOf(test.header).hide(test.text); got != test.want {
			t.Errorf("with %v, %q becomes %q, want %q", test.header, test.text, got, test.want)
		}
	}
}

// What JSON may escape is between parts.
func TestIsBetweenParts(t *testing.T) {
	for c := range rune(0x200) {
		if got, want := isBetweenParts(c), !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~", c); got != want {
			t.Errorf("%q is between parts: %t", c, got)
		}
	}
}
