package constraint

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
)

// The sentences about malformed strings, with the keys of [form.Fault].
var (
	send        = diag.Sentence{Key: "send", Text: "Send {suggestion}."}
	sendLocal   = diag.Sentence{Key: "send-local", Text: "Send {suggestion}, with an offset such as Z unless there is a timeZone."}
	blankAround = certain("blank-around", "has white space at the beginning or end.")
	noScheme    = of("no-scheme", "has no scheme; it must be {limit}.")
	otherScheme = of("other-scheme", "has the scheme {seen}; it must be {limit}.")
	noPeople    = of("no-people", "does not begin with people/.")
	hasTime     = of("has-time", "has a time. Send it as dateTime, or leave the time out.")
	noOffset    = of("no-offset", "has no offset from UTC.")
	sendAsDate  = of("is-date", "is a date. Send it as date in both start and end, or add a time, as in 2026-03-10T09:00:00-04:00.")
	isNumber    = of("number", "is a number. Write a date, as in 2026-03-10.")
	noTime      = of("is-date", "is a date without a time. Add a time and an offset, as in 2026-03-10T09:00:00Z.")
)

// of returns a sentence about a value with a fault.
func of(key, text string) diag.Sentence {
	return diag.Sentence{Key: key, Text: "{The member} {value} " + text}
}

// certain returns a sentence about a fault whose correction is certain.
func certain(key, text string) diag.Sentence {
	s := of(key, text)
	s.Fix.Certain = true
	return s
}

var addressFaults = diag.Sentences{
	of("display-name", "has a name around the address, which belongs in displayName."),
	certain("brackets", "is in angle brackets."),
	certain("mailto", "begins with mailto:."),
	of("several", "has several addresses. Send each as a separate entry."),
	certain("comma-end", "ends with a comma."),
	certain("semicolon-end", "ends with a semicolon."),
	certain("quoted", "is in quotes."),
	of("no-at", "has no @. Send an address such as ada@example.com."),
	of("no-local", "has nothing before the @. Send an address such as ada@example.com."),
	of("no-domain", "has nothing after the @. Send an address such as ada@example.com."),
	of("two-ats", "has more than one @. Send an address such as ada@example.com."),
	of("quoted-local", "begins with a quotation mark, but has no valid quoted string before the @."),
	of("literal", "has a domain that begins with a bracket but is not an address in brackets, such as [192.0.2.1]."),
	of("space", "contains a space."),
	of("character", "contains {seen}, which is not allowed there in an address."),
	of("two-dots", "has two dots in a row."),
	of("dot-edge", "has a dot at the beginning, at the end or next to the @."),
	of("local-not-ascii", "has {seen} before the @, where RFC 5322 allows only ASCII. Send another address for this person."),
	of("domain-not-ascii", "has {seen} in the domain. Write the domain in Punycode, as in xn--mnchen-3ya.example."),
}

var dateFaults = diag.Sentences{
	of("year-first", "does not begin with the year. Write the year, the month and the day, as in 2026-03-10."),
	certain("compact", "has no hyphens."),
	certain("hyphens", "has {seen} where a hyphen is required."),
	certain("one-digit", "has {seen} where two digits are required."),
	of("month", "has the month {seen}. Write 01 to 12."),
	of("day", "has the day {seen}. Write a day of the month."),
	of("no-day", "has a day that does not exist in that month."),
}

// clockFaults are the sentences about the time of day and the offset of a timestamp.
var clockFaults = diag.Sentences{
	of("number", "is a number. Write a date and a time, as in 2026-03-10T09:00:00Z."),
	certain("t", "has {seen} instead of T between the date and the time."),
	certain("colons", "has {seen} where a colon is required."),
	certain("no-seconds", "has no seconds."),
	certain("comma", "has a comma instead of a dot before the fraction of a second."),
	of("no-fraction", "has no digits after the decimal point of the seconds."),
	certain("blank-before-offset", "has a space before the offset."),
	certain("offset", "has the offset {seen}, which does not have the form +01:00."),
	certain("utc", "ends with {seen} instead of Z."),
	of("zone-name", "ends with the zone {seen}. The zone belongs in timeZone."),
	of("bracketed-zone", "ends with the zone {seen} in brackets. The zone belongs in timeZone."),
	of("trailing", "has {seen} after the time, which is not an offset. Write Z or an offset such as -04:00."),
	of("hour", "has the hour {seen}. Write 00 to 23; midnight at the end of a day is 00:00:00 of the next day."),
	of("minute", "has the minute {seen}. Write 00 to 59."),
	of("second", "has the second {seen}. Write 00 to 59."),
	of("no-leap", "has the second 60, but there is no leap second at that time. Write 59."),
	of("offset-range", "has the offset {seen}. Write an offset of at most 23 hours and 59 minutes."),
}

var timestampFaults = slices.Concat(clockFaults, dateFaults)

var meetingCodeFaults = diag.Sentences{
	certain("url", "is a URL. Send only the code."),
	of("no-hyphens", "has no hyphens."),
}

// uriFaults are the sentences about the part of a URI after its scheme.
var uriFaults = diag.Sentences{
	noScheme,
	of("no-slashes", "has no // after the scheme."),
	of("no-host", "has no host."),
	of("port", "has the port {seen}, which is not a number."),
	of("space", "contains a space."),
	of("percent", "has a percent sign without two hexadecimal digits after it. Write %25 for the sign itself."),
	certain("encode", "contains {seen}, which must be percent-encoded."),
	of("dial", "contains {seen}, which cannot be dialed."),
	of("no-number", "has no number to dial."),
}

// Form is a form of strings with the sentences about its faults.
type Form struct {
	Name   string
	Faults diag.Sentences
}

// Forms are the forms that several rules check.
var Forms = []Form{{"an address", addressFaults}, {"a date", dateFaults}, {"a time", clockFaults}, {"a URI", uriFaults}}

// schemeFault returns a function that finds the fault of a string that has none of the given schemes.
func schemeFault(meant string, others ...string) func(string) form.Fault {
	return func(s string) form.Fault { return form.SchemeFault(s, meant, others...) }
}

// URI is the form of a URI whose scheme depends on another member. No table refers to it.
var URI = ofForm("URI", "a well-formed URI", "https://example.com/", form.IsWellFormedURI).explaining(form.URIFault, uriFaults...)
