package rtdbauth

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/ndjson"
)

// A KeyFile is the content of a service account key file (Service-account access token, 2).
type KeyFile struct {
	ClientEmail string
	PrivateKey  Token
}

// ParseKeyFile parses a key file from the administration console: a JSON object whose members client_email and
// private_key are nonblank strings. ParseKeyFile ignores other members and does not check the key itself. If a finding
// rejects the file, ParseKeyFile returns the zero KeyFile. Findings do not include values from the file.
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

// keyFile is a key file that has not been checked yet.
type keyFile struct {
	err              error
	address, private string // empty if the member is not a string
}

var keyFileForm = ndjson.NewObject("",
	ndjson.Of("client_email", func(in *keyFile) *string { return &in.address }, ndjson.Text[string]),
	ndjson.Of("private_key", func(in *keyFile) *string { return &in.private }, ndjson.Text[string]),
)

// downloadAgain is appended to each sentence about a key file.
const downloadAgain = " Download the key file again from the administration console."
