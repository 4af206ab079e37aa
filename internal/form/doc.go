// Package form validates and parses strings in calendar events: dates, times, addresses, URIs, ids and time zone names. Package
// limits exports the functions intended for other programs.
//
// The checks accept any string, never panic, take time proportional to the length of the string, and do not allocate if the
// string is valid. Except where documented otherwise, the checks implement the cited RFC exactly. A function whose name ends in
// Fault explains why a string is invalid; such a function returns the zero [Fault] if and only if the check accepts the string.
// Package form does not read files, the system clock or the configuration of the host.
package form
