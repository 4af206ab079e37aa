package rtdbauth

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/calrules/calrules/diag"
)

// saysKind contains the sentences about tokens whose kind is unknown or not a kind of this service.
var saysKind = diag.Sentences{
	{Key: "other-kind", Text: "The token is not a credential of this service. Send an access token of a service account or an identity token of a user."},
	{Key: "kind-unknown", Text: "The verifier does not know the kind of the token. It must set kind (in Go, Facts.Kind), because the effect of the token depends on its kind."},
	{Key: "token-unknown", Text: "The verifier does not know the token. Send a token that the verifier knows."},
	{Key: "verifier-failed", Text: "The verifier failed with an error, which is not shown because it may contain the token. Try again, or read the verifier's log."},
	{Key: "facts-unusable", Text: "The facts about the token cannot be used: {why}."},
}

// A situation contains everything on which a decision depends.
type situation struct {
	Reads  fact    // see [presented]
	Sent   sending // the class of the credentials in the request
	Place  Place   // the place of the only credential
	Kind   Kind    // the kind of the only credential
	Holds  fact    // whether all facts that this kind needs are known and good
	Policy ruling  // the policy's ruling on the case, or else the dialect's

	Override overriding // the effect of auth_variable_override
}

// sending classifies the credentials in a request. Empty credentials and other schemes do not count if the policy ignores them.
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

// String returns the ruling as the table shows it, such as "silent".
func (r ruling) String() string { return nameOf(rulingNames, r) }

// A row is one row of the decision table: the situations to which it applies, and the decision. An empty set matches any value.
type row struct {
	Reads  set[fact]
	Sent   set[sending]
	Place  set[Place]
	Kind   set[Kind]
	Holds  set[fact]
	Policy set[ruling]

	Override set[overriding]

	Principal Principal
	Bypass    bool // the rules of the database do not apply

	// Least reports whether each credential is decided separately, with the decision that grants the least access taking
	// effect. If several decisions grant the least access but to different principals, the request is rejected.
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

// Matches reports whether the row applies to a situation.
func (r *row) Matches(c *situation) bool {
	return matches(r.Kind, c.Kind) && matches(r.Holds, c.Holds) && // first, as few rows do
		matches(r.Reads, c.Reads) && matches(r.Sent, c.Sent) && matches(r.Place, c.Place) && matches(r.Policy, c.Policy) && matches(r.Override, c.Override)
}

// limits reports whether an override limits a service account.
func (r *row) limits() bool { return r.Principal == ServiceAccount && !r.Bypass }

func matches[T enum](s set[T], v T) bool { return s == 0 || s.Has(v) }

// find returns the row that applies to a situation. There is exactly one such row.
func find(c *situation) *row {
	for i := range table {
		if table[i].Matches(c) {
			return &table[i]
		}
	}
	return &row{} // unreachable, because every situation has a row; this row would grant nothing
}

// Sets that the table uses more than once.
var (
	bad, open, good = setOf(no), setOf(unknown), setOf(yes)
	readable        = open | good

	tokenPlaces = setOf(InHeader, InAccessToken) // for access tokens
	userPlaces  = setOf(InAuth)                  // for identity tokens
	anyPlace    = tokenPlaces | userPlaces

	silent   = setOf(noRuling, ruledLeast) // no ruling on legacy credentials
	admitted = setOf(ruledApply, ruledBypass)

	alone      = setOf(notOverridden)
	overridden = setOf(asNobody, asObject)
)

// allBut returns the set of all rulings except the given one.
func allBut(r ruling) set[ruling] { return (silent | admitted | setOf(ruledOut)) &^ setOf(r) }

// single returns a row about requests with a single credential.
func single(place set[Place], kind set[Kind], facts set[fact], policy set[ruling], r row) row {
	r.Reads, r.Sent, r.Place, r.Kind, r.Holds, r.Policy = good, setOf(sentOne), place, kind, facts, policy
	return r
}

var table = []row{
	{Reads: bad, Principal: Rejected,
		Why: "The request is malformed or ambiguous, or is rejected whatever its credentials."},
	{Reads: readable, Sent: setOf(sentSeveral), Policy: allBut(ruledLeast), Principal: Rejected, Rule: oneCredentialRule, kind: diag.Reject, key: "send-one"},
	{Reads: readable, Sent: setOf(sentOtherScheme), Policy: setOf(ruledOut), Principal: Rejected, Rule: bearerRule, kind: diag.Reject, key: "scheme-rejected"},
	{Reads: readable, Sent: setOf(sentOtherScheme), Policy: allBut(ruledOut), Rule: bearerRule, kind: diag.Unspecified, key: "scheme-open"},
	{Reads: open, Sent: setOf(sentNothing, sentOne), Why: requestUnknown},
	{Reads: open, Sent: setOf(sentSeveral), Policy: setOf(ruledLeast), Why: requestUnknown},
	{Reads: good, Sent: setOf(sentNothing), Override: alone, Principal: None, Rule: noCredentialRule,
		Why: "Only data that the rules make public is accessible."},
	{Reads: good, Sent: setOf(sentNothing), Override: overridden, Rule: overrideRule, kind: diag.Unspecified, key: "alone"},
	{Reads: good, Sent: setOf(sentSeveral), Policy: setOf(ruledLeast), Override: alone, Least: true, Rule: oneCredentialRule, kind: diag.Advise, key: "least"},
	{Reads: good, Sent: setOf(sentSeveral), Policy: setOf(ruledLeast), Override: overridden, Principal: Rejected, Rule: overrideRule, kind: diag.Reject, key: "beside"},

	single(tokenPlaces, setOf(KindUnknown), bad, 0, row{Principal: Rejected, Rule: serviceAccountRule, kind: diag.Reject, key: "not-genuine"}),
	single(userPlaces, setOf(KindUnknown), bad, 0, row{Principal: Rejected, Rule: idTokenRule, kind: diag.Reject, key: "not-genuine"}),
	single(tokenPlaces, setOf(KindUnknown), readable, 0, row{Rule: serviceAccountRule, kind: diag.Unspecified, key: "kind-unknown", Why: kindUnknown}),
	single(userPlaces, setOf(KindUnknown), readable, 0, row{Rule: idTokenRule, kind: diag.Unspecified, key: "kind-unknown", Why: kindUnknown}),
	single(tokenPlaces, setOf(KindOther), 0, 0, row{Principal: Rejected, Rule: serviceAccountRule, kind: diag.Reject, key: "other-kind"}),
	single(userPlaces, setOf(KindOther), 0, 0, row{Principal: Rejected, Rule: idTokenRule, kind: diag.Reject, key: "other-kind"}),

	single(userPlaces, oauthAccess, 0, 0, row{Principal: Rejected, Rule: serviceAccountRule, kind: diag.Reject, key: "place"}),
	single(tokenPlaces, oauthAccess, bad, 0, row{Principal: Rejected, Rule: serviceAccountRule, Why: "A fact about the access token is bad."}),
	single(tokenPlaces, oauthAccess, open, 0, row{Rule: serviceAccountRule, Why: "A fact about the access token is unknown."}),
	single(tokenPlaces, oauthAccess, good, 0, row{Override: alone, Principal: ServiceAccount, Bypass: true, Rule: serviceAccountRule,
		Why: "All data is accessible. The rules are ignored."}),
	single(tokenPlaces, oauthAccess, good, 0, row{Override: setOf(asObject), Principal: ServiceAccount, Rule: overrideRule,
		Why: "The rules apply with the object as their auth variable."}),
	single(tokenPlaces, oauthAccess, good, 0, row{Override: setOf(asNobody), Principal: ServiceAccount, Rule: overrideRule,
		Why: "The rules apply as they do without a user."}),

	single(tokenPlaces, idToken, 0, 0, row{Principal: Rejected, Rule: idTokenRule, kind: diag.Reject, key: "place"}),
	single(userPlaces, idToken, bad, 0, row{Principal: Rejected, Rule: idTokenRule, Why: "A fact about the identity token is bad."}),
	single(userPlaces, idToken, open, 0, row{Rule: idTokenRule, Why: "A fact about the identity token is unknown."}),
	single(userPlaces, idToken, good, 0, row{Override: alone, Principal: User, Rule: idTokenRule,
		Why: "The request acts as the single user that the token identifies. The rules apply, whatever the token claims."}),
	single(userPlaces, idToken, good, 0, row{Override: overridden, Principal: Rejected, Rule: overrideRule, kind: diag.Reject, key: "beside"}),

	single(anyPlace, legacyKinds, bad, 0, row{Principal: Rejected, Rule: legacyRule, Why: "A fact about the legacy credential is bad."}),
	single(anyPlace, legacyKinds, readable, setOf(ruledOut), row{Principal: Rejected, Rule: legacyRule, kind: diag.Reject, key: "refused"}),
	single(anyPlace, legacyKinds, readable, silent, row{Rule: presentationRule, kind: diag.Unspecified, key: "not-shown"}),
	single(anyPlace, legacyKinds, open, admitted, row{Rule: legacyRule, Why: "A fact about the legacy credential is unknown."}),
	single(anyPlace, legacyKinds, good, admitted, row{Override: overridden, Principal: Rejected, Rule: overrideRule, kind: diag.Reject, key: "beside"}),
	single(anyPlace, legacyKinds, good, setOf(ruledApply), row{Override: alone, Principal: Legacy, Rule: legacyRule, kind: diag.Advise, key: "upgrade-advised"}),
	single(anyPlace, legacyKinds, good, setOf(ruledBypass), row{Override: alone, Principal: Legacy, Bypass: true, Rule: legacyRule, kind: diag.Advise, key: "upgrade-advised"}),
}

// Reasons that several rows share.
const (
	requestUnknown = "The document does not define the request."
	kindUnknown    = "The verifier does not know the kind of the token."
)

// A Row is a row of the decision table: conditions on a request, and the decision of [Authenticate] on any request that
// meets them.
type Row struct {
	// The conditions on the request and on the facts about its credential. Each field lists the values to which the row
	// applies, such as "unknown / yes", or is "any".
	Reads, Sent, Place, Kind, FactsHold, Policy, Override string

	// The decision, as returned by the methods of [Decision], or "the least" if it is the least of several decisions.
	Principal, Rules, Access string

	Rule string // the id of the rule of the finding, or "from the finding" if another check chooses it
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
	if r.Override == setOf(asNobody) {
		d.Override = NewToken("null")
	}
	shown := Row{
		Reads: r.Reads.String(), Sent: r.Sent.String(), Place: r.Place.String(), Kind: r.Kind.String(), FactsHold: r.Holds.String(),
		Policy: r.Policy.String(), Override: r.Override.String(),
		Principal: d.Principal.String(), Rules: d.Rules(), Access: d.Access(), Rule: "from the finding", Why: r.why(),
	}
	if r.Least {
		shown.Principal, shown.Rules, shown.Access = "the least", "the least", "the least"
	}
	if r.Rule != nil {
		shown.Rule = r.Rule.ID
	}
	for which := range ruling(len(rulingNames)) {
		if r.Policy == allBut(which) {
			shown.Policy = "not " + which.String()
		}
	}
	return shown
}
