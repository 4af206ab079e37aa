package cases_test

// notShown has the clauses that no cases show, although requests could, and the reason for each. The list only shrinks.
var notShown = map[string]string{
	"attendee.max#2": "there is no case yet",
}
