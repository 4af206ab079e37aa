package rtdbauth

// Principal says as whom a request acts. The zero value is [Unspecified].
type Principal uint8

// The principals. The first two are granted nothing; the package comment explains how they differ.
const (
	Unspecified    Principal = iota // neither the document nor the policy says
	Rejected                        // the request is wrong
	None                            // the request has no credential
	ServiceAccount                  // a service account with permissions for the database
	User                            // the single user that an identity token identifies
	Legacy                          // the bearer of a legacy token or a database secret
)

var principalNames = []string{"unspecified", "rejected", "none", "service_account", "user", "legacy"}

// String returns the name in the batch form, such as "service_account". MarshalText returns the same text, and
// UnmarshalText reads it; any other text is read as [Unspecified].
func (p Principal) String() string                   { return nameOf(principalNames, p) }
func (p Principal) MarshalText() ([]byte, error)     { return []byte(p.String()), nil }
func (p *Principal) UnmarshalText(text []byte) error { return parse(p, principalNames, text) }

// Rules says whether the database's rules apply to a request.
type Rules uint8

// The values of Rules.
const (
	RulesNotApplicable Rules = iota // the request is granted nothing
	RulesApply
	RulesBypass
)

var rulesNames = []string{"n/a", "apply", "bypass"}

// String returns "n/a", "apply" or "bypass". MarshalText returns the same text, and
// UnmarshalText reads it; any other text is read as [RulesNotApplicable].
func (r Rules) String() string                   { return nameOf(rulesNames, r) }
func (r Rules) MarshalText() ([]byte, error)     { return []byte(r.String()), nil }
func (r *Rules) UnmarshalText(text []byte) error { return parse(r, rulesNames, text) }

// Access says how much a request can read or write.
type Access uint8

// The values of Access, from least to most.
const (
	AccessNone   Access = iota
	AccessPublic        // what the rules make public
	AccessRules         // what the rules allow the principal
	AccessFull          // everything
)

var accessNames = []string{"none", "public", "rules", "full"}

// String returns "none", "public", "rules" or "full". MarshalText returns the same text, and
// UnmarshalText reads it; any other text is read as [AccessNone].
func (a Access) String() string                   { return nameOf(accessNames, a) }
func (a Access) MarshalText() ([]byte, error)     { return []byte(a.String()), nil }
func (a *Access) UnmarshalText(text []byte) error { return parse(a, accessNames, text) }
