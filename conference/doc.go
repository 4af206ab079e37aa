// Package conference holds the conference data of an event and the rules that a calendar
// service holds it to.
//
// A request changes conference data from what is stored to what it sends: a [Change].
// [Check] says what is wrong with one, and [Apply] what the service stores for it. Nothing
// is changed unless the request carries conferenceDataVersion=1:
//
//	change := conference.Change{Old: stored, New: sent, Sent: true, Version: 1}
//	var report diag.Report
//	conference.Check(diag.Update, change, &report, "/conferenceData")
//	if !report.Refused {
//		stored = conference.Apply(change)
//	}
//
// Neither writes to the data that it is given, and both may be called at the same time.
// Who checks whole events calls the package event, which calls this one.
package conference
