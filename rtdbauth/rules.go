package rtdbauth

import (
	"net/url"
	"sync"

	"github.com/calrules/calrules/diag"
)

// Catalogue returns the rules of this package in the order of the documentation. The examples of the rules are lines for
// `calrules rtdb --ndjson`, except for rtdb.key-file, whose examples are key files.
func Catalogue() *diag.Catalogue { return catalogue() }

var catalogue = sync.OnceValue(func() *diag.Catalogue { return diag.NewCatalogue(rules) })

var rules = []*diag.Rule{
	pathRule, methodRule, noCredentialRule, serviceAccountRule, scopesRule, emptyTokenRule, keyFileRule, idTokenRule, expiredRule,
	legacyRule, presentationRule, revokedRule, bearerRule, oneCredentialRule, errorsRule, okRule, secretRule, overrideRule,
}

// Parts of the examples.
const (
	sampleGet    = `"method":"GET","url":"/users/jack.json"`
	samplePut    = `"method":"PUT","url":"/users/jack.json"`
	sampleHeader = `"headers":[["Authorization","Bearer sa-1"]]`
	sampleBearer = sampleGet + `,` + sampleHeader
	sampleAuth   = `"method":"GET","url":"/users/jack.json?auth=id-1"`
	sampleLegacy = `"method":"GET","url":"/users/jack.json?auth=secret-1"`

	sampleScopes   = `"scopes":["https://scope.example/auth/userinfo.email","https://scope.example/auth/platform.database"]`
	sampleAccount  = `"kind":"oauth_access","issued_to":"service_account","verified":true,"expired":false`
	sampleSA       = sampleAccount + `,"db_permission":true`
	sampleKnownSA  = `"known":{"sa-1":{` + sampleSA + `,` + sampleScopes + `}}`
	sampleUnableSA = `"known":{"sa-1":{` + sampleAccount + `,"db_permission":false,` + sampleScopes + `}}`
	sampleID       = `"kind":"id_token","verified":true,"audience":"this_project","uid":"jack"`
	sampleKnownID  = `"known":{"id-1":{` + sampleID + `,"expired":false}}`
	sampleSecret   = `"kind":"legacy_secret","verified":true`
	sampleSecrets  = `"known":{"secret-0":{` + sampleSecret + `,"revoked":true},"secret-1":{` + sampleSecret + `,"revoked":false}}`
	sampleNoSecret = `"known":{"secret-0":{"kind":"other","verified":true,"revoked":true},"secret-1":{"kind":"other","verified":true,"revoked":false}}`
	samplePolicy   = `"policy":{"scope_base":"https://scope.example"}`
	sampleAdmit    = `"policy":{"legacy_in":["auth"]}`

	answerFull     = `{"principal":"service_account","rules":"bypass","read":"full","write":"full"}`
	answerPublic   = `{"principal":"none","rules":"apply","read":"public","write":"public"}`
	answerUser     = `{"principal":"user","subject":"jack","rules":"apply","read":"rules","write":"rules"}`
	answerLegacy   = `{"principal":"legacy","rules":"apply","read":"rules","write":"rules"}`
	answerRejected = `{"principal":"rejected","rules":"n/a","read":"none","write":"none"}`
	answerOpen     = `{"principal":"unspecified","rules":"n/a","read":"none","write":"none"}`

	samplePutFinding = `{"rule":"rtdb.method","kind":"unspecified","basis":"stated","path":"","message":"PUT` + otherMethod + `"}`
)

// askOverriding is the answer to a request with the parameter auth_variable_override, followed by the value of the parameter.
type askOverriding [2]string

func (o askOverriding) Example() diag.Example {
	public := &Policy{Dialect: diag.Google}
	scopes, _ := public.RequiredScopes()
	return ask{o[0],
		`"dialect":"google","method":"GET","url":"/users/jack.json?` + overrideName + `=` + url.QueryEscape(o[1]) + `"`, sampleHeader,
		`"known":{"sa-1":{` + sampleSA + `,"scopes":["` + scopes[0] + `","` + scopes[1] + `"]}}`,
	}.Example()
}
