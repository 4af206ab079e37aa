package rtdbauth

import (
	"encoding/pem"
	"strings"

	"github.com/calrules/calrules/diag"
)

// KeyFile is what a service account's key file holds (Service-account access token, 2).
type KeyFile struct {
	ClientEmail string
	PrivateKey  Token // PEM (RFC 7468)
}

// ParseKeyFile reads a key file: one JSON object with the strings client_email, not empty,
// and private_key, one PEM block of a private key. Other members are not looked at. Where a
// finding rejects, the key file is empty. No finding shows a value.
func ParseKeyFile(data []byte) (KeyFile, diag.Findings) {
	var email, key optional[string]
	if readObject(data, members{"client_email": &email, "private_key": &key}) != nil {
		return KeyFile{}, diag.Findings{keyFinding("", "the key file is not one JSON object; download it again from the administration console")}
	}
	var findings diag.Findings
	if email.value == "" {
		findings = append(findings, keyFinding("/client_email", "the key file has no client_email; it is a string, not empty"))
	}
	if !isPrivateKeyPEM(key.value) {
		findings = append(findings, keyFinding("/private_key", "the key file has no private_key; it is one PEM block of a private key"))
	}
	if findings != nil {
		return KeyFile{}, findings
	}
	return KeyFile{ClientEmail: email.value, PrivateKey: NewToken(key.value)}, nil
}

func keyFinding(at diag.Pointer, message string) diag.Finding {
	return diag.Finding{Rule: docKeyFile, Kind: diag.Reject, Path: at, Message: message}
}

// isPrivateKeyPEM reports whether s is one PEM block of a private key and nothing else.
// Whether the key itself is sound is for the token library to say.
func isPrivateKeyPEM(s string) bool {
	s = strings.TrimSpace(s)
	block, rest := pem.Decode([]byte(s))
	return block != nil && strings.HasPrefix(s, "-----BEGIN ") && // Decode skips what comes before
		strings.HasSuffix(block.Type, "PRIVATE KEY") && len(block.Bytes) > 0 && len(rest) == 0
}

// CheckAccessToken tells a client what is wrong with an access token that its token library
// returned: where it is empty, the service account lacks permission to generate access
// tokens (Service-account access token, 4). Any other token it lets pass; only the service
// knows what it is worth.
func CheckAccessToken(t Token) diag.Findings {
	if !t.Empty() {
		return nil
	}
	return diag.Findings{{Rule: docEmpty, Kind: diag.Reject, Message: emptyAccessToken}}
}
