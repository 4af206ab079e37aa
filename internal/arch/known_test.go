package arch

// idsWritten lists the files that still write the ids of rules as strings.
var idsWritten = map[string]bool{}

// shadows lists the packages and files that still shadow a builtin.
var shadows = map[string]bool{}
