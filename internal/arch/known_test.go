package arch

// idsWritten lists the files that still write the ids of rules as strings.
var idsWritten = map[string]bool{
	"cmd/calrules/locate.go": false,
	"fuzz":                   false,
}

// shadows lists the packages and files that still shadow a builtin.
var shadows = map[string]bool{
	"cmd/calrules/excerpt.go": false, // delete
	"event":                   false, // any
	"fuzz":                    false, // any, make, max, min
	"internal/object":         false, // append
}
