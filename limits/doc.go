// Package limits lists every number, alphabet and enumeration in the documents of the calendar service, and checks single
// strings against the forms that they name.
//
//   - [Table] lists all limits as data: what each applies to, its unit, and the rules that
//     enforce it.
//   - [IsEventID], [IsDate], [IsDateTime], [IsZone], [IsAddrSpec] and [IsHTTPURL] check a string.
//     Package event/tags has the other forms and all enumerations, as tags of a struct.
//
// The checks accept any string. They never panic, take time proportional to the length of the
// string, and do not allocate if the string is valid. They implement the RFC that they name
// exactly, except where the documentation says otherwise. The package does not read files, the
// clock or the configuration of the host.
package limits
