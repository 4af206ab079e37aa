// Package limits lists every number, alphabet and enumeration in the calendar service's documents, and checks strings
// against the forms that the documents name.
//
//   - [Table] lists all limits as data. Each limit has a unit, the members and parameters to which it applies, and the
//     rules that enforce it.
//   - [IsEventID], [IsDate], [IsDateTime], [IsZone], [IsAddrSpec] and [IsHTTPURL] check a string. Package event/tags
//     provides the other forms and all enumerations as struct tags.
//
// The checks accept any string, never panic, take time proportional to the length of the string, and do not allocate if
// the string is valid. Each check implements the RFC that its documentation names exactly, except for documented
// differences. The package does not read files, the clock or the host's configuration.
package limits
