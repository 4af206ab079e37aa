// Package calrules is the overview of a module that checks events for the Google Calendar API v3, and finds the principal of a
// request to the Firebase Realtime Database REST API. It has no identifiers: see the packages.
//
// # Check an event
//
// Package [github.com/calrules/calrules/event] has the Event resource. Its function Check takes a request, as bytes or as a Go
// value, and returns every finding at once, and the events that the service would store and return. Package event/eventhttp
// reads such requests from HTTP requests, and answers refused requests. Package event/tags puts the rules about single values
// on the fields of other structs, and event/ruletest tests the rules that a program adds.
//
// # What the checks report
//
// Package [github.com/calrules/calrules/diag] has findings, rules and gradings: which rule a request
// breaks, where, and what that means. Package diag/ruleid has a constant for the id of each rule.
//
// # Parts that can be used alone
//
//   - [github.com/calrules/calrules/recurrence] reads, checks and expands RRULE, EXRULE, RDATE and EXDATE.
//   - [github.com/calrules/calrules/operation] has the operations: methods, paths, parameters and scopes.
//   - [github.com/calrules/calrules/conference] and [github.com/calrules/calrules/status] have the rules
//     about conference data and about the status of an event.
//   - [github.com/calrules/calrules/limits] has every number and enumeration.
//   - [github.com/calrules/calrules/rtdbauth] finds the principal of a request to the Realtime Database.
//   - [github.com/calrules/calrules/fuzz] draws requests, valid or broken in one precise way, for tests.
//
// The packages open no connections, read no clock or files, and keep no state. The command cmd/calrules does the same for
// programs in any language. [github.com/calrules/calrules/command] has its code, for programs that add rules to it.
package calrules
