// Package tags turns the rules about single values of an event into tags for
// [github.com/go-playground/validator/v10], so that a program that validates its structs with
// that package can apply the same rules to its own fields:
//
//	type Booking struct {
//		Guest string `json:"guest" validate:"present=attendee.email.required,addrspec"`
//		Zone  string `json:"zone" validate:"omitempty,ianazone"`
//		Lead  *int64 `json:"lead" validate:"omitempty,reminderminutes"`
//	}
//
//	v := validator.New()
//	if err := tags.Register(v, ""); err != nil { ... }
//	findings := tags.Findings(v.Struct(booking), "")
//
// [Register] registers the tags, [Table] lists them, and [Findings] translates errors of the
// validator to rule ids and JSON Pointers. If the program has tags with the same names, pass a
// prefix to Register and Findings. Most tags check one row of the table of package limits and have
// its name in lower case. A tag whose name begins with google checks the values of the public service,
// for structs that contain them; the fields of [event.Event] have the documents' values.
//
// The tags are, without a prefix,
// additionalguests, addrspec, asyncoperation, attachments, autodeclinemode, birthdaytype, chatstatus,
// conferencenotes, conferencetype, contactname, createrequeststatus, entrypointcode, entrypointlabel, entrypointtype,
// entryuri, eventdatetime, eventid, eventstatus, eventtype, featureversion, fulldate, gadgetdisplay, gadgetsize,
// googleconferencetype, googleeventtype, googlenewconferencetype, googleneweventtype, httpscheme, httpurl, ianazone,
// icalsequence, kind, maxattendees, meetingcode, newbirthdaytype, newconferencetype, neweventtype, offset, present,
// propertykey, propertyvalue, remindermethod, reminderminutes, reminderoverrides, responsestatus, rfc3339, rruleline,
// sendupdates, sipscheme, telscheme, timestamp, transparency, visibility, workinglocationtype.
// [Table] says what each checks.
//
// # Writing tags
//
// Tags check every value, including the empty string: write omitempty before them if the field is optional. The
// parameter of a tag, as in addrspec=event.organizer.email, is the id of the rule that a failure becomes. Three tags
// have parameters of another kind: present takes the rule that requires the field; offset and entryuri take the name of
// a second field that they read. Tags panic on fields of a wrong type, as the validator's own tags do, and on
// parameters that are not rules. A failure of alternatives, as in fulldate|rfc3339, has no rule of this module.
//
// # Validating an Event
//
// Register also registers tags for the fields of [event.Event], so v.Struct(e) checks an event. They check the body of
// an insert with conferenceDataVersion=1. For an event that the service returned, keep the findings whose Rule.When has
// [diag.Response].
//
// The validator does not replace [event.Check]:
//
//   - It sees Go values and not JSON. An empty string that was sent is absent, and it does not
//     see null, wrong types, and repeated or unknown members.
//   - It does not check rules about several members, such as the order of start and end, or about
//     parameters, the stored event or the calendar. It checks each line of recurrence by itself.
//   - It does not check the elements of a list that is too long, since it stops at the first tag
//     of a field that fails.
//   - It only checks rules of kind reject.
package tags
