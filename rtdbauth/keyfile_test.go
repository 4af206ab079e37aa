package rtdbauth_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

const pemKey = `-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n`

func TestParseKeyFile(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want []diag.Pointer
	}{
		"good":               {file: `{"type":"service_account","client_email":"a@b.example","private_key":"` + pemKey + `"}`},
		"not JSON":           {`client_email`, []diag.Pointer{""}},
		"array":              {`[]`, []diag.Pointer{""}},
		"null":               {`null`, []diag.Pointer{""}},
		"cut off":            {`{"client_email":"a@b.example"`, []diag.Pointer{""}},
		"trailing object":    {`{"client_email":"a@b.example","private_key":"` + pemKey + `"} {}`, []diag.Pointer{""}},
		"repeated member":    {`{"client_email":"a","client_email":"b","private_key":"` + pemKey + `"}`, []diag.Pointer{""}},
		"empty":              {`{}`, []diag.Pointer{"/client_email", "/private_key"}},
		"no email":           {`{"private_key":"` + pemKey + `"}`, []diag.Pointer{"/client_email"}},
		"empty email":        {`{"client_email":"","private_key":"` + pemKey + `"}`, []diag.Pointer{"/client_email"}},
		"blank email":        {`{"client_email":" \t","private_key":"` + pemKey + `"}`, []diag.Pointer{"/client_email"}},
		"half of a pair":     {`{"client_email":"\ud800","private_key":"` + pemKey + `"}`, []diag.Pointer{"/client_email"}},
		"wrong types":        {`{"client_email":1,"private_key":null}`, []diag.Pointer{"/client_email", "/private_key"}},
		"name in other case": {`{"Client_Email":"a","private_key":"` + pemKey + `"}`, []diag.Pointer{"/client_email"}},
		"another form":       {file: `{"client_email":"a","private_key":"bm90IGEga2V5"}`},
		"blank key":          {`{"client_email":"a","private_key":"\n"}`, []diag.Pointer{"/private_key"}},
	} {
		t.Run(name, func(t *testing.T) {
			key, findings := rtdbauth.ParseKeyFile([]byte(c.file))
			var got []diag.Pointer
			for _, f := range findings {
				got = append(got, f.Path)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
			if repeated := name == "repeated member"; len(findings) == 1 && findings[0].Path == "" && (findings[0].Key == "repeated") != repeated {
				t.Errorf("the finding says %q", findings[0].Message())
			}
			if empty := key.ClientEmail == "" && key.PrivateKey.Empty(); empty != (c.want != nil) {
				t.Errorf("key file %+v", key)
			}
		})
	}
}
