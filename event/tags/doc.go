// Package tags makes the rules about single values of an event tags of
// [github.com/go-playground/validator/v10], so that a program that validates its structs with
// it holds its own fields to the same rules:
//
//	type Booking struct {
//		Guest string `json:"guest" validate:"present=attendee.email.required,addrspec"`
//		Zone  string `json:"zone" validate:"omitempty,ianazone"`
//		Lead  *int64 `json:"lead" validate:"omitempty,reminderminutes"`
//	}
//
//	v := validator.New()
//	if err := tags.Register(v); err != nil { ... }
//	findings := tags.Findings(v.Struct(booking))
//
// [Register] registers the tags, [Table] lists them, and [Findings] translates what the
// validator returns to the rule ids and the JSON Pointers of this module.
//
// [event.Event] carries the tags, so v.Struct(ev) works too, for pointers and for values. To
// a validator that does not know the tags it is a panic, as every unknown tag is.
//
// # How to write them
//
// A tag asks every value, the empty text among them: put omitempty before it where the member
// is optional. A parameter, as in addrspec=event.organizer.email, is the id of the rule that a
// failure becomes instead of the tag's own. Three take a parameter of their own: present, the
// rule that wants the member there, and offset and entryuri, the field beside it that they read.
// A tag panics on a field of a type that it does not fit, as those of the validator do, and on a
// parameter that is no rule. Tags in one group, as in fulldate|rfc3339, fail as one tag of the
// validator's, whose finding has no rule of this module.
//
// # What the validator says of an Event
//
// The tags of the model are those of an insert, its conference data counting. A finding's Rule
// tells in When where else it holds: of an event that a server returned, keep those with
// [diag.Response]. What is only asked of an import or of a response is no tag of the model:
// organizer.email, asyncOperation, the status of a create request, the contact of a birthday.
//
// It is a second opinion, and not a replacement of [event.Check]:
//
//   - It sees Go values. An empty text that was written out, a null, a wrong type, a repeated
//     or an unknown member are in the JSON and not in the value: an empty text is an absent
//     one here.
//   - It sees one value, or one and its neighbour. What takes more, such as the order of start
//     and end, the number of entry points of a type, or what a recurrence means beside its
//     start, is no tag, and nor is what depends on parameters, on what is stored, or on the
//     calendar. A line of recurrence is read by itself.
//   - It stops at the first tag of a field that fails. Those of one field of the model exclude
//     each other, so that this hides one thing alone: the elements of a list that is too long.
//   - Advice is none of its business: the tags propertykey and propertyvalue, whose rule
//     advises, are not on the model.
//
// A test holds its findings equal to those of [event.Findings] for the rules of the model.
package tags
