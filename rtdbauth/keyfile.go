package rtdbauth

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/ndjson"
)

var keyFileRule = &diag.Rule{
	ID: "rtdb.key-file", Kind: diag.Reject, When: diag.KeyFile, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The key file of a service account is a JSON file with client_email and private_key.",
	Section: "rtdb.md, Service-account access token, 2",
	Good: diag.Example{Request: `{"client_email":"robot@project.example",` +
		`"private_key":"-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n"}`},
	Bad: diag.Example{Request: `{"client_email":"robot@project.example"}`},
	Says: diag.Sentences{
		{Key: "repeated", Text: "The key file has two members with the same name." + downloadAgain},
		{Key: "no-object", Text: "The key file is not a JSON object in UTF-8." + downloadAgain},
		{Key: "address", Text: "client_email is missing, blank or not a valid string. It must be the address of the service account." + downloadAgain},
		{Key: "key", Text: "private_key is missing, blank or not a valid string. It must be the private key, whose form the document does not show." + downloadAgain},
	},
	Check: checkKeyFile,
}

var emptyTokenRule = &diag.Rule{
	ID: "rtdb.service-account.empty", Kind: diag.Reject, When: diag.Token, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "An access token is not empty. An empty one from the token library means that the service account lacks " +
		"permission to generate access tokens.",
	Section: "rtdb.md, Service-account access token, 4",
	Good:    ask("", sampleBearer, sampleKnownSA, samplePolicy),
	Bad:     ask("", `"method":"GET","url":"/users/jack.json?access_token="`),
	Says: diag.Sentences{
		{Key: "empty", Text: "The access token is empty. If the token library returned it like this, the service account " +
			"lacks permission to generate access tokens: grant the permission, and generate a new token."},
		{Key: "empty-ignored", Text: emptyIgnored},
	},
	Check: check(checkEmptyToken),
}

func checkEmptyToken(in *reading, r engine.Reporter) {
	if in.field == emptyBearer {
		in.reportEmpty(r, InHeader)
	}
	if in.params.has(InAccessToken, emptyParam) {
		in.reportEmpty(r, InAccessToken)
	}
}

// KeyFile is the content of a service account's key file (Service-account access token, 2).
type KeyFile struct {
	ClientEmail string
	PrivateKey  Token
}

// ParseKeyFile reads a key file, which the administration console makes: a JSON object with the strings client_email
// and private_key, which are not blank. It ignores other members, and does not look at the key. If a finding rejects, ParseKeyFile returns the zero KeyFile. Findings show no values of the file.
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

// keyFile is a key file as it was read.
type keyFile struct {
	err              error
	address, private string // empty if they are not strings
}

var keyFileForm = ndjson.NewObject("",
	ndjson.Of("client_email", func(in *keyFile) *string { return &in.address }, ndjson.Text[string]),
	ndjson.Of("private_key", func(in *keyFile) *string { return &in.private }, ndjson.Text[string]),
)

func checkKeyFile(in *keyFile, r engine.Reporter) {
	if e, ok := in.err.(*ndjson.Error); ok && e.Fault != ndjson.OfMember {
		r.Report("", map[bool]string{true: "repeated", false: "no-object"}[e.Fault == ndjson.Duplicate])
		return
	}
	if strings.TrimSpace(in.address) == "" {
		r.Report("/client_email", "address")
	}
	if strings.TrimSpace(in.private) == "" {
		r.Report("/private_key", "key")
	}
}

// downloadAgain is how each sentence about a key file ends.
const downloadAgain = " Download the key file again from the administration console."
