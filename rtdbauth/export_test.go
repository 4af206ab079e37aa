package rtdbauth

// The decision table, for the tests of it.
type (
	Case     = situation
	Sent     = sending
	Ruling   = ruling
	TableRow = row
	Fact     = fact
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
)

const MaxCredentials = maxCredentials

func TableRows() []TableRow { return table }

func (f fact) And(g fact) fact { return f.and(g) }
