package rtdbauth

// The decision table, for the tests of it.
type (
	Case   = situation
	Sent   = sending
	Ruling = ruling
	Row    = row
)

const (
	SentNothing     = sentNothing
	SentOne         = sentOne
	SentSeveral     = sentSeveral
	SentOtherScheme = sentOtherScheme

	NoRuling    = noRuling
	RuledOut    = ruledOut
	RuledApply  = ruledApply
	RuledBypass = ruledBypass
	RuledLeast  = ruledLeast
)

func Rows() []Row { return table }
