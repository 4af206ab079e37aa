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
