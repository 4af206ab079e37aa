package constraint

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
)

// The sentences about malformed strings, with the keys of [form.Fault].
var (
	send        = diag.Sentence{Key: "send", Text: "Send {suggestion}."}
	sendLocal   = diag.Sentence{Key: "send-local", Text: "Send {suggestion}, with an offset such as Z unless there is a timeZone."}
	blankAround = diag.Sentence{Key: "blank-around", Text: its + "has white space at the beginning or end.", Fix: certain}
	noScheme    = diag.Sentence{Key: "no-scheme", Text: its + "has no scheme; it must be {limit}."}
	otherScheme = diag.Sentence{Key: "other-scheme", Text: its + "has the scheme {seen}; it must be {limit}."}
	noPeople    = diag.Sentence{Key: "no-people", Text: its + "does not begin with people/."}
	hasTime     = diag.Sentence{Key: "has-time", Text: its + "has a time. Send it as dateTime, or leave the time out."}
	noOffset    = diag.Sentence{Key: "no-offset", Text: its + "has no offset from UTC."}
	sendAsDate  = diag.Sentence{Key: "is-date", Text: its + "is a date. Send it as date in both start and end, or add a time, as in 2026-03-10T09:00:00-04:00."}
	isNumber    = diag.Sentence{Key: "number", Text: its + "is a number. Write a date, as in 2026-03-10."}
	noTime      = diag.Sentence{Key: "is-date", Text: its + "is a date without a time. Add a time and an offset, as in 2026-03-10T09:00:00Z."}
)

// its begins a sentence about a value with a fault, and certain marks a fault whose correction is certain.
const its = "{The member} {value} "

var certain = diag.Proposal{Certain: true}

var addressFaults = diag.Sentences{
	{Key: "display-name", Text: its + "has a name around the address, which belongs in displayName."},
	{Key: "brackets", Text: its + "is in angle brackets.", Fix: certain},
	{Key: "mailto", Text: its + "begins with mailto:.", Fix: certain},
	{Key: "several", Text: its + "has several addresses. Send each as a separate entry."},
	{Key: "comma-end", Text: its + "ends with a comma.", Fix: certain},
	{Key: "semicolon-end", Text: its + "ends with a semicolon.", Fix: certain},
	{Key: "quoted", Text: its + "is in quotes.", Fix: certain},
	{Key: "no-at", Text: its + "has no @. Send an address such as ada@example.com."},
	{Key: "no-local", Text: its + "has nothing before the @. Send an address such as ada@example.com."},
	{Key: "no-domain", Text: its + "has nothing after the @. Send an address such as ada@example.com."},
	{Key: "two-ats", Text: its + "has more than one @. Send an address such as ada@example.com."},
	{Key: "quoted-local", Text: its + "begins with a quotation mark, but has no valid quoted string before the @."},
	{Key: "literal", Text: its + "has a domain that begins with a bracket but is not an address in brackets, such as [192.0.2.1]."},
	{Key: "space", Text: its + "contains a space."},
	{Key: "character", Text: its + "contains {seen}, which is not allowed there in an address."},
	{Key: "two-dots", Text: its + "has two dots in a row."},
	{Key: "dot-edge", Text: its + "has a dot at the beginning, at the end or next to the @."},
	{Key: "local-not-ascii", Text: its + "has {seen} before the @, where RFC 5322 allows only ASCII. Send another address for this person."},
	{Key: "domain-not-ascii", Text: its + "has {seen} in the domain. Write the domain in Punycode, as in xn--mnchen-3ya.example."},
}

var dateFaults = diag.Sentences{
	{Key: "year-first", Text: its + "does not begin with the year. Write the year, the month and the day, as in 2026-03-10."},
	{Key: "compact", Text: its + "has no hyphens.", Fix: certain},
	{Key: "hyphens", Text: its + "has {seen} where a hyphen is required.", Fix: certain},
	{Key: "one-digit", Text: its + "has {seen} where two digits are required.", Fix: certain},
	{Key: "month", Text: its + "has the month {seen}. Write 01 to 12."},
	{Key: "day", Text: its + "has the day {seen}. Write a day of the month."},
	{Key: "no-day", Text: its + "has a day that does not exist in that month."},
}

// clockFaults are the sentences about the time of day and the offset of a timestamp.
var clockFaults = diag.Sentences{
	{Key: "number", Text: its + "is a number. Write a date and a time, as in 2026-03-10T09:00:00Z."},
	{Key: "t", Text: its + "has {seen} instead of T between the date and the time.", Fix: certain},
	{Key: "colons", Text: its + "has {seen} where a colon is required.", Fix: certain},
	{Key: "no-seconds", Text: its + "has no seconds.", Fix: certain},
	{Key: "comma", Text: its + "has a comma instead of a dot before the fraction of a second.", Fix: certain},
	{Key: "no-fraction", Text: its + "has no digits after the decimal point of the seconds."},
	{Key: "blank-before-offset", Text: its + "has a space before the offset.", Fix: certain},
	{Key: "offset", Text: its + "has the offset {seen}, which does not have the form +01:00.", Fix: certain},
	{Key: "utc", Text: its + "ends with {seen} instead of Z.", Fix: certain},
	{Key: "zone-name", Text: its + "ends with the zone {seen}. The zone belongs in timeZone."},
	{Key: "bracketed-zone", Text: its + "ends with the zone {seen} in brackets. The zone belongs in timeZone."},
	{Key: "trailing", Text: its + "has {seen} after the time, which is not an offset. Write Z or an offset such as -04:00."},
	{Key: "hour", Text: its + "has the hour {seen}. Write 00 to 23; midnight at the end of a day is 00:00:00 of the next day."},
	{Key: "minute", Text: its + "has the minute {seen}. Write 00 to 59."},
	{Key: "second", Text: its + "has the second {seen}. Write 00 to 59."},
	{Key: "no-leap", Text: its + "has the second 60, but there is no leap second at that time. Write 59."},
	{Key: "offset-range", Text: its + "has the offset {seen}. Write an offset of at most 23 hours and 59 minutes."},
}

var meetingCodeFaults = diag.Sentences{
	{Key: "url", Text: its + "is a URL. Send only the code.", Fix: certain},
	{Key: "no-hyphens", Text: its + "has no hyphens."},
}

// uriFaults are the sentences about the part of a URI after its scheme.
var uriFaults = diag.Sentences{
	noScheme,
	{Key: "no-slashes", Text: its + "has no // after the scheme."},
	{Key: "no-host", Text: its + "has no host."},
	{Key: "port", Text: its + "has the port {seen}, which is not a number."},
	{Key: "space", Text: its + "contains a space."},
	{Key: "percent", Text: its + "has a percent sign without two hexadecimal digits after it. Write %25 for the sign itself."},
	{Key: "encode", Text: its + "contains {seen}, which must be percent-encoded.", Fix: certain},
	{Key: "dial", Text: its + "contains {seen}, which cannot be dialed."},
	{Key: "no-number", Text: its + "has no number to dial."},
}

// Form is a form of strings, with the sentences about faults in the form.
type Form struct {
	Name   string
	Faults diag.Sentences
}

// Forms are the forms checked by several rules.
var Forms = []Form{{"an address", addressFaults}, {"a date", dateFaults}, {"a time", clockFaults}, {"a URI", uriFaults}}

// The following functions return the fault in a string without the scheme.
func httpFault(s string) form.Fault  { return form.SchemeFault(s, "https", "http") }
func httpsFault(s string) form.Fault { return form.SchemeFault(s, "https") }
func telFault(s string) form.Fault   { return form.SchemeFault(s, "tel") }
func sipFault(s string) form.Fault   { return form.SchemeFault(s, "sip") }

// URI is the form of a URI whose scheme depends on another member. No table refers to URI.
var URI = explained("URI", "a well-formed URI", "https://example.com/", form.IsWellFormedURI, form.URIFault, uriFaults)
