// Package constraint defines the requirements of the documents on single values: every enumeration, form,
// length and number, once, with its unit and source. The tables of members and of query parameters
// refer to its variables. The table of package limits is generated from them.
//
// Sources are sections of the document "Calendar Service Interface", an RFC, or "observed", which
// means that users of the public service report the limit.
package constraint
