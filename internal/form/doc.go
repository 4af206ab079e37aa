// Package form checks and parses the forms of values in calendar events: dates, times, addresses, URIs, ids and the
// names of time zones. Its functions read single strings. Package limits exports the functions that other programs
// need.
//
// The checks accept any string. They never panic, take time proportional to the length of the string, and do not allocate
// if the string is valid. They implement the RFC that they name exactly, except where the documentation says otherwise. A
// function whose name ends in Fault explains why a string does not have a form; it finds a fault exactly if the check
// refuses the string. The package does not read files, the clock or the configuration of the host.
package form
