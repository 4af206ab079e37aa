package rtdbauth

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/calrules/calrules/diag"
)

// saysKind contains the sentences about tokens of unknown kinds and of kinds not meant for this service.
var saysKind = diag.Sentences{
	{Key: "other-kind", Text: "The token is not a credential of this service. Send an access token of a service account or an identity token of a user."},
	{Key: "kind-unknown", Text: "The verifier does not know the kind of the token. It must set kind (in Go, Facts.Kind), because the effect of the token depends on its kind."},
	{Key: "token-unknown", Text: "The verifier does not know the token. Send a token that the verifier knows."},
	{Key: "verifier-failed", Text: "The verifier failed with an error, which is not shown because it may contain the token. Try again, or read the verifier's log."},
	{Key: "facts-unusable", Text: "The facts about the token cannot be used: {why}."},
}

// A situation contains all inputs to a decision.
type situation struct {
	Reads  fact    // see [presented]
	Sent   sending // the class of the credentials in the request
	Place  Place   // the place of the only credential
	Kind   Kind    // the kind of the only credential
	Holds  fact    // whether all facts that this kind needs are known and good
	Policy ruling  // the policy's ruling on the case, or else the dialect's

	Override overriding // the effect of auth_variable_override
}

// sending classifies the credentials in a request. Empty credentials and other schemes are disregarded if the policy ignores
// them.
type sending uint8

// The classes of credentials in a request.
const (
	sentNothing sending = iota
	sentOne
	sentSeveral
	sentOtherScheme // no credential except an Authorization header with a scheme other than Bearer
)

var sentNames = []string{"nothing", "one", "several", "other scheme"}

// String returns "nothing", "one", "several" or "other scheme".
func (s sending) String() string { return nameOf(sentNames, s) }

// A ruling is a [Policy]'s decision on a [situation]. If the policy is silent about a database secret, the dialect of
// the public service decides.
type ruling uint8

// The possible rulings of a policy.
const (
	noRuling    ruling = iota // the policy is silent
	ruledOut                  // reject the legacy credential or the other scheme
	ruledApply                // accept the legacy credential here; the rules apply
	ruledBypass               // accept the legacy credential here; the rules are bypassed
	ruledLeast                // if there are several credentials, grant the least access
)

var rulingNames = []string{"silent", "refuse", "admit, apply", "admit, bypass", "least"}

// String returns the ruling as shown in the table, such as "silent".
func (r ruling) String() string { return nameOf(rulingNames, r) }

// A condition is a set of situations, with eight bits for each part of a situation, one for each value of the part. A condition
// contains a situation if it contains the value of each part. The & operator combines conditions, and the | operator combines
// conditions on the same part.
type condition uint64

// The parts of a situation, as the positions of their bits in a [condition].
const (
	ofReads = 8 * iota
	ofSent
	ofPlace
	ofKind
	ofHolds
	ofPolicy
	ofOverride
)

// when returns the condition that a part of a situation has one of the given values.
func when[T enum](part int, values set[T]) condition {
	return ^(0xff << part) | condition(values)<<part
}

// valuesOf returns the values that a condition allows for a part of a situation.
func valuesOf[T enum](c condition, part int) set[T] { return set[T](c >> part) }

// bits returns the bits of the values of the situation.
func (c situation) bits() condition {
	return 1<<(ofReads+c.Reads) | 1<<(ofSent+c.Sent) | 1<<(ofPlace+c.Place) | 1<<(ofKind+c.Kind) |
		1<<(ofHolds+c.Holds) | 1<<(ofPolicy+c.Policy) | 1<<(ofOverride+c.Override)
}

// A row is one row of the decision table: the situations to which it applies, and the decision.
type row struct {
	when condition

	Principal Principal
	Bypass    bool // the rules of the database do not apply

	// Least reports whether each credential is decided on separately, and the decision that grants the least access is used. If
	// several decisions grant the least access but to different principals, the request is rejected.
	Least bool

	Rule *diag.Rule // nil if the rule comes from the first finding
	Why  string     // the reason; empty if the message states it

	kind diag.Kind // the kind of the finding; empty if the row has no finding
	key  string    // the key of the message in the finding
}

// why returns the reason for the decision.
func (r *row) why() string {
	if r.Why != "" {
		return r.Why
	}
	text, _ := r.Rule.Says.Text(r.key)
	return text
}

// limits reports whether an override limits a service account.
func (r *row) limits() bool { return r.Principal == ServiceAccount && !r.Bypass }

// find returns the row that applies to a situation. Exactly one row applies.
func find(c situation) *row {
	bits := c.bits()
	for i := range table {
		if bits&^table[i].when == 0 {
			return &table[i]
		}
	}
	return &row{} // unreachable, because every situation has a row; this row would grant nothing
}

// The conditions of the rows.
var (
	readsNo, readsOpen, readsYes = when(ofReads, setOf(no)), when(ofReads, setOf(unknown)), when(ofReads, setOf(yes))
	readable                     = readsOpen | readsYes

	sendsNothing, sendsOne   = when(ofSent, setOf(sentNothing)), when(ofSent, setOf(sentOne))
	sendsSeveral, sendsOther = when(ofSent, setOf(sentSeveral)), when(ofSent, setOf(sentOtherScheme))
	single                   = readsYes & sendsOne

	inTokenPlace = when(ofPlace, setOf(InHeader, InAccessToken)) // for access tokens
	inUserPlace  = when(ofPlace, setOf(InAuth))                  // for identity tokens
	inAnyPlace   = inTokenPlace | inUserPlace

	isAccessToken, isIDToken, isLegacy = when(ofKind, oauthAccess), when(ofKind, idToken), when(ofKind, legacyKinds)
	isUnknown, isOther                 = when(ofKind, setOf(KindUnknown)), when(ofKind, setOf(KindOther))

	bad, open, good = when(ofHolds, setOf(no)), when(ofHolds, setOf(unknown)), when(ofHolds, setOf(yes))

	refused, notRefused = when(ofPolicy, setOf(ruledOut)), when(ofPolicy, ^setOf(ruledOut))
	least, notLeast     = when(ofPolicy, setOf(ruledLeast)), when(ofPolicy, ^setOf(ruledLeast))
	silent              = when(ofPolicy, setOf(noRuling, ruledLeast)) // on legacy credentials
	applied, bypassed   = when(ofPolicy, setOf(ruledApply)), when(ofPolicy, setOf(ruledBypass))

	alone              = when(ofOverride, setOf(notOverridden))
	asNull, asVariable = when(ofOverride, setOf(asNobody)), when(ofOverride, setOf(asObject))
	overridden         = asNull | asVariable
)

var table = []row{
	{when: readsNo, Principal: Rejected,
		Why: "The request is malformed or ambiguous, or is rejected whatever its credentials."},
	{when: readable & sendsSeveral & notLeast, Principal: Rejected, Rule: oneCredentialRule, kind: diag.Reject, key: "send-one"},
	{when: readable & sendsOther & refused, Principal: Rejected, Rule: bearerRule, kind: diag.Reject, key: "scheme-rejected"},
	{when: readable & sendsOther & notRefused, Rule: bearerRule, kind: diag.Unspecified, key: "scheme-open"},
	{when: readsOpen & (sendsNothing | sendsOne), Why: requestUnknown},
	{when: readsOpen & sendsSeveral & least, Why: requestUnknown},
	{when: readsYes & sendsNothing & alone, Principal: None, Rule: noCredentialRule,
		Why: "Only data that the rules make public is accessible."},
	{when: readsYes & sendsNothing & overridden, Rule: overrideRule, kind: diag.Unspecified, key: "alone"},
	{when: readsYes & sendsSeveral & least & alone, Least: true, Rule: oneCredentialRule, kind: diag.Advise, key: "least"},
	{when: readsYes & sendsSeveral & least & overridden, Principal: Rejected, Rule: overrideRule, kind: diag.Reject, key: "beside"},

	{when: single & inTokenPlace & isUnknown & bad, Principal: Rejected, Rule: serviceAccountRule, kind: diag.Reject, key: "not-genuine"},
	{when: single & inUserPlace & isUnknown & bad, Principal: Rejected, Rule: idTokenRule, kind: diag.Reject, key: "not-genuine"},
	{when: single & inTokenPlace & isUnknown & (open | good), Rule: serviceAccountRule, kind: diag.Unspecified, key: "kind-unknown", Why: kindUnknown},
	{when: single & inUserPlace & isUnknown & (open | good), Rule: idTokenRule, kind: diag.Unspecified, key: "kind-unknown", Why: kindUnknown},
	{when: single & inTokenPlace & isOther, Principal: Rejected, Rule: serviceAccountRule, kind: diag.Reject, key: "other-kind"},
	{when: single & inUserPlace & isOther, Principal: Rejected, Rule: idTokenRule, kind: diag.Reject, key: "other-kind"},

	{when: single & inUserPlace & isAccessToken, Principal: Rejected, Rule: serviceAccountRule, kind: diag.Reject, key: "place"},
	{when: single & inTokenPlace & isAccessToken & bad, Principal: Rejected, Rule: serviceAccountRule, Why: "A fact about the access token is bad."},
	{when: single & inTokenPlace & isAccessToken & open, Rule: serviceAccountRule, Why: "A fact about the access token is unknown."},
	{when: single & inTokenPlace & isAccessToken & good & alone, Principal: ServiceAccount, Bypass: true, Rule: serviceAccountRule,
		Why: "All data is accessible. The rules are ignored."},
	{when: single & inTokenPlace & isAccessToken & good & asVariable, Principal: ServiceAccount, Rule: overrideRule,
		Why: "The rules apply with the object as their auth variable."},
	{when: single & inTokenPlace & isAccessToken & good & asNull, Principal: ServiceAccount, Rule: overrideRule,
		Why: "The rules apply as they do without a user."},

	{when: single & inTokenPlace & isIDToken, Principal: Rejected, Rule: idTokenRule, kind: diag.Reject, key: "place"},
	{when: single & inUserPlace & isIDToken & bad, Principal: Rejected, Rule: idTokenRule, Why: "A fact about the identity token is bad."},
	{when: single & inUserPlace & isIDToken & open, Rule: idTokenRule, Why: "A fact about the identity token is unknown."},
	{when: single & inUserPlace & isIDToken & good & alone, Principal: User, Rule: idTokenRule,
		Why: "The request acts as the single user that the token identifies. The rules apply, whatever the token claims."},
	{when: single & inUserPlace & isIDToken & good & overridden, Principal: Rejected, Rule: overrideRule, kind: diag.Reject, key: "beside"},

	{when: single & inAnyPlace & isLegacy & bad, Principal: Rejected, Rule: legacyRule, Why: "A fact about the legacy credential is bad."},
	{when: single & inAnyPlace & isLegacy & (open | good) & refused, Principal: Rejected, Rule: legacyRule, kind: diag.Reject, key: "refused"},
	{when: single & inAnyPlace & isLegacy & (open | good) & silent, Rule: presentationRule, kind: diag.Unspecified, key: "not-shown"},
	{when: single & inAnyPlace & isLegacy & open & (applied | bypassed), Rule: legacyRule, Why: "A fact about the legacy credential is unknown."},
	{when: single & inAnyPlace & isLegacy & good & (applied | bypassed) & overridden, Principal: Rejected, Rule: overrideRule, kind: diag.Reject, key: "beside"},
	{when: single & inAnyPlace & isLegacy & good & applied & alone, Principal: Legacy, Rule: legacyRule, kind: diag.Advise, key: "upgrade-advised"},
	{when: single & inAnyPlace & isLegacy & good & bypassed & alone, Principal: Legacy, Bypass: true, Rule: legacyRule, kind: diag.Advise, key: "upgrade-advised"},
}

// Reasons shared by several rows.
const (
	requestUnknown = "The document does not define the request."
	kindUnknown    = "The verifier does not know the kind of the token."
)

// A Row is a row of the decision table: conditions on a request, and the decision of [Authenticate] on any request that meets
// the conditions.
type Row struct {
	// The conditions on the request and on the facts about its credential. Each condition lists the values to which the row
	// applies, such as "unknown / yes", or is "any".
	Reads, Sent, Place, Kind, FactsHold, Policy, Override string

	// The decision, as returned by the methods of [Decision]. The value "the least" refers to the decision that grants the
	// least access.
	Principal, Rules, Access string

	Rule string // the id of the finding's rule, or "from the finding" if another check determines the rule
	Why  string // the reason for the decision
}

// Rows is a list of rows of the decision table.
type Rows []Row

// Table returns the decision table of [Authenticate]. Exactly one row applies to each request.
func Table() Rows {
	var rows Rows
	for i := range table {
		rows = append(rows, table[i].public())
	}
	return rows
}

// String returns the rows as a Markdown table with aligned columns.
func (rows Rows) String() string {
	head := []string{"reads", "sent", "place", "kind", "facts hold", "policy", "override", "principal", "rules", "read, write", "rule", "why"}
	lines := [][]string{head, slices.Repeat([]string{"---"}, len(head))}
	for _, r := range rows {
		lines = append(lines, []string{r.Reads, r.Sent, r.Place, r.Kind, r.FactsHold, r.Policy, r.Override, r.Principal, r.Rules, r.Access, r.Rule, r.Why})
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	for _, cells := range lines {
		fmt.Fprintf(w, "| %s\t|\n", strings.Join(cells, "\t| "))
	}
	_ = w.Flush() // writing to a strings.Builder cannot fail
	return b.String()
}

// public returns the row in the form that [Table] returns.
func (r *row) public() Row {
	d := Decision{Principal: r.Principal, Bypass: r.Bypass, Location: "/"}
	if valuesOf[overriding](r.when, ofOverride) == setOf(asNobody) {
		d.Override = NewToken("null")
	}
	shown := Row{
		Reads: valuesOf[fact](r.when, ofReads).String(), Sent: valuesOf[sending](r.when, ofSent).String(),
		Place: valuesOf[Place](r.when, ofPlace).String(), Kind: valuesOf[Kind](r.when, ofKind).String(),
		FactsHold: valuesOf[fact](r.when, ofHolds).String(), Policy: valuesOf[ruling](r.when, ofPolicy).String(),
		Override:  valuesOf[overriding](r.when, ofOverride).String(),
		Principal: d.Principal.String(), Rules: d.Rules(), Access: d.Access(), Rule: "from the finding", Why: r.why(),
	}
	if r.Least {
		shown.Principal, shown.Rules, shown.Access = "the least", "the least", "the least"
	}
	if r.Rule != nil {
		shown.Rule = r.Rule.ID
	}
	for which := range ruling(len(rulingNames)) {
		if valuesOf[ruling](r.when, ofPolicy) == ^setOf(which) {
			shown.Policy = "not " + which.String()
		}
	}
	return shown
}
