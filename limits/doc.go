// Package limits defines every number, alphabet and enumeration that the documents of the
// calendar service state, with its unit and source, and functions that check strings.
//
// Most callers want one of the following:
//
//   - a number, such as [EventIDMaxLength], [AttachmentsMax] or [ReminderMinutesMax]. Lengths
//     count Unicode code points; [LongerThan] compares with them.
//   - an enumeration, such as [Status], [EventType] or [ResponseStatus]; see [Enum].
//   - a check, such as [IsEventID], [IsDate], [IsDateTime], [IsZone], [IsAddrSpec] or
//     [IsHTTPURL]. [ParseDate] and [ParseDateTime] also return the value.
//
// [Table] lists all of them as data, for documentation and for other programs.
//
// The checks accept any string. They never panic, take time proportional to the length of the
// string, and do not allocate if the string is valid. They implement the RFC that they name
// exactly, except where the documentation says otherwise. The package does not read files, the
// clock or the configuration of the host.
//
// Sources are sections of the document "Calendar Service Interface", an RFC, or "observed", which
// means that users of the public service report it.
package limits
