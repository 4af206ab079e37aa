// Package occasion defines the occasions on which the rules of this module apply. Package diag has
// the groups of them that other programs need.
package occasion

import "github.com/calrules/calrules/diag"

// Each bit is an operation or something else that is checked. The names of package diag are in the same
// order.
const (
	Insert diag.When = 1 << iota
	Import
	Update
	Patch
	Move
	QuickAdd
	Delete
	Get
	List
	Instances
	_ // diag.Response
	CalendarsClear
	CalendarsDelete
	CalendarsInsert
	CalendarsTransfer
	ChannelsStop
	Other // every other operation
	Token // a realtime-database credential
	Key   // a service account's key file
	HTTP  // a realtime-database request
)
