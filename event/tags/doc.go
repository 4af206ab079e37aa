// Package tags provides the rules about single values in an event as tags for [github.com/go-playground/validator/v10].
// A program that validates its structs with that package can apply the rules to its own fields:
//
//	type Booking struct {
//		Guest string `json:"guest" validate:"cal_present=attendee.email.required,cal_addrspec"`
//		Zone  string `json:"zone" validate:"omitempty,cal_ianazone"`
//		Lead  *int64 `json:"lead" validate:"omitempty,cal_reminderminutes"`
//	}
//
//	v := validator.New()
//	if err := tags.Register(v); err != nil { ... }
//	findings := tags.Translate(v.Struct(booking))
//
// [Register] registers the tags, [Table] lists them, and [Translate] translates validator errors to rule ids and JSON Pointers.
// All tag names begin with cal_, to avoid clashes with the program's own tags. Most tags check one row in the table of package
// limits, and have the name of the row in lower case. A tag whose name begins with cal_google checks the public service's
// values, for structs that contain such values; the fields of [event.Event] contain the documents' values.
//
// The tags are
// cal_additionalguests, cal_addrspec, cal_asyncoperation, cal_attachments, cal_autodeclinemode, cal_birthdaytype,
// cal_chatstatus, cal_conferencenotes, cal_conferencetype, cal_contactname, cal_createrequeststatus,
// cal_entrypointcode, cal_entrypointlabel, cal_entrypointtype, cal_entryuri, cal_eventdatetime, cal_eventid,
// cal_eventstatus, cal_eventtype, cal_featureversion, cal_fulldate, cal_gadgetdisplay, cal_gadgetsize,
// cal_googleconferencetype, cal_googleeventtype, cal_googlenewconferencetype, cal_googleneweventtype,
// cal_httpscheme, cal_httpurl, cal_ianazone, cal_icalsequence, cal_kind, cal_maxattendees, cal_meetingcode,
// cal_newbirthdaytype, cal_newconferencetype, cal_neweventtype, cal_offset, cal_present, cal_propertykey,
// cal_propertyvalue, cal_remindermethod, cal_reminderminutes, cal_reminderoverrides, cal_responsestatus,
// cal_rfc3339, cal_rruleline, cal_sendupdates, cal_sipscheme, cal_telscheme, cal_timestamp, cal_transparency,
// cal_visibility, cal_workinglocationtype.
// [Table] lists the checks of each tag.
//
// # Writing tags
//
// Tags check every value, including the empty string, so put omitempty before them if the field is optional. The parameter of a
// tag, as in cal_addrspec=event.organizer.email, is the id of the rule to report on failure. Three tags have other parameters:
// for cal_present it is the rule that requires the field, and for cal_offset and cal_entryuri it is the name of a second field
// to read. Like the validator's own tags, the tags panic on fields of the wrong type. Tags also panic if a parameter should be
// a rule but is not. If alternatives fail, as in cal_fulldate|cal_rfc3339, no rule of this module is reported.
//
// # Validating an Event
//
// Register also registers tags for the fields of [event.Event], so v.Struct(e) checks an event. The tags for the fields of an
// Event check the body of an insert with conferenceDataVersion=1. For an event that the service returned, keep only the
// findings whose Rule.When has [diag.Response].
//
// The validator does not replace [event.Check]:
//
//   - The validator checks Go values, not JSON. The validator treats an empty string that was sent as absent, and
//     cannot detect null, wrong types, and repeated or unknown members.
//   - The validator does not check rules about several members, such as the order of start and end, or about
//     parameters, the stored event or the calendar. The validator checks each recurrence line by itself.
//   - The validator does not check the elements of a list that is too long, because it stops at the first tag of a
//     field that fails.
//   - The validator checks only rules of kind reject.
package tags
