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

// A Decision states the principal of a request and the request's access to the database. The zero value grants nothing.
type Decision struct {
	Principal Principal `json:"principal"`
	Subject   string    `json:"subject,omitempty"` // the uid of a [User], or the uid in Override
	Bypass    bool      `json:"bypass,omitempty"`  // the database's rules do not apply

	// Location is the path of the data, decoded once and without ".json", such as "/users/jack", or "/" for the root. If
	// Location is empty, the request can neither read nor write anything.
	Location string `json:"-"`

	// Method is the request method, and Database is the name of the database, if the request specifies one. Method and Database
	// are empty if the request is not accepted. Only in the dialect of the public service can a request override its method or
	// specify a database (with the ns parameter or in the host of the URL).
	Method, Database string `json:"-"`

	// Override is the JSON value of auth_variable_override, an object or null, if that parameter makes the rules apply to a
	// [ServiceAccount], and empty otherwise. The rules see Override as their auth variable.
	Override Token `json:"-"`

	// Findings contains the reasons for the decision: findings about the whole request, followed by findings about the header and
	// the parameters access_token, auth and auth_variable_override. Unless the policy is invalid, a rejected request has a finding
	// of kind [diag.Reject], and an unspecified request has a finding of kind [diag.Unspecified].
	Findings diag.Findings `json:"findings"`
}

// Granted reports whether the request may read or write anything.
func (d Decision) Granted() bool { return d.Principal.isAccepted() && d.Location != "" }

// Rules returns "apply" if the database's rules apply, "bypass" if they do not apply, or "n/a" if the request is rejected
// or unspecified.
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

// Access returns the extent of the request's access: "none", "public" (only data that the rules make public, because
// their auth variable is null), "rules" (the access that the rules grant the principal) or "full".
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

// Authenticate determines the principal of a request according to the [Table]. Authenticate calls the verifier for each
// credential, unless the request is rejected or unspecified regardless of its credentials. The order of header fields
// and parameters does not matter.
//
// Authenticate compares the times of tokens with now. If now is the zero time, the current time is unknown. If v is nil,
// all tokens are unknown, so requests with credentials are granted nothing.
//
// Authenticate returns an error only if [Policy.Validate] does, in which case the decision grants nothing. A rejected
// request is not an error.
func Authenticate(ctx context.Context, m Message, v Verifier, policy Policy, now time.Time) (Decision, error) {
	if err := policy.Validate(); err != nil {
		return Decision{Findings: diag.Findings{}}, err
	}
	j := judge{presented: extract(m, &policy), now: now, ctx: ctx, verifier: orNobody(v)}
	return j.decide(), nil
}

// nobody is the verifier that replaces a nil verifier.
type nobody struct{}

func orNobody(v Verifier) Verifier {
	if v == nil {
		return nobody{}
	}
	return v
}

func (nobody) VerifyToken(context.Context, Place, Token) (Facts, error) {
	return Facts{}, ndjson.NewError("the program has no verifier; configure one")
}

// Problem returns the findings as problem details with the given status.
func (d Decision) Problem(status int) diag.Problem {
	p := d.Findings.Problem(status)
	p.Title = "The request is refused, because its access is not specified."
	if d.Granted() {
		p.Title = "The request is granted access."
	} else if d.Principal == Rejected {
		p.Title = "The request is rejected."
	}
	return p
}

// A judge decides on one request.
type judge struct {
	presented
	now      time.Time
	ctx      context.Context
	verifier Verifier
}

func (j *judge) decide() Decision {
	v := j.request()
	d := Decision{Principal: v.row.Principal, Subject: v.subject, Bypass: v.row.Bypass}
	if d.Principal.isAccepted() {
		d.Method = j.method
		if j.path.ambiguity == "" {
			// Make copies, because a long-lived decision must not keep the URL and its tokens in memory.
			d.Location, d.Database = strings.Clone(j.path.location), strings.Clone(j.path.database)
		}
	}
	if v.row.limits() {
		d.Override = NewToken(j.override.auth)
	}
	d.Findings = tidy(append(append(diag.Findings{}, j.Findings...), v.findings...))
	return d
}

// A verdict is the row of the table that applies to a request, with the findings about the request.
type verdict struct {
	row      *row
	subject  string
	findings diag.Findings
}

func (j *judge) request() verdict {
	switch n := len(j.credentials); {
	case n == 0 && j.OtherScheme:
		return j.otherScheme()
	case n == 0:
		return lookUp(j.sends(sentNothing))
	case n == 1 && !j.OtherScheme:
		return j.credential(j.credentials[0])
	default:
		return j.several()
	}
}

// sends returns the situation for a request with the given class of credentials.
func (j *judge) sends(what sending) situation {
	return situation{Reads: j.Reads, Sent: what, Override: j.override.asks()}
}

// lookUp finds the row that applies to a situation. If the row has a finding, lookUp reports the finding at each of the places,
// or at the override if the finding is about the override.
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

// credential returns the verdict for a credential as if it were the only credential.
func (j *judge) credential(sent credential) verdict {
	place := sent.Place
	c := j.sends(sentOne)
	c.Place = place
	if c.Reads != yes {
		return lookUp(c, place) // the validity of the credential does not matter
	}
	e := evidence{credential: sent, policy: j.policy, now: j.now}
	facts, err := j.verifier.VerifyToken(j.ctx, place, sent.Token)
	if err == nil {
		e.Facts = facts
	}
	e.Kind = orZero(kindNames, e.Kind)
	c.Kind = e.Kind
	if legacyKinds.Has(c.Kind) {
		c.Policy = j.policy.legacy(c.Kind, place)
	}
	var reasons diag.Findings
	c.Holds, reasons = e.weigh(place.pointer())
	v := lookUp(c, place)
	switch {
	case v.row.kind == "":
		v.findings = reasons
	case c.Kind == KindUnknown && c.Holds != no:
		v.explain(unknownKind(e.Facts, err))
	}
	switch {
	case v.row.Principal == User:
		v.subject = *e.UID
	case v.row.limits():
		v.subject = j.override.uid
	}
	return v
}

// newFinding returns a finding about a credential.
func newFinding(rule *diag.Rule, kind diag.Kind, at diag.Pointer, key string, args ...diag.Arg) diag.Finding {
	return diag.Finding{Rule: rule, Kind: kind, Basis: rule.Basis, Path: at, Key: key, Args: args, Offset: -1}
}

// explain replaces the sentence in each finding of the verdict.
func (v *verdict) explain(key string, args ...diag.Arg) {
	for i := range v.findings {
		v.findings[i].Key, v.findings[i].Args = key, args
	}
}

// unknownKind returns the key of the message that explains why the kind of a token is unknown. The argument includes the
// message of err only if the message cannot contain the token.
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

// several returns the verdict for a request with more than one credential.
func (j *judge) several() verdict {
	var places []Place
	for _, c := range j.credentials {
		places = append(places, c.Place)
	}
	if j.OtherScheme {
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

// least decides on each credential separately, and returns the verdict that grants the least access, with the findings of all
// verdicts, or false if several verdicts grant the least access, but to different principals.
func (j *judge) least() (least verdict, ok bool) {
	var all []verdict
	for _, c := range j.credentials {
		all = append(all, j.credential(c))
	}
	if j.OtherScheme {
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

// rank returns a sort key for verdicts, from least to most access. A rejection has the lowest rank, so a good credential does
// not compensate for a bad credential.
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

// tidy removes duplicate findings and sorts the others, independently of the order of fields and parameters in the request.
func tidy(all diag.Findings) diag.Findings {
	slices.SortFunc(all, func(a, b diag.Finding) int {
		if c := cmp.Or(
			cmp.Compare(slices.Index(pointers, a.Path), slices.Index(pointers, b.Path)),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
		); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Message(), b.Message()), cmp.Compare(a.Kind, b.Kind)) // formatting the messages is the most expensive comparison
	})
	return slices.CompactFunc(all, diag.Finding.Equal)
}
