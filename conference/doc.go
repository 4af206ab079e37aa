// Package conference contains the conference data of an event and the calendar service's rules
// about it.
//
// A [Change] is the change that a request makes to conference data: it holds the stored data and the sent data.
// [Change.Check] checks a change, and [Change.Apply] returns the data that the service stores for it. Nothing changes
// unless the request has conferenceDataVersion=1:
//
//	change := conference.Change{On: diag.Update, Stored: stored, Next: sent, Present: true, Version: 1}
//	if err := change.Check().Err(); err == nil {
//		stored = change.Apply()
//	}
//
// Neither function writes to its arguments, and both are safe for concurrent use. Callers who
// check whole events use package event, which calls this package.
package conference
