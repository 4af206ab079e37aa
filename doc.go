// Package calrules is the overview of a module that checks events for the Google Calendar API v3, and determines the principals
// of requests to the Firebase Realtime Database REST API. Package calrules declares no identifiers; see the following packages.
//
// # Check an event
//
// Package [github.com/calrules/calrules/event] defines the Event resource. The function event.Check checks a request, given as
// bytes or as a Go value, and returns all findings, and the events that the service would store and return. Package
// event/eventhttp reads event requests from HTTP requests, and responds to refused requests. Package event/tags provides the
// rules about single values as tags for the fields of other structs, and package event/ruletest tests the rules that a program
// adds.
//
// # What the checks report
//
// Package [github.com/calrules/calrules/diag] defines findings, rules and gradings. A finding contains the broken rule, the
// place in the request, and the consequence. Package diag/ruleid defines a constant for the id of each rule.
//
// # Parts that can be used alone
//
//   - [github.com/calrules/calrules/recurrence] reads, checks and expands RRULE, EXRULE, RDATE and EXDATE.
//   - [github.com/calrules/calrules/operation] describes the operations: methods, paths, parameters and scopes.
//   - [github.com/calrules/calrules/conference] and [github.com/calrules/calrules/status] implement the rules about conference
//     data and about the status of an event.
//   - [github.com/calrules/calrules/limits] lists every number and enumeration.
//   - [github.com/calrules/calrules/rtdbauth] determines the principal of a request to the Realtime Database.
//   - [github.com/calrules/calrules/fuzz] draws requests for tests, either valid or with exactly one broken rule.
//
// The packages open no connections, do not read the clock or files, and keep no state. The command cmd/calrules provides the
// same functions to programs in any language. Package [github.com/calrules/calrules/command] contains the code of the command,
// for programs that add rules.
package calrules
