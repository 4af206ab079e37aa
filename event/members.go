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
	var s object.Set
	if e.Kind != "" {
		s = ofKind
	}
	if e.ETag != "" {
		s |= ofETag
	}
	if e.ID != "" {
		s |= ofID
	}
	if e.Status != "" {
		s |= ofStatus
	}
	if e.HTMLLink != "" {
		s |= ofHTMLLink
	}
	if e.Created != "" {
		s |= ofCreated
	}
	if e.Updated != "" {
		s |= ofUpdated
	}
	if e.Summary != "" {
		s |= ofSummary
	}
	if e.Description != "" {
		s |= ofDescription
	}
	if e.Location != "" {
		s |= ofLocation
	}
	if e.ColorID != "" {
		s |= ofColorID
	}
	if e.EventLabelID != nil {
		s |= ofEventLabelID
	}
	if e.Creator != nil {
		s |= ofCreator
	}
	if e.Organizer != nil {
		s |= ofOrganizer
	}
	if e.Start != nil {
		s |= ofStart
	}
	if e.End != nil {
		s |= ofEnd
	}
	if e.EndTimeUnspecified {
		s |= ofEndTimeUnspecified
	}
	if e.Recurrence != nil {
		s |= ofRecurrence
	}
	if e.RecurringEventID != "" {
		s |= ofRecurringEventID
	}
	if e.OriginalStartTime != nil {
		s |= ofOriginalStartTime
	}
	if e.Transparency != "" {
		s |= ofTransparency
	}
	if e.Visibility != "" {
		s |= ofVisibility
	}
	if e.ICalUID != "" {
		s |= ofICalUID
	}
	if e.Sequence != 0 {
		s |= ofSequence
	}
	if e.Attendees != nil {
		s |= ofAttendees
	}
	if e.AttendeesOmitted {
		s |= ofAttendeesOmitted
	}
	if e.ExtendedProperties != nil {
		s |= ofExtendedProperties
	}
	if e.VideoLink != "" {
		s |= ofVideoLink
	}
	if e.ConferenceData != nil {
		s |= ofConferenceData
	}
	if e.Gadget != nil {
		s |= ofGadget
	}
	if e.AnyoneCanAddSelf {
		s |= ofAnyoneCanAddSelf
	}
	if e.GuestsCanInviteOthers != nil {
		s |= ofGuestsCanInviteOthers
	}
	if e.GuestsCanModify {
		s |= ofGuestsCanModify
	}
	if e.GuestsCanSeeOtherGuests != nil {
		s |= ofGuestsCanSeeOtherGuests
	}
	if e.PrivateCopy {
		s |= ofPrivateCopy
	}
	if e.Locked {
		s |= ofLocked
	}
	if e.Reminders != nil {
		s |= ofReminders
	}
	if e.Source != nil {
		s |= ofSource
	}
	if e.WorkingLocationProperties != nil {
		s |= ofWorkingLocationProperties
	}
	if e.OutOfOfficeProperties != nil {
		s |= ofOutOfOfficeProperties
	}
	if e.FocusTimeProperties != nil {
		s |= ofFocusTimeProperties
	}
	if e.Attachments != nil {
		s |= ofAttachments
	}
	if e.BirthdayProperties != nil {
		s |= ofBirthdayProperties
	}
	if e.EventType != "" {
		s |= ofEventType
	}
	return s
}
