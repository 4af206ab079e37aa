package event

// Thorough returns the findings of all rules, whether or not an event has what they are about.
func Thorough(req *Request) []string { return thorough(req) }
