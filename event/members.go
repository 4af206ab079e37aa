package event

import "github.com/calrules/calrules/internal/object"

// The members of an event as sets of one, in the order of their table.
const (
	ofKind object.Set = 1 << iota
	ofETag
	ofID
	ofStatus
	ofHTMLLink
	ofCreated
	ofUpdated
	ofSummary
	ofDescription
	ofLocation
	ofColorID
	ofEventLabelID
	ofCreator
	ofOrganizer
	ofStart
	ofEnd
	ofEndTimeUnspecified
	ofRecurrence
	ofRecurringEventID
	ofOriginalStartTime
	ofTransparency
	ofVisibility
	ofICalUID
	ofSequence
	ofAttendees
	ofAttendeesOmitted
	ofExtendedProperties
	ofVideoLink
	ofConferenceData
	ofGadget
	ofAnyoneCanAddSelf
	ofGuestsCanInviteOthers
	ofGuestsCanModify
	ofGuestsCanSeeOtherGuests
	ofPrivateCopy
	ofLocked
	ofReminders
	ofSource
	ofWorkingLocationProperties
	ofOutOfOfficeProperties
	ofFocusTimeProperties
	ofAttachments
	ofBirthdayProperties
	ofEventType
)

// The sets of members that belong together.
const (
	ofSeries      = ofStart | ofRecurrence
	sharedMembers = ofSummary | ofDescription | ofLocation | ofStart | ofEnd | ofRecurrence | ofConferenceData // only the organizer changes them
)

// nonZero returns the members whose fields are not zero. It does the same as the NonZero method of the table, but field
// by field, because every check needs it.
func (e *Event) nonZero() object.Set {
	return only(ofKind, e.Kind != "") |
		only(ofETag, e.ETag != "") |
		only(ofID, e.ID != "") |
		only(ofStatus, e.Status != "") |
		only(ofHTMLLink, e.HTMLLink != "") |
		only(ofCreated, e.Created != "") |
		only(ofUpdated, e.Updated != "") |
		only(ofSummary, e.Summary != "") |
		only(ofDescription, e.Description != "") |
		only(ofLocation, e.Location != "") |
		only(ofColorID, e.ColorID != "") |
		only(ofEventLabelID, e.EventLabelID != nil) |
		only(ofCreator, e.Creator != nil) |
		only(ofOrganizer, e.Organizer != nil) |
		only(ofStart, e.Start != nil) |
		only(ofEnd, e.End != nil) |
		only(ofEndTimeUnspecified, e.EndTimeUnspecified) |
		only(ofRecurrence, e.Recurrence != nil) |
		only(ofRecurringEventID, e.RecurringEventID != "") |
		only(ofOriginalStartTime, e.OriginalStartTime != nil) |
		only(ofTransparency, e.Transparency != "") |
		only(ofVisibility, e.Visibility != "") |
		only(ofICalUID, e.ICalUID != "") |
		only(ofSequence, e.Sequence != 0) |
		only(ofAttendees, e.Attendees != nil) |
		only(ofAttendeesOmitted, e.AttendeesOmitted) |
		only(ofExtendedProperties, e.ExtendedProperties != nil) |
		only(ofVideoLink, e.VideoLink != "") |
		only(ofConferenceData, e.ConferenceData != nil) |
		only(ofGadget, e.Gadget != nil) |
		only(ofAnyoneCanAddSelf, e.AnyoneCanAddSelf) |
		only(ofGuestsCanInviteOthers, e.GuestsCanInviteOthers != nil) |
		only(ofGuestsCanModify, e.GuestsCanModify) |
		only(ofGuestsCanSeeOtherGuests, e.GuestsCanSeeOtherGuests != nil) |
		only(ofPrivateCopy, e.PrivateCopy) |
		only(ofLocked, e.Locked) |
		only(ofReminders, e.Reminders != nil) |
		only(ofSource, e.Source != nil) |
		only(ofWorkingLocationProperties, e.WorkingLocationProperties != nil) |
		only(ofOutOfOfficeProperties, e.OutOfOfficeProperties != nil) |
		only(ofFocusTimeProperties, e.FocusTimeProperties != nil) |
		only(ofAttachments, e.Attachments != nil) |
		only(ofBirthdayProperties, e.BirthdayProperties != nil) |
		only(ofEventType, e.EventType != "")
}

// only returns the set if the condition holds, and otherwise none.
func only(s object.Set, isTrue bool) object.Set {
	if isTrue {
		return s
	}
	return 0
}
