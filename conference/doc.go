// Package conference defines the conference data of an event and implements the calendar service's rules about it.
//
// A [Change] describes the change that a request makes to conference data: it contains the stored data and the data that was
// sent. [Change.Check] checks a change, and [Change.Apply] returns the data that the service stores as a result. The stored
// data changes only if the request has conferenceDataVersion=1:
//
//	change := conference.Change{On: diag.Update, Stored: stored, Next: sent, Present: true, Version: 1}
//	if err := change.Check().Err(); err == nil {
//		stored = change.Apply()
//	}
//
// Change.Check and Change.Apply do not modify their arguments, and are safe for concurrent use. To check whole events, use
// package event, which calls this package.
package conference
