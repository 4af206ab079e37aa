package rtdbauth

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
)

// Case is all that a decision depends on, once a request has been read and the facts about
// its token weighed.
type Case struct {
	Reads  Fact   // see [Presented]
	Sent   Sent   // what it presents
	Place  Place  // where its one credential stands; of no account otherwise
	Kind   Kind   // what that is
	Holds  Fact   // whether the facts that matter for its kind are good
	Policy Ruling // what the policy says about just this
}

// Sent is what a request presents.
type Sent uint8

// What can be sent. An empty credential or another scheme that the policy ignores is nothing.
const (
	SentNothing Sent = iota
	SentOne
	SentSeveral
	SentOtherScheme // an Authorization header, not Bearer, and nothing else
)

var sentWords = []string{"nothing", "one", "several", "other scheme"}

// String returns "nothing", "one", "several" or "other scheme".
func (s Sent) String() string { return word(sentWords, s) }

// Ruling is what a [Policy] says about the point that a case raises.
type Ruling uint8

// The rulings.
const (
	NoRuling    Ruling = iota // the strict default
	RuledOut                  // a legacy credential or another scheme is refused
	RuledApply                // a legacy credential is admitted here, the rules apply
	RuledBypass               // a legacy credential is admitted here, the rules are bypassed
	RuledLeast                // of several credentials the least counts
)

var rulingWords = []string{"silent", "refuse", "admit, apply", "admit, bypass", "least"}

// String returns the ruling as the table has it, such as "silent".
func (r Ruling) String() string { return word(rulingWords, r) }

// Set is a set of values of an enumeration. The zero value is empty.
type Set[T enum] uint32

type enum interface {
	~uint8
	String() string
}

// SetOf returns the set of the values given.
func SetOf[T enum](values ...T) Set[T] {
	var s Set[T]
	for _, v := range values {
		s |= 1 << v
	}
	return s
}

// Has reports whether v is in the set.
func (s Set[T]) Has(v T) bool { return s&(1<<v) != 0 }

// String lists the values, or says "any" of the empty set, which in a [Row] it is.
func (s Set[T]) String() string {
	if s == 0 {
		return "any"
	}
	var names []string
	for v := range T(32) {
		if s.Has(v) {
			names = append(names, v.String())
		}
	}
	return strings.Join(names, " / ")
}

// Row is one row of the decision table: the cases that it holds for, and what they come to.
// An empty set stands for any value.
type Row struct {
	Reads  Set[Fact]
	Sent   Set[Sent]
	Place  Set[Place]
	Kind   Set[Kind]
	Holds  Set[Fact]
	Policy Set[Ruling]

	Principal Principal
	Rules     Rules

	// Least says that each credential is decided on by itself, and the least of the
	// answers counts. Where the least are of different principals, the request is refused.
	Least bool

	Rule *diag.Rule // the rule that the row follows; nil where that is the first finding's
	Why  string     // the answer in words

	// kind is that of the finding that the row makes, with Why as its message, and do as what
	// to do about it where Why does not say. Where it is empty, there is none to make, or those
	// who read the request and the facts made it.
	kind diag.Kind
	do   string
}

// message returns what the row's finding says.
func (r *Row) message() string {
	if r.do == "" {
		return r.Why
	}
	return r.Why + "; " + r.do
}

// Access returns what the row's principal may read and write, where the location is known.
func (r *Row) Access() Access { return accessOf(r.Principal, r.Rules) }

// Matches reports whether the row holds for the case.
func (r *Row) Matches(c Case) bool {
	return in(r.Reads, c.Reads) && in(r.Sent, c.Sent) && in(r.Place, c.Place) &&
		in(r.Kind, c.Kind) && in(r.Holds, c.Holds) && in(r.Policy, c.Policy)
}

func in[T enum](s Set[T], v T) bool { return s == 0 || s.Has(v) }

// Rows is a decision table.
type Rows []Row

// Table returns the table by which [Decide] answers. Exactly one row holds for each case.
func Table() Rows { return append(Rows(nil), table...) }

// find returns the row that holds for the case.
func (rs Rows) find(c Case) *Row {
	for i := range rs {
		if rs[i].Matches(c) {
			return &rs[i]
		}
	}
	return &Row{} // no case is without a row; were there one, this grants nothing
}

// Sets that the table uses more than once.
var (
	yes         = SetOf(Yes)
	readable    = SetOf(Unknown, Yes)
	one         = SetOf(SentOne)
	tokenPlaces = SetOf(InHeader, InAccessToken) // where an access token belongs
	userPlaces  = SetOf(InAuth)                  // where an identity token belongs
	silent      = SetOf(NoRuling, RuledLeast)    // of a legacy credential nothing is said
)

// except returns the set of all rulings but one.
func except(r Ruling) Set[Ruling] {
	return SetOf(NoRuling, RuledOut, RuledApply, RuledBypass, RuledLeast) &^ SetOf(r)
}

var table = Rows{
	{Reads: SetOf(No), Principal: Rejected,
		Why: "the request cannot be read in one way only, or not be let in by any credential"},
	{Reads: readable, Sent: SetOf(SentSeveral), Policy: except(RuledLeast),
		Principal: Rejected, Rule: docOneCredential, kind: diag.Reject,
		Why: "a request carries its token in one way only; send one credential, once"},
	{Reads: readable, Sent: SetOf(SentOtherScheme), Policy: SetOf(RuledOut),
		Principal: Rejected, Rule: docBearer, kind: diag.Reject,
		Why: "the Authorization field has another scheme than Bearer, and the policy refuses it",
		do:  "send Bearer and a token, or leave the field out"},
	{Reads: readable, Sent: SetOf(SentOtherScheme), Policy: except(RuledOut),
		Principal: Unspecified, Rule: docBearer, kind: diag.Unspecified,
		Why: "the Authorization field has another scheme than Bearer, of which the document does not say what it is worth",
		do:  "send Bearer and a token, or have the policy decide (unsupported_scheme)"},
	{Reads: SetOf(Unknown), Sent: SetOf(SentNothing, SentOne), Principal: Unspecified,
		Why: "the document does not say what the request is"},
	{Reads: SetOf(Unknown), Sent: SetOf(SentSeveral), Policy: SetOf(RuledLeast), Principal: Unspecified,
		Why: "the document does not say what the request is"},

	{Reads: yes, Sent: SetOf(SentNothing), Principal: None, Rules: RulesApply, Rule: docNone,
		Why: "only what the rules make public is accessible"},
	{Reads: yes, Sent: SetOf(SentSeveral), Policy: SetOf(RuledLeast), Least: true, Rule: docOneCredential, kind: diag.Advise,
		Why: "there are several credentials, and the policy has the least of them count; send one"},

	{Reads: yes, Sent: one, Place: tokenPlaces, Kind: SetOf(KindUnknown),
		Principal: Unspecified, Rule: docServiceAccount, kind: diag.Unspecified,
		Why: "the verifier does not say what the token is"},
	{Reads: yes, Sent: one, Place: userPlaces, Kind: SetOf(KindUnknown),
		Principal: Unspecified, Rule: docIDToken, kind: diag.Unspecified,
		Why: "the verifier does not say what the token is"},
	{Reads: yes, Sent: one, Place: SetOf(Place(0)), Principal: Unspecified, Rule: docOneCredential, kind: diag.Unspecified,
		Why: "the credential stands in no place that the document shows",
		do:  "send it in the header, as access_token or as auth"},
	{Reads: yes, Sent: one, Place: tokenPlaces, Kind: SetOf(KindOther),
		Principal: Rejected, Rule: docServiceAccount, kind: diag.Reject,
		Why: "the token is no credential of this service", do: sendCredential},
	{Reads: yes, Sent: one, Place: userPlaces, Kind: SetOf(KindOther),
		Principal: Rejected, Rule: docIDToken, kind: diag.Reject,
		Why: "the token is no credential of this service", do: sendCredential},

	{Reads: yes, Sent: one, Place: userPlaces, Kind: SetOf(KindOAuthAccess),
		Principal: Rejected, Rule: docServiceAccount, kind: diag.Reject,
		Why: "an access token is presented in the header or as access_token, not as auth"},
	{Reads: yes, Sent: one, Place: tokenPlaces, Kind: SetOf(KindOAuthAccess), Holds: SetOf(No),
		Principal: Rejected, Rule: docServiceAccount,
		Why: "a fact about the access token is bad"},
	{Reads: yes, Sent: one, Place: tokenPlaces, Kind: SetOf(KindOAuthAccess), Holds: SetOf(Unknown),
		Principal: Unspecified, Rule: docServiceAccount,
		Why: "a fact about the access token is not known"},
	{Reads: yes, Sent: one, Place: tokenPlaces, Kind: SetOf(KindOAuthAccess), Holds: yes,
		Principal: ServiceAccount, Rules: RulesBypass, Rule: docServiceAccount,
		Why: "full access; the rules are ignored"},

	{Reads: yes, Sent: one, Place: tokenPlaces, Kind: SetOf(KindIDToken),
		Principal: Rejected, Rule: docIDToken, kind: diag.Reject,
		Why: "an identity token is presented as auth, not in the header or as access_token"},
	{Reads: yes, Sent: one, Place: userPlaces, Kind: SetOf(KindIDToken), Holds: SetOf(No),
		Principal: Rejected, Rule: docIDToken,
		Why: "a fact about the identity token is bad"},
	{Reads: yes, Sent: one, Place: userPlaces, Kind: SetOf(KindIDToken), Holds: SetOf(Unknown),
		Principal: Unspecified, Rule: docIDToken,
		Why: "a fact about the identity token is not known"},
	{Reads: yes, Sent: one, Place: userPlaces, Kind: SetOf(KindIDToken), Holds: yes,
		Principal: User, Rules: RulesApply, Rule: docIDToken,
		Why: "the single user that the token identifies; the rules apply whatever it claims"},

	{Reads: yes, Sent: one, Place: anyPlace, Kind: legacyKinds, Holds: SetOf(No),
		Principal: Rejected, Rule: docLegacy,
		Why: "a fact about the legacy credential is bad"},
	{Reads: yes, Sent: one, Place: anyPlace, Kind: legacyKinds, Holds: readable, Policy: SetOf(RuledOut),
		Principal: Rejected, Rule: docLegacy, kind: diag.Reject,
		Why: "the policy refuses legacy credentials; send an access token or an identity token"},
	{Reads: yes, Sent: one, Place: anyPlace, Kind: legacyKinds, Holds: readable, Policy: silent,
		Principal: Unspecified, Rule: docPresentation, kind: diag.Unspecified,
		Why: "the document does not show how a legacy credential is presented, and the policy does not admit it here",
		do:  "send an access token or an identity token, or have the policy admit it (legacy_in)"},
	{Reads: yes, Sent: one, Place: anyPlace, Kind: legacyKinds, Holds: SetOf(Unknown), Policy: SetOf(RuledApply, RuledBypass),
		Principal: Unspecified, Rule: docLegacy,
		Why: "a fact about the legacy credential is not known"},
	{Reads: yes, Sent: one, Place: anyPlace, Kind: legacyKinds, Holds: yes, Policy: SetOf(RuledApply),
		Principal: Legacy, Rules: RulesApply, Rule: docLegacy, kind: diag.Advise,
		Why: legacyAdvice},
	{Reads: yes, Sent: one, Place: anyPlace, Kind: legacyKinds, Holds: yes, Policy: SetOf(RuledBypass),
		Principal: Legacy, Rules: RulesBypass, Rule: docLegacy, kind: diag.Advise,
		Why: legacyAdvice},
}

// anyPlace are all places that there are, other than nowhere.
var anyPlace = tokenPlaces | userPlaces

const sendCredential = "send a service account's access token or a user's identity token"

const legacyAdvice = "legacy credentials are still accepted, but not recommended; upgrade to an access token or an identity token"

// tableHead names the columns of [Rows.String].
var tableHead = []string{"reads", "sent", "place", "kind", "facts hold", "policy", "principal", "rules", "read, write", "rule", "why"}

// String renders the table as Markdown, its columns aligned.
func (rs Rows) String() string {
	lines := [][]string{tableHead}
	for i := range rs {
		lines = append(lines, rs[i].cells())
	}
	widths := make([]int, len(tableHead))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for i, line := range lines {
		writeLine(&b, line, widths)
		if i == 0 {
			writeRuler(&b, widths)
		}
	}
	return b.String()
}

// cells returns the row as [Rows.String] shows it.
func (r *Row) cells() []string {
	cells := []string{
		r.Reads.String(), r.Sent.String(), r.Place.String(), r.Kind.String(), r.Holds.String(), policyCell(r.Policy),
		r.Principal.String(), r.Rules.String(), r.Access().String(), "that of the finding", r.Why,
	}
	if r.Rule != nil {
		cells[9] = r.Rule.ID
	}
	if r.Least {
		cells[6], cells[7], cells[8] = "the least", "the least", "the least"
	}
	return cells
}

// policyCell names a set of rulings by the one that is not in it, where that is shorter.
func policyCell(s Set[Ruling]) string {
	for i := range rulingWords {
		if r := Ruling(i); s == except(r) {
			return "not " + r.String()
		}
	}
	return s.String()
}

func writeLine(b *strings.Builder, cells []string, widths []int) {
	for i, cell := range cells {
		fmt.Fprintf(b, "| %-*s ", widths[i], cell)
	}
	b.WriteString("|\n")
}

func writeRuler(b *strings.Builder, widths []int) {
	for _, w := range widths {
		b.WriteString("| " + strings.Repeat("-", w) + " ")
	}
	b.WriteString("|\n")
}
