// Package constraint defines the requirements in the documents on single values. Package constraint defines every enumeration,
// form, length and number once, with its unit and source, for the tables of members and of query parameters. The table in
// package limits is generated from the definitions in package constraint.
//
// A source is a section of the document "Calendar Service Interface", an RFC, or "observed" for a limit reported by users of
// the public service.
package constraint
