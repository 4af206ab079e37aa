package event

import "github.com/calrules/calrules/internal/constraint"

// WithDefaults returns a copy of the event in which absent members have the defaults that the
// documents state: status, transparency, visibility, eventType, the permissions of guests, and the
// type of a birthday. Members with the default false or 0 have it anyway. The stored event of a
// service does not contain these defaults.
func (e *Event) WithDefaults() *Event {
	if e == nil {
		return nil
	}
	full := e.Clone()
	setDefault(&full.Status, constraint.StatusConfirmed)
	setDefault(&full.Transparency, "opaque")
	setDefault(&full.Visibility, "default")
	setDefault(&full.EventType, constraint.TypeDefault)
	setDefaultBool(&full.GuestsCanInviteOthers, true)
	setDefaultBool(&full.GuestsCanSeeOtherGuests, true)
	if b := full.BirthdayProperties; b != nil {
		setDefault(&b.Type, constraint.TypeBirthday)
	}
	return full
}

func setDefault(member *string, value string) {
	if *member == "" {
		*member = value
	}
}

func setDefaultBool(member **bool, value bool) {
	if *member == nil {
		*member = &value
	}
}
