package rtdbauth

// The decision table, for the tests of it.
type (
	Case     = situation
	Sent     = sending
	Ruling   = ruling
	TableRow = row
	Fact     = fact
	Override = overriding
)

const (
	SentNothing     = sentNothing
	SentOne         = sentOne
	SentSeveral     = sentSeveral
	SentOtherScheme = sentOtherScheme

	Unknown = unknown
	No      = no
	Yes     = yes

	NoRuling    = noRuling
	RuledOut    = ruledOut
	RuledApply  = ruledApply
	RuledBypass = ruledBypass
	RuledLeast  = ruledLeast

	NotOverridden = notOverridden
	AsNobody      = asNobody
	AsObject      = asObject
)

const MaxCredentials = maxCredentials

func TableRows() []TableRow { return table }

func IsVisible(s string) bool { return isVisible(s) }

func (f fact) And(g fact) fact { return f.and(g) }

// Matches reports whether a row applies to a situation.
func (r *row) Matches(c situation) bool { return c.bits()&^r.when == 0 }
