package event

import "github.com/calrules/calrules/internal/jsonrule"

// The parts of an event are read, written and compared on their own in the same way as in an event: without
// loss, and with absent, null and zero members equal. go-cmp uses the method Equal for values, pointers and
// elements.

// MarshalJSON is like [Event.MarshalJSON].
func (t Time) MarshalJSON() ([]byte, error) { return timeTable.Append(nil, &t), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (t *Time) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(timeTable, text, t) }

// Equal is like [Event.Equal].
func (t Time) Equal(other Time) bool { return timeTable.Equal(&t, &other) }

// MarshalJSON is like [Event.MarshalJSON].
func (p Person) MarshalJSON() ([]byte, error) { return personTable.Append(nil, &p), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (p *Person) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(personTable, text, p) }

// Equal is like [Event.Equal].
func (p Person) Equal(other Person) bool { return personTable.Equal(&p, &other) }

// String is like [Event.String].
func (p Person) String() string { return string(personTable.Append(nil, &p)) }

// MarshalJSON is like [Event.MarshalJSON].
func (a Attendee) MarshalJSON() ([]byte, error) { return attendeeTable.Append(nil, &a), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (a *Attendee) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(attendeeTable, text, a)
}

// Equal is like [Event.Equal].
func (a Attendee) Equal(other Attendee) bool { return attendeeTable.Equal(&a, &other) }

// String is like [Event.String].
func (a Attendee) String() string { return string(attendeeTable.Append(nil, &a)) }

// MarshalJSON is like [Event.MarshalJSON].
func (e ExtendedProperties) MarshalJSON() ([]byte, error) {
	return extendedPropertiesTable.Append(nil, &e), nil
}

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (e *ExtendedProperties) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(extendedPropertiesTable, text, e)
}

// Equal is like [Event.Equal].
func (e ExtendedProperties) Equal(other ExtendedProperties) bool {
	return extendedPropertiesTable.Equal(&e, &other)
}

// String is like [Event.String].
func (e ExtendedProperties) String() string { return string(extendedPropertiesTable.Append(nil, &e)) }

// MarshalJSON is like [Event.MarshalJSON].
func (g Gadget) MarshalJSON() ([]byte, error) { return gadgetTable.Append(nil, &g), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (g *Gadget) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(gadgetTable, text, g) }

// Equal is like [Event.Equal].
func (g Gadget) Equal(other Gadget) bool { return gadgetTable.Equal(&g, &other) }

// String is like [Event.String].
func (g Gadget) String() string { return string(gadgetTable.Append(nil, &g)) }

// MarshalJSON is like [Event.MarshalJSON].
func (r Reminders) MarshalJSON() ([]byte, error) { return remindersTable.Append(nil, &r), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (r *Reminders) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(remindersTable, text, r)
}

// Equal is like [Event.Equal].
func (r Reminders) Equal(other Reminders) bool { return remindersTable.Equal(&r, &other) }

// String is like [Event.String].
func (r Reminders) String() string { return string(remindersTable.Append(nil, &r)) }

// MarshalJSON is like [Event.MarshalJSON].
func (r Reminder) MarshalJSON() ([]byte, error) { return reminderTable.Append(nil, &r), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (r *Reminder) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(reminderTable, text, r)
}

// Equal is like [Event.Equal].
func (r Reminder) Equal(other Reminder) bool { return reminderTable.Equal(&r, &other) }

// String is like [Event.String].
func (r Reminder) String() string { return string(reminderTable.Append(nil, &r)) }

// MarshalJSON is like [Event.MarshalJSON].
func (s Source) MarshalJSON() ([]byte, error) { return sourceTable.Append(nil, &s), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (s *Source) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(sourceTable, text, s) }

// Equal is like [Event.Equal].
func (s Source) Equal(other Source) bool { return sourceTable.Equal(&s, &other) }

// String is like [Event.String].
func (s Source) String() string { return string(sourceTable.Append(nil, &s)) }

// MarshalJSON is like [Event.MarshalJSON].
func (w WorkingLocation) MarshalJSON() ([]byte, error) {
	return workingLocationTable.Append(nil, &w), nil
}

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (w *WorkingLocation) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(workingLocationTable, text, w)
}

// Equal is like [Event.Equal].
func (w WorkingLocation) Equal(other WorkingLocation) bool {
	return workingLocationTable.Equal(&w, &other)
}

// String is like [Event.String].
func (w WorkingLocation) String() string { return string(workingLocationTable.Append(nil, &w)) }

// MarshalJSON is like [Event.MarshalJSON].
func (c CustomLocation) MarshalJSON() ([]byte, error) {
	return customLocationTable.Append(nil, &c), nil
}

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (c *CustomLocation) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(customLocationTable, text, c)
}

// Equal is like [Event.Equal].
func (c CustomLocation) Equal(other CustomLocation) bool {
	return customLocationTable.Equal(&c, &other)
}

// String is like [Event.String].
func (c CustomLocation) String() string { return string(customLocationTable.Append(nil, &c)) }

// MarshalJSON is like [Event.MarshalJSON].
func (o OfficeLocation) MarshalJSON() ([]byte, error) {
	return officeLocationTable.Append(nil, &o), nil
}

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (o *OfficeLocation) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(officeLocationTable, text, o)
}

// Equal is like [Event.Equal].
func (o OfficeLocation) Equal(other OfficeLocation) bool {
	return officeLocationTable.Equal(&o, &other)
}

// String is like [Event.String].
func (o OfficeLocation) String() string { return string(officeLocationTable.Append(nil, &o)) }

// MarshalJSON is like [Event.MarshalJSON].
func (o OutOfOffice) MarshalJSON() ([]byte, error) { return outOfOfficeTable.Append(nil, &o), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (o *OutOfOffice) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(outOfOfficeTable, text, o)
}

// Equal is like [Event.Equal].
func (o OutOfOffice) Equal(other OutOfOffice) bool { return outOfOfficeTable.Equal(&o, &other) }

// String is like [Event.String].
func (o OutOfOffice) String() string { return string(outOfOfficeTable.Append(nil, &o)) }

// MarshalJSON is like [Event.MarshalJSON].
func (f FocusTime) MarshalJSON() ([]byte, error) { return focusTimeTable.Append(nil, &f), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (f *FocusTime) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(focusTimeTable, text, f)
}

// Equal is like [Event.Equal].
func (f FocusTime) Equal(other FocusTime) bool { return focusTimeTable.Equal(&f, &other) }

// String is like [Event.String].
func (f FocusTime) String() string { return string(focusTimeTable.Append(nil, &f)) }

// MarshalJSON is like [Event.MarshalJSON].
func (a Attachment) MarshalJSON() ([]byte, error) { return attachmentTable.Append(nil, &a), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (a *Attachment) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(attachmentTable, text, a)
}

// Equal is like [Event.Equal].
func (a Attachment) Equal(other Attachment) bool { return attachmentTable.Equal(&a, &other) }

// String is like [Event.String].
func (a Attachment) String() string { return string(attachmentTable.Append(nil, &a)) }

// MarshalJSON is like [Event.MarshalJSON].
func (b Birthday) MarshalJSON() ([]byte, error) { return birthdayTable.Append(nil, &b), nil }

// UnmarshalJSON is like [Event.UnmarshalJSON].
func (b *Birthday) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(birthdayTable, text, b)
}

// Equal is like [Event.Equal].
func (b Birthday) Equal(other Birthday) bool { return birthdayTable.Equal(&b, &other) }

// String is like [Event.String].
func (b Birthday) String() string { return string(birthdayTable.Append(nil, &b)) }
