package rtdbauth

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/wording"
)

// Decision is the principal of a request and its access. The zero value grants nothing.
type Decision struct {
	Principal Principal `json:"principal"`
	Subject   string    `json:"subject,omitempty"` // the uid of a [User], or the uid of Override
	Bypass    bool      `json:"bypass,omitempty"`  // the database's rules do not apply

	// Location is the path of the data, decoded once and without ".json":
	// "/users/jack", or "/" for the root. If it is empty, the request can neither
	// read nor write anything.
	Location string `json:"-"`

	// Method is the method of the request, and Database the name of its database, if any; both are empty if the request is
	// not accepted. Only in the dialect of the public service does a request override its method, or name a database (in ns
	// or in the host of the URL).
	Method, Database string `json:"-"`

	// Override is the JSON value of auth_variable_override, an object or null, if it makes the rules apply to a
	// [ServiceAccount]: it is the whole auth of the rules. Otherwise it is empty.
	Override Token `json:"-"`

	// Findings give the reasons: first about the whole request, then about the header and the parameters access_token, auth and
	// auth_variable_override. Unless the policy is invalid, a rejected request has a finding of kind [diag.Reject], and an
	// unspecified request a finding of kind [diag.Unspecified].
	Findings diag.Findings `json:"findings"`
}

// Granted reports whether the request may read or write anything.
func (d Decision) Granted() bool { return d.Principal.isAccepted() && d.Location != "" }

// Rules returns "apply" if the database's rules apply, "bypass" if they do not, or "n/a" for a request that is rejected or
// unspecified.
func (d Decision) Rules() string {
	switch {
	case !d.Principal.isAccepted():
		return "n/a"
	case d.Bypass:
		return "bypass"
	default:
		return "apply"
	}
}

// Access returns the extent of the request's access: "none", "public" (what the rules make public, because their auth is
// null), "rules" (what the rules allow the principal) or "full".
func (d Decision) Access() string {
	switch {
	case !d.Granted():
		return "none"
	case d.Bypass:
		return "full"
	case d.Principal == None, d.Override.Reveal() == "null":
		return "public"
	default:
		return "rules"
	}
}

// Authenticate determines the principal of a request, according to the [Table]. It asks the verifier about the
// credentials, unless the request is rejected or left open whatever they are worth. The order of header fields and
// parameters does not matter.
//
// Authenticate compares the times of tokens with now. The zero time means that the current time is unknown. A nil verifier
// knows nothing about any token, so it grants nothing to requests with credentials.
//
// The error comes from [Policy.Validate]; the decision grants nothing then. A rejected request is not an error.
func Authenticate(ctx context.Context, m Message, v Verifier, policy Policy, now time.Time) (Decision, error) {
	if err := policy.Validate(); err != nil {
		return Decision{Findings: diag.Findings{}}, err
	}
	v = orNobody(v)
	j := judge{presented: extract(m, policy), policy: policy, now: now}
	j.verify = func(i int) (Facts, error) {
		return v.VerifyToken(ctx, j.presented.Credentials[i].Place, j.presented.Credentials[i].Token)
	}
	return j.decide(), nil
}

// nobody replaces a nil verifier.
type nobody struct{}

func orNobody(v Verifier) Verifier {
	if v == nil {
		return nobody{}
	}
	return v
}

func (nobody) VerifyToken(context.Context, Place, Token) (Facts, error) {
	return Facts{}, ndjson.NewError("the program has no verifier; give it one")
}

// Problem returns the findings as problem details with the given status.
func (d Decision) Problem(status int) diag.Problem {
	p := d.Findings.Problem(status)
	p.Title = "The request is refused, because what it may do is not specified."
	if d.Granted() {
		p.Title = "The request is granted access."
	} else if d.Principal == Rejected {
		p.Title = "The request is rejected."
	}
	return p
}

// judge decides one request.
type judge struct {
	presented presented
	policy    Policy
	now       time.Time
	verify    func(i int) (Facts, error) // the facts about the credential i
}

func (j *judge) decide() Decision {
	v := j.request()
	d := Decision{Principal: v.row.Principal, Subject: v.subject, Bypass: v.row.Bypass}
	if d.Principal.isAccepted() {
		d.Method, d.Database, d.Location = j.presented.Method, j.presented.Database, j.presented.Location
	}
	if v.row.limits() {
		d.Override = NewToken(j.presented.Override.auth)
	}
	d.Findings = tidy(append(append(diag.Findings{}, j.presented.Findings...), v.findings...))
	return d
}

// verdict is the row of the table that applies, with the findings about the request.
type verdict struct {
	row      *row
	subject  string
	findings diag.Findings
}

func (j *judge) request() verdict {
	p := &j.presented
	switch n := len(p.Credentials); {
	case n == 0 && p.OtherScheme:
		return j.otherScheme()
	case n == 0:
		return lookUp(j.sends(sentNothing))
	case n == 1 && !p.OtherScheme:
		return j.credential(0)
	default:
		return j.several()
	}
}

// sends returns the case of a request with the given content.
func (j *judge) sends(what sending) situation {
	return situation{Reads: j.presented.Reads, Sent: what, Override: j.presented.Override.asks()}
}

// lookUp finds the row of a case. If the row makes a finding, lookUp makes it in each of the places, unless it is about
// the override.
func lookUp(c situation, places ...Place) verdict {
	v := verdict{row: find(c)}
	switch {
	case v.row.kind == "":
		return v
	case v.row.Rule == overrideRule:
		v.findings = diag.Findings{newFinding(overrideRule, v.row.kind, overridePointer, v.row.key)}
		return v
	}
	for _, at := range places {
		v.findings = append(v.findings, newFinding(v.row.Rule, v.row.kind, at.pointer(), v.row.key))
	}
	return v
}

func (j *judge) otherScheme() verdict {
	c := j.sends(sentOtherScheme)
	if j.policy.RejectOtherSchemes {
		c.Policy = ruledOut
	}
	return lookUp(c, InHeader)
}

// credential decides the case of credential i as if it were the only one.
func (j *judge) credential(i int) verdict {
	place := j.presented.Credentials[i].Place
	c := j.sends(sentOne)
	c.Place = place
	if c.Reads != yes {
		return lookUp(c, place) // the credential does not matter
	}
	facts, err := j.verify(i)
	if err != nil {
		facts = Facts{}
	}
	facts.Kind = orZero(kindNames, facts.Kind)
	c.Kind = facts.Kind
	if legacyKinds.Has(c.Kind) {
		c.Policy = j.policy.legacy(c.Kind, place)
	}
	e := evidence{Facts: facts, credential: j.presented.Credentials[i], policy: &j.policy, now: j.now}
	var reasons diag.Findings
	c.Holds, reasons = e.weigh(place.pointer())
	v := lookUp(c, place)
	switch {
	case v.row.kind == "":
		v.findings = reasons
	case c.Kind == KindUnknown && c.Holds != no:
		v.explain(unknownKind(facts, err))
	}
	switch {
	case v.row.Principal == User:
		v.subject = *facts.UID
	case v.row.limits():
		v.subject = j.presented.Override.uid
	}
	return v
}

// newFinding returns a finding about a credential.
func newFinding(rule *diag.Rule, kind diag.Kind, at diag.Pointer, key string, args ...diag.Arg) diag.Finding {
	return diag.Finding{Rule: rule, Kind: kind, Basis: rule.Basis, Path: at, Key: key, Args: args, Offset: -1}
}

// explain replaces the sentence of the row in the findings.
func (v *verdict) explain(key string, args ...diag.Arg) {
	for i := range v.findings {
		v.findings[i].Key, v.findings[i].Args = key, args
	}
}

// unknownKind returns the reason why the kind of a token is unknown. It shows an error only if the error shows no token.
func unknownKind(facts Facts, err error) (key string, arg diag.Arg) {
	shown, ok := errors.AsType[*ndjson.Error](err)
	switch {
	case ok:
		return "facts-unusable", wording.Text("why", shown.Error())
	case err != nil:
		return "verifier-failed", arg
	case reflect.ValueOf(facts).IsZero():
		return "token-unknown", arg
	default:
		return "kind-unknown", arg
	}
}

// several decides the case of a request with more than one credential.
func (j *judge) several() verdict {
	var places []Place
	for _, c := range j.presented.Credentials {
		places = append(places, c.Place)
	}
	if j.presented.OtherScheme {
		places = append(places, InHeader)
	}
	key := "several"
	if j.policy.LeastPrivilege {
		c := j.sends(sentSeveral)
		c.Policy = ruledLeast
		whole := lookUp(c, places...)
		if !whole.row.Least {
			return whole
		}
		if least, ok := j.least(); ok {
			least.findings = append(least.findings, whole.findings...)
			return least
		}
		key = "several-equal"
	}
	v := lookUp(j.sends(sentSeveral), places...)
	v.explain(key, diag.Number("n", len(places)), wording.Text("places", strings.ReplaceAll(setOf(places...).String(), " / ", " and ")), wording.Also("send-one"))
	return v
}

// least decides every credential separately, and returns the verdict that grants least, with the findings of all. It
// returns false if two verdicts grant the least to different principals.
func (j *judge) least() (least verdict, ok bool) {
	var all []verdict
	for i := range j.presented.Credentials {
		all = append(all, j.credential(i))
	}
	if j.presented.OtherScheme {
		all = append(all, j.otherScheme())
	}
	least = slices.MinFunc(all, func(a, b verdict) int { return cmp.Compare(a.rank(), b.rank()) })
	var findings diag.Findings
	for _, v := range all {
		findings = append(findings, v.findings...)
		if v.rank() == least.rank() && (v.row.Principal != least.row.Principal || v.subject != least.subject) {
			return verdict{}, false
		}
	}
	least.findings = findings
	return least, true
}

// rank orders verdicts by the access that they grant. A rejection is the lowest, so that a good credential does not make
// up for a bad one.
func (v verdict) rank() int {
	switch {
	case v.row.Principal == Rejected:
		return -1
	case !v.row.Principal.isAccepted():
		return 0
	case !v.row.Bypass:
		return 1
	default:
		return 2
	}
}

// tidy sorts findings into an order independent of the request's, and removes duplicates.
func tidy(all diag.Findings) diag.Findings {
	slices.SortFunc(all, func(a, b diag.Finding) int {
		if c := cmp.Or(
			cmp.Compare(slices.Index(pointers, a.Path), slices.Index(pointers, b.Path)),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
		); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Message(), b.Message()), cmp.Compare(a.Kind, b.Kind)) // a sentence costs most
	})
	return slices.CompactFunc(all, diag.Finding.Equal)
}
