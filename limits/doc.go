// Package limits holds every number, alphabet and enumeration that the calendar
// service states, each once, with its unit and its source, and the predicates on
// plain strings that the rules of the other packages are made of.
//
// Most callers want one of three things:
//
//   - a number: [EventIDMaxLength], [AttachmentsMax], [ReminderMinutesMax] and so on.
//     Lengths count Unicode code points; [LongerThan] compares with them.
//   - an enumeration: [Status], [EventType], [ResponseStatus] and so on, each an [Enum].
//   - a check of form: [IsEventID], [IsDate], [IsDateTime], [IsZone], [IsAddrSpec],
//     [IsHTTPURL] and so on. Where the value is wanted as well, there is
//     [ParseDate] and [ParseDateTime].
//
// [Table] lists them all as data, for documentation and for other programs.
//
// The checks take any string whatever: they never panic, need time in proportion to
// the length of the string, and allocate nothing when the string is valid. They keep
// to the letter of the RFC that they name, no looser and no stricter, save where their
// comment says so. The package reads no file, no clock and nothing of the host.
//
// Sources are sections of the document "Calendar Service Interface", unless an RFC or
// "observed" (the public service does so, as its users report) is named instead.
package limits
