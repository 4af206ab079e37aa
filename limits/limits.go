package limits

// Limit is one row of [Table].
type Limit struct {
	Name      string   `json:"name"`      // "ReminderMinutes", for example
	AppliesTo []string `json:"appliesTo"` // the members, as in "attendees[].email", and the query parameters, as in "?maxAttendees"
	Value     string   `json:"value"`     // the number, the values of the enumeration, or the form
	Unit      string   `json:"unit"`      // the unit of the numbers, or "one of", "alphabet" or "form"

	// Min and Max are the least and the greatest allowed number, or nil.
	Min *int64 `json:"min,omitempty"`
	Max *int64 `json:"max,omitempty"`

	Rules  []string `json:"rules"`  // the ids of the rules that enforce the limit
	Basis  string   `json:"basis"`  // "stated", "rfc", "inferred" or "observed"
	Source string   `json:"source"` // the section or the RFC that states it
}

// Table returns every limit of the service: of each member and query parameter, in the order
// of the documents, and of requests as a whole. It is generated from the tables of members and
// parameters that the rules use. The caller may modify the slice.
func Table() []Limit { return table() }
