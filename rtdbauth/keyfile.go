package rtdbauth

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/ndjson"
)

// KeyFile is the content of a service account's key file (Service-account access token, 2).
type KeyFile struct {
	ClientEmail string
	PrivateKey  Token
}

// ParseKeyFile reads a key file from the administration console: a JSON object with the strings client_email and
// private_key, neither blank. It ignores other members, and does not look at the key. If a finding rejects, it returns the
// zero KeyFile. Findings show no values.
func ParseKeyFile(data []byte) (KeyFile, diag.Findings) {
	var in keyFile
	in.err = keyFileForm.Read(data, &in)
	var report engine.Collector
	engine.Run([]*diag.Rule{keyFileRule}, diag.KeyFile, &in, &report, wholeRequest)
	if report.Refused {
		return KeyFile{}, report.Findings
	}
	return KeyFile{ClientEmail: in.address, PrivateKey: NewToken(in.private)}, nil
}

// keyFile is a key file as read.
type keyFile struct {
	err              error
	address, private string // empty if they are not strings
}

var keyFileForm = ndjson.NewObject("",
	ndjson.Of("client_email", func(in *keyFile) *string { return &in.address }, ndjson.Text[string]),
	ndjson.Of("private_key", func(in *keyFile) *string { return &in.private }, ndjson.Text[string]),
)

// downloadAgain is the ending of each sentence about a key file.
const downloadAgain = " Download the key file again from the administration console."
