// Package constraint defines the requirements of the documents on single values. It defines every enumeration, form,
// length and number once, with its unit and source, for the tables of members and of query parameters. The table in
// package limits is generated from these definitions.
//
// Sources are sections of the document "Calendar Service Interface", an RFC, or "observed", which means that users of
// the public service have reported the limit.
package constraint
