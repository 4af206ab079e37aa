package rtdbauth

import (
	"encoding/json"
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
	var email, key json.RawMessage
	switch err := readObject(data, members{"client_email": &email, "private_key": &key}); err {
	case nil:
	case errDuplicate:
		return KeyFile{}, diag.Findings{keyFinding("", "the key file repeats a member name"+getKeyFile)}
	default:
		return KeyFile{}, diag.Findings{keyFinding("", "the key file is not one JSON object"+getKeyFile)}
	}
	var findings diag.Findings
	address, why := keyMember(email, "client_email")
	if why == "" && address == "" {
		why = "client_email is empty, and it is the address of the service account"
	}
	if why != "" {
		findings = append(findings, keyFinding("/client_email", why+getKeyFile))
	}
	private, why := keyMember(key, "private_key")
	if why == "" && !isPrivateKeyPEM(private) {
		why = "private_key is not one PEM block of a private key and nothing else"
	}
	if why != "" {
		findings = append(findings, keyFinding("/private_key", why+getKeyFile))
	}
	if findings != nil {
		return KeyFile{}, findings
	}
	return KeyFile{ClientEmail: address, PrivateKey: NewToken(private)}, nil
}

// getKeyFile is what to do about any key file that is none.
const getKeyFile = "; download the key file again from the administration console"

// keyMember returns a member that is a string, or why it is none.
func keyMember(raw json.RawMessage, name string) (text, why string) {
	switch {
	case raw == nil:
		return "", "the key file has no " + name
	case json.Unmarshal(raw, &text) != nil:
		return "", name + " is not a string"
	default:
		return text, ""
	}
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
