package cases_test

// notShown has the clauses that no cases show, although requests could, and the reason for each. The list only shrinks.
var notShown = map[string]string{
	"event.color.known#3":      "every colour is accepted in google",
	"recurrence.line.syntax#3": "a semicolon at the end is refused in google",
	"attendee.max#2":           "there is no case yet",
	"attachments.supports#3":   "google refuses as the documents do",
	"attachments.supports#4":   "google refuses as the documents do",
}
