package limits

// Limit is a row of [Table].
type Limit struct {
	Name      string   `json:"name"`      // the name of the limit, such as "ReminderMinutes"
	AppliesTo []string `json:"appliesTo"` // members, such as "attendees[].email", and query parameters, such as "?maxAttendees"
	Value     string   `json:"value"`     // the numbers, the values of an enumeration, or the form
	Unit      string   `json:"unit"`      // the unit of the numbers, or "one of", "alphabet" or "form"

	// Min and Max are the smallest and largest allowed numbers, or nil if there is no bound.
	Min *int64 `json:"min,omitempty"`
	Max *int64 `json:"max,omitempty"`

	Rules  []string `json:"rules"`  // the ids of the rules that enforce the limit
	Basis  string   `json:"basis"`  // "stated", "rfc", "inferred" or "observed"
	Source string   `json:"source"` // the section or RFC that states the limit
}

// Table returns every limit of the service: the limits on members and query parameters, in the documents' order, and
// the limits on requests as a whole. The limits are generated from the tables of members and parameters that the rules
// use. The caller may modify the slice.
func Table() []Limit { return table() }
