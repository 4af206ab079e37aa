package rtdbauth

import "github.com/calrules/calrules/diag"

// Decision is as whom a request acts and what that gives. The zero value grants nothing.
type Decision struct {
	Principal Principal `json:"principal"`
	Subject   string    `json:"subject,omitempty"` // the uid of a [User], empty otherwise
	Rules     Rules     `json:"rules"`             // whether the database's rules apply
	Read      Access    `json:"read"`
	Write     Access    `json:"write"`

	// Location is the path that the decision is about; see [Presented]. Where it is empty,
	// nothing can be read or written.
	Location string `json:"-"`

	// Findings say why: about the request as a whole first, then about the header, the
	// parameter access_token and the parameter auth. A rejected request has at least one
	// of kind [diag.Reject], an unspecified one at least one of kind [diag.Unspecified].
	Findings diag.Findings `json:"findings"`
}

// Granted reports whether the request may read or write anything, be it only what the rules
// let it.
func (d Decision) Granted() bool { return d.Read != AccessNone || d.Write != AccessNone }

// Principal is as whom a request acts. The zero value is [Unspecified].
type Principal uint8

// The principals. The first two grant nothing; see the package comment for how they differ.
const (
	Unspecified    Principal = iota // the document does not say, and the policy does not either
	Rejected                        // the request is wrong
	None                            // nobody: no credential was presented
	ServiceAccount                  // a service account with permissions for the database
	User                            // the single user that an identity token identifies
	Legacy                          // the bearer of a legacy token or a database secret
)

var principalWords = []string{"unspecified", "rejected", "none", "service_account", "user", "legacy"}

// String returns the principal's word in the batch form, such as "service_account".
func (p Principal) String() string { return word(principalWords, p) }

// MarshalText writes the principal as [Principal.String] does.
func (p Principal) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what [Principal.String] returns; another word is [Unspecified].
func (p *Principal) UnmarshalText(text []byte) error {
	*p = value[Principal](principalWords, string(text))
	return nil
}

// Rules says whether the database's rules apply to a request. The zero value is that the
// request comes to nothing anyway.
type Rules uint8

// The three answers.
const (
	RulesNotApplicable Rules = iota
	RulesApply
	RulesBypass
)

var rulesWords = []string{"n/a", "apply", "bypass"}

// String returns "n/a", "apply" or "bypass".
func (r Rules) String() string { return word(rulesWords, r) }

// MarshalText writes the answer as [Rules.String] does.
func (r Rules) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what [Rules.String] returns; another word is [RulesNotApplicable].
func (r *Rules) UnmarshalText(text []byte) error {
	*r = value[Rules](rulesWords, string(text))
	return nil
}

// Access is how far reading or writing goes. The zero value is not at all.
type Access uint8

// From nothing to everything.
const (
	AccessNone   Access = iota
	AccessPublic        // what the rules make public
	AccessRules         // what the rules let the principal
	AccessFull          // everything
)

var accessWords = []string{"none", "public", "rules", "full"}

// String returns "none", "public", "rules" or "full".
func (a Access) String() string { return word(accessWords, a) }

// MarshalText writes the access as [Access.String] does.
func (a Access) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what [Access.String] returns; another word is [AccessNone].
func (a *Access) UnmarshalText(text []byte) error {
	*a = value[Access](accessWords, string(text))
	return nil
}

// accessOf returns what a principal may do, reading and writing alike.
func accessOf(p Principal, r Rules) Access {
	switch {
	case r == RulesBypass:
		return AccessFull
	case r == RulesApply && p == None:
		return AccessPublic
	case r == RulesApply:
		return AccessRules
	default:
		return AccessNone
	}
}
