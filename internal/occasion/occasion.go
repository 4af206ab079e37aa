// Package occasion defines the occasions of rules that are not about events. They are for the
// rules of this module; package diag defines those for the rules of other programs.
package occasion

import "github.com/calrules/calrules/diag"

// The bits follow those of package diag, which names them.
const (
	CalendarsClear diag.When = diag.Response << (iota + 1)
	CalendarsDelete
	CalendarsInsert
	CalendarsTransfer
	ChannelsStop
	Other // every other operation
	Token // a realtime-database credential
	Key   // a service account's key file
	HTTP  // a realtime-database request
)
