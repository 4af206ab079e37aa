package rtdbauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

// Authenticate decides as whom a request acts: [Extract], then the verifier, then [Decide].
// The verifier is asked only about credentials that the decision depends on: not about those
// of a request that is refused for its form.
//
// The time is the clock by which the times of tokens are judged; the zero time is none.
func Authenticate(ctx context.Context, m Message, v Verifier, policy Policy, now time.Time) Decision {
	j := judge{presented: Extract(m, policy), policy: policy, now: now}
	p := &j.presented
	if p.Reads == Yes && (len(p.Credentials) == 1 || policy.OnConflict == LeastPrivilege) {
		j.facts = make([]Facts, len(p.Credentials))
		for i, c := range p.Credentials {
			f, err := v.VerifyToken(ctx, c)
			if err == nil {
				j.facts[i] = f
				continue
			}
			if j.failures == nil {
				j.failures = make([]error, len(p.Credentials))
			}
			j.failures[i] = err
		}
	}
	return j.decide()
}

// Decide answers by the [Table]. The facts are those about p.Credentials, in their order;
// where there are fewer, the others are unknown.
//
// It is total: what no [Extract] returns has an answer too, with its reasons, and values that
// an enumeration does not have count as its zero value. The same request has the same answer
// in whatever order its header fields and parameters came. The time is the clock by which the times of tokens are judged; the
// zero time is none, and what needs one is then unknown.
func Decide(p Presented, facts []Facts, policy Policy, now time.Time) Decision {
	j := judge{presented: p, facts: facts, policy: policy, now: now}
	return j.decide()
}

// judge holds what one decision is made from.
type judge struct {
	presented Presented
	facts     []Facts
	failures  []error // why the verifier gave no facts; nil where it did
	policy    Policy
	now       time.Time
}

func (j *judge) decide() Decision {
	p := &j.presented
	p.Reads = orZero(factWords, p.Reads)
	if p.Findings.Rejected() {
		p.Reads = No
	}
	a := j.request()
	d := Decision{
		Principal: a.row.Principal,
		Subject:   a.subject,
		Rules:     a.row.Rules,
		Findings:  append(append(diag.Findings{}, p.Findings...), a.findings...),
	}
	d.Findings = tidy(append(d.Findings, lacking(d.Principal, d.Findings)...))
	if a.row.Access() != AccessNone && p.Location != "" {
		d.Read, d.Write, d.Location = a.row.Access(), a.row.Access(), p.Location
	}
	return d
}

// answer is a row of the table that was found to hold, with what it found of the request.
type answer struct {
	row      *Row
	subject  string
	findings diag.Findings
}

// request answers for the request as a whole.
func (j *judge) request() answer {
	p := &j.presented
	switch n := len(p.Credentials); {
	case n == 0 && p.OtherScheme:
		return j.otherScheme()
	case n == 0:
		return answerBy(Case{Reads: p.Reads, Sent: SentNothing})
	case n == 1 && !p.OtherScheme:
		return j.credential(0)
	default:
		return j.several()
	}
}

// answerBy looks the case up. The finding of its row, where it makes one, is made in each of
// the places.
func answerBy(c Case, places ...Place) answer {
	a := answer{row: table.find(c)}
	if a.row.kind == "" {
		return a
	}
	for _, at := range places {
		a.findings = append(a.findings, diag.Finding{Rule: a.row.Rule, Kind: a.row.kind, Path: at.pointer(), Message: a.row.message()})
	}
	return a
}

// otherScheme answers for an Authorization header that is not Bearer.
func (j *judge) otherScheme() answer {
	c := Case{Reads: j.presented.Reads, Sent: SentOtherScheme}
	if j.policy.UnsupportedScheme == Reject {
		c.Policy = RuledOut
	}
	return answerBy(c, InHeader)
}

// credential answers for the credential i as if it were the only one.
func (j *judge) credential(i int) answer {
	p, place := &j.presented, orZero(placeWords, j.presented.Credentials[i].Place)
	c := Case{Reads: p.Reads, Sent: SentOne, Place: place}
	if p.Reads != Yes {
		return answerBy(c, place) // what it is worth does not matter
	}
	e := evidence{now: j.now, leeway: j.policy.leeway(), scopeBase: j.policy.ScopeBase}
	if i < len(j.facts) {
		e.Facts = j.facts[i]
	}
	e.Kind = orZero(kindWords, e.Kind)
	c.Kind = e.Kind
	if legacyKinds.Has(e.Kind) {
		c.Policy = j.policy.legacy(place)
	}
	var reasons diag.Findings
	c.Holds, reasons = standing(&e, place.pointer())
	a := answerBy(c, place)
	switch {
	case a.row.kind == "":
		a.findings = reasons
	case e.Kind == KindUnknown && place != 0:
		a.say(j.silence(i))
	}
	if a.row.Principal == User {
		a.subject = *e.UID
	}
	return a
}

// say has the findings say something else than their row does.
func (a *answer) say(message string) {
	for i := range a.findings {
		a.findings[i].Message = message
	}
}

// silence says why it is not known what the credential i is. An error of the embedder's
// verifier is not shown, for it may hold the token; those of the batch form hold none.
func (j *judge) silence(i int) string {
	if i < len(j.failures) && j.failures[i] != nil {
		if form, ok := errors.AsType[formError](j.failures[i]); ok {
			return "what is known of the token is no answer: " + string(form)
		}
		return "the verifier gave no answer about the token but an error, which is not shown here; ask it again, or look into its log"
	}
	if i >= len(j.facts) || reflect.ValueOf(j.facts[i]).IsZero() {
		return "the verifier knows nothing of the token; send one that it knows, or let it know this one"
	}
	return "the verifier does not say of which kind the token is; it has to, since what the token gives depends on that"
}

// several answers for a request with more than one credential.
func (j *judge) several() answer {
	p := &j.presented
	strict := Case{Reads: p.Reads, Sent: SentSeveral}
	places := j.places()
	if j.policy.OnConflict != LeastPrivilege {
		return j.conflict(strict, places)
	}
	lenient := strict
	lenient.Policy = RuledLeast
	whole := answerBy(lenient, places...)
	if !whole.row.Least {
		return whole
	}
	least := leastOf(j.each())
	if least.row == nil { // nobody's privilege is the least
		return j.conflict(strict, places)
	}
	least.findings = append(least.findings, whole.findings...)
	return least
}

// conflict refuses several credentials, and says how many there are and where.
func (j *judge) conflict(c Case, places []Place) answer {
	n := len(j.presented.Credentials)
	if j.presented.OtherScheme {
		n++
	}
	words := make([]string, len(places))
	for i, place := range places {
		words[i] = place.String()
	}
	seen := fmt.Sprintf("there are %d credentials (%s)", n, strings.Join(words, ", "))
	if j.policy.OnConflict == LeastPrivilege {
		seen += ", of which none gives less than all others"
	}
	a := answerBy(c, places...)
	a.say(seen + "; " + a.row.message())
	return a
}

// each answers for every credential by itself.
func (j *judge) each() []answer {
	var answers []answer
	for i := range j.presented.Credentials {
		answers = append(answers, j.credential(i))
	}
	if j.presented.OtherScheme {
		answers = append(answers, j.otherScheme())
	}
	return answers
}

// places returns the places in which the request presents something, each once.
func (j *judge) places() []Place {
	var places []Place
	if j.presented.OtherScheme {
		places = append(places, InHeader)
	}
	for _, c := range j.presented.Credentials {
		places = append(places, c.Place)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// leastOf returns the answer that grants least, with the findings of all. Its row is nil
// where two that grant the same grant it to different principals.
func leastOf(answers []answer) answer {
	least := slices.MinFunc(answers, func(a, b answer) int { return cmp.Compare(a.rank(), b.rank()) })
	var findings diag.Findings
	for _, a := range answers {
		findings = append(findings, a.findings...)
		if a.rank() == least.rank() && (a.row.Principal != least.row.Principal || a.subject != least.subject) {
			return answer{}
		}
	}
	least.findings = findings
	return least
}

// rank orders answers by what they grant. A refusal comes first: a bad credential beside a
// good one does not become none.
func (a answer) rank() int {
	switch {
	case a.row.Principal == Rejected:
		return 0
	case a.row.Rules == RulesNotApplicable:
		return 1
	default:
		return 1 + int(a.row.Rules)
	}
}

// lacking returns the reason that findings do not give although they must for the principal.
// [Extract] always gives it, with what it says that the request reads as; others may not.
func lacking(p Principal, findings diag.Findings) diag.Findings {
	reason := diag.Finding{Path: wholeRequest}
	switch p {
	case Rejected:
		reason.Rule, reason.Kind = docOneCredential, diag.Reject
		reason.Message = "whoever read the request says that it cannot be read in one way only, or not be let in, but not why; let it give the reason (Presented.Findings)"
	case Unspecified:
		reason.Rule, reason.Kind = docMethod, diag.Unspecified
		reason.Message = "whoever read the request does not say what it is, and not why; let it say so (Presented.Reads), or give the reason (Presented.Findings)"
	default:
		return nil
	}
	if slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Kind == reason.Kind }) {
		return nil
	}
	return diag.Findings{reason}
}

// noRule stands for the rule of a finding that names none, so that it can be written like the
// others.
var noRule = new(diag.Rule)

// tidy puts findings into an order that does not depend on that of the request, each once.
func tidy(all diag.Findings) diag.Findings {
	for i := range all {
		if all[i].Rule == nil {
			all[i].Rule = noRule
		}
	}
	slices.SortFunc(all, func(a, b diag.Finding) int {
		return cmp.Or(
			cmp.Compare(placeOrder(a.Path), placeOrder(b.Path)),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Kind, b.Kind),
		)
	})
	return slices.Compact(all)
}

// placeOrder returns where findings about the path stand among the others.
func placeOrder(path diag.Pointer) Place {
	return Place(max(slices.Index(placePointers, path), 0))
}
