package fuzz

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
)

// timeVariants break the rules about start, end and originalStartTime.
func timeVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.TimeZoneIANA: append(derived()[ruleid.TimeZoneIANA], originalZone()),
		ruleid.TimeOffset:   variant{prepare: singleOf(timedForm), whole: span}.each(wholeTime("/dateTime"), withoutOffset()...),
		ruleid.TimeFraction: {
			variant{prepare: singleOf(timedForm)}.only(diag.Write).with("nearly a second", fractionOf(".999999999")),
			variant{prepare: singleOf(timedForm)}.only(diag.Write).with("more digits than nanoseconds", fractionOf(".9999999999999")),
		},
		ruleid.TimeOneForm:             formsAtOnce(),
		ruleid.TimeSameForm:            differentForms(),
		ruleid.TimeOrder:               endsBeforeStarts(),
		ruleid.TimeEmpty:               endsAtStarts(),
		ruleid.TimeZoneRecurring:       withoutZone(recurringOf(timedForm), zoneMayGo),
		ruleid.TimeZoneRecurringAllDay: withoutZone(recurringOf(allDayForm)),
	}
}

// span and spanOfSeries are the members with the times of an event and of a series. A patch must
// send them if a rule is about more than one of them, or about more than one of their members.
var (
	span         = []string{"start", "end"}
	spanOfSeries = []string{"start", "end", "recurrence"}
)

// timeForm says whether an event is all-day.
type timeForm int

const (
	anyForm timeForm = iota
	allDayForm
	timedForm
)

// has reports whether an event has the form.
func (f timeForm) has(e *event.Event) bool {
	return f == anyForm || (f == allDayForm) == (e.Start.Date != "")
}

// allDay draws whether an event of the form is all-day.
func (f timeForm) allDay(t *rapid.T) bool {
	return f == allDayForm || f == anyForm && draw.Maybe(t, "all-day")
}

// spanOf draws other times for an event that does not have the form.
func spanOf(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		switch {
		case f.has(e):
		case draw.Maybe(t, "series"):
			drawSeries(t, e, f.allDay(t))
		default:
			drawSingle(t, e, f)
		}
	}
}

// singleOf draws other times for an event that is a series, or does not have the form.
func singleOf(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		if !f.has(e) || e.Recurrence != nil {
			drawSingle(t, e, f)
		}
	}
}

// recurringOf draws other times for an event that is not a series, or does not have the form.
func recurringOf(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		if !f.has(e) || e.Recurrence == nil {
			drawSeries(t, e, f.allDay(t))
		}
	}
}

// drawSingle draws the times of a single event.
func drawSingle(t *rapid.T, e *event.Event, f timeForm) {
	start, end := drawSpan(t, f.allDay(t))
	e.Start, e.End, e.Recurrence = start.Time, end.Time, nil
}

// zoneMayGo adds the offsets of their zone to the start and the end of a series, so that without the
// zone they are the same instants and show the same clock. RFC 3339 cannot write the offsets of
// local mean times, which then show another clock; the recurrence becomes one that fits any start.
func zoneMayGo(t *rapid.T, e *event.Event) {
	if e.Recurrence == nil || e.Start.Date != "" {
		return
	}
	sameClock := writeOffset(e.Start)
	writeOffset(e.End)
	if !sameClock {
		e.Recurrence = []string{plainRule(t)}
	}
}

// writeOffset adds the offset that a dateTime has in its zone, and reports whether it still shows
// the clock of the zone.
func writeOffset(at *event.Time) (sameClock bool) {
	where, _ := zone.Load(at.TimeZone)
	m := read(at, where)
	_, seconds := m.at.In(where).Zone()
	civil, _ := limits.ParseDateTime(at.DateTime)
	switch {
	case civil.HasOffset:
		return civil.Offset == seconds
	case seconds%60 != 0:
		at.DateTime = nanos(m.at)
		return false
	default:
		at.DateTime += offsetText(seconds/60, "Z")
		return true
	}
}

// nanos writes an instant in UTC, in nanoseconds.
func nanos(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.999999999Z") }

// aTime draws a time of the event that the request may send. The stored original start never
// changes.
func aTime(t *rapid.T, d *draft) diag.Pointer {
	places := []diag.Pointer{"/start", "/end", "/originalStartTime"}
	if d.stored != nil {
		places = places[:2]
	}
	return rapid.SampledFrom(places).Draw(t, "time")
}

// wholeTime is the target for values of any time as a whole. The finding is at a member.
func wholeTime(member diag.Pointer) target {
	return func(t *rapid.T, d *draft, value func() any) diag.Pointer {
		at := aTime(t, d)
		put(d.body, at, value())
		return at + member
	}
}

// spelling writes a text in another way.
type spelling = func(string) string

// respelt draws a text and writes it in one of several wrong ways.
func respelt(name string, text *rapid.Generator[string], wrongly ...spelling) badValue {
	return drawnAs(name, rewritten(text, wrongly...))
}

// rewritten draws a text and rewrites it in one of several ways.
func rewritten(text *rapid.Generator[string], in ...spelling) *rapid.Generator[string] {
	which := rapid.IntRange(0, len(in)-1)
	return rapid.Custom(func(t *rapid.T) string {
		return in[which.Draw(t, "spelling")](text.Draw(t, "text"))
	})
}

// with surrounds a text.
func with(before, after string) spelling {
	return func(s string) string { return before + s + after }
}

// swapped replaces every occurrence of a part of a text.
func swapped(old, by string) spelling {
	return func(s string) string { return strings.ReplaceAll(s, old, by) }
}

// cutTo keeps the bytes from one index up to but not including another.
func cutTo(from, to int) spelling { return func(s string) string { return s[from:to] } }

// fullWidth writes letters and digits in their full-width forms.
func fullWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r - '!' + '！'
		}
		return r
	}, text)
}

var dayText = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.Map(dayFrom(firstDay, lastDay), func(at time.Time) string { return at.Format(dateForm) })
})
var someYear = draw.Lazy(func() *rapid.Generator[string] { return rapid.Map(rapid.IntRange(0, 9999), fourDigits) })
var commonYear = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"2026", "1900", "2100", "2023"}),
		rapid.Map(rapid.IntRange(0, 2499), func(n int) string { return fourDigits(4*n + 3) }),
	)
})

// lackedDay draws a date that no year has.
var lackedDay = draw.Lazy(func() *rapid.Generator[string] {
	return rewritten(someYear(),
		with("", "-02-30"), with("", "-02-31"), with("", "-04-31"), with("", "-06-31"), with("", "-09-31"), with("", "-11-31"),
		with("", "-01-00"), with("", "-01-32"), with("", "-12-32"), with("", "-07-99"),
		with("", "-00-10"), with("", "-13-01"), with("", "-99-10"))
})

func fourDigits(n int) string { return fmt.Sprintf("%04d", n) }

// notDates are not dates yyyy-mm-dd of the calendar.
func notDates() []badValue {
	return []badValue{
		drawnAs("a day that does not exist", lackedDay()),
		respelt("29 February of a common year", commonYear(), with("", "-02-29")),
		respelt("a month or a day of one digit", someYear(), with("", "-3-10"), with("", "-11-1"), with("", "-1-1")),
		respelt("other separators", dayText(), swapped("-", ""), swapped("-", "/"), swapped("-", "."), swapped("-", "‐"), swapped("-", "–")),
		respelt("a time after it", dayText(), with("", "T00:00:00Z"), with("", "T"), with("", "Z"), with("", "+00:00")),
		respelt("a blank", dayText(), with(" ", ""), with("", " "), with("", "\n"), with("\t", ""), with("", "\u00a0")),
		respelt("a sign or a fifth digit before the year", dayText(), with("+", ""), with("-", ""), with("0", ""), with("1", "")),
		respelt("a part of a date", dayText(), cutTo(0, 7), cutTo(0, 4), cutTo(2, 10), cutTo(5, 10), cutTo(0, 9)),
		respelt("the year at the end", dayText(), func(s string) string { return s[8:] + "-" + s[5:7] + "-" + s[:4] }),
		respelt("full-width digits", dayText(), fullWidth),
		respelt("a week or a day of the year", someYear(), with("", "-W10-2"), with("", "-069"), with("", "W102")),
		anyOf("words", "today", "10 March 2026", "Tue, 10 Mar 2026", "1773100800", "yyyy-mm-dd"),
		just("the empty text", ""),
	}
}

var clockText = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.Map(instant(firstDay, lastDay), func(at time.Time) string { return at.Format(clockForm) })
})
var someOffset = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"Z", "", "z", "-00:00"}),
		rapid.Map(rapid.IntRange(-1439, 1439), func(minutes int) string { return offsetText(minutes, "+00:00") }),
	)
})
var dateTimeText = draw.Custom(func(t *rapid.T) string { return clockText().Draw(t, "clock") + someOffset().Draw(t, "offset") })

// notDateTimes are not date-times of RFC 3339.
func notDateTimes() []badValue {
	return []badValue{
		clocked("a day that does not exist", lackedDay(), with("", "T09:00:00")),
		clocked("29 February of a common year", commonYear(), with("", "-02-29T09:00:00")),
		clocked("hour 24 or more", dayText(), with("", "T24:00:00"), with("", "T25:10:00"), with("", "T99:00:00")),
		clocked("minute 60 or more", dayText(), with("", "T09:60:00"), with("", "T09:99:00")),
		clocked("second 61 or more", dayText(), with("", "T23:59:61"), with("", "T09:00:99")),
		drawnAs("second 60 without a leap second", rapid.Custom(noLeapSecond)),
		clocked("a comma before the fraction", clockText(), with("", ",5")),
		clocked("an invalid fraction", clockText(), with("", "."), with("", ".5.5"), with("", ".-5"), with("", ".５")),
		clocked("no seconds", clockText(), cutTo(0, 16), cutTo(0, 13)),
		respelt("a date alone", dayText(), with("", ""), with("", "T"), with("", "Z")),
		clocked("another letter than T", clockText(), swapped("T", " "), swapped("T", ""), swapped("T", "_"), swapped("T", "Т")),
		clocked("other separators", clockText(), swapped("-", ""), swapped(":", ""), swapped(":", "."), swapped("-", "/")),
		respelt("an invalid offset", clockText(),
			with("", "+0400"), with("", "+4:00"), with("", "+04"), with("", "-4"), with("", "+24:00"), with("", "-04:60"), with("", "−04:00"),
			with("", "+04:00:00"), with("", "Z+00:00"), with("", "ZZ"), with("", "±00:00"), with("", "04:00")),
		respelt("a zone for the offset", clockText(), with("", " UTC"), with("", "GMT"), with("", "EST"), with("", "Z[Europe/Berlin]"), with("", " Z")),
		respelt("a blank", dateTimeText(), with(" ", ""), with("", " "), with("", "\n"), with("", "\x00")),
		respelt("a sign or a fifth digit before the year", dateTimeText(), with("+", ""), with("-", ""), with("0", ""), with("1", "")),
		respelt("one digit for two", dateTimeText(), func(s string) string { return s[:11] + "9" + s[13:] }, func(s string) string { return s[:5] + "3" + s[7:] }),
		respelt("full-width digits", dateTimeText(), fullWidth),
		anyOf("words", "now", "noon", "Tue, 10 Mar 2026 09:00:00 GMT", "1773100800", "2026-W10-2T09:00:00Z", "PT1H"),
		just("the empty text", ""),
	}
}

// clocked is a text that is rewritten to a clock time, with any offset or without one.
func clocked(name string, text *rapid.Generator[string], in ...spelling) badValue {
	clock := rewritten(text, in...)
	return drawnAs(name, rapid.Custom(func(t *rapid.T) string {
		return clock.Draw(t, "clock") + someOffset().Draw(t, "offset")
	}))
}

// noLeapSecond draws a second 60 that is not in the last minute of a month in UTC or, without an
// offset, not in the last minute of an hour.
func noLeapSecond(t *rapid.T) string {
	switch rapid.IntRange(0, 2).Draw(t, "what is wrong") {
	case 0:
		return fmt.Sprintf("2016-12-%02dT23:59:60Z", rapid.IntRange(1, 30).Draw(t, "day"))
	case 1:
		return "2016-12-31T23:59:60" + offsetText(rapid.IntRange(1, 1439).Draw(t, "offset"), "")
	default:
		return fmt.Sprintf("2016-12-31T23:%02d:60%s", rapid.IntRange(0, 58).Draw(t, "minute"), rapid.SampledFrom([]string{"Z", ""}).Draw(t, "offset"))
	}
}

// notZones are not names of the IANA Time Zone Database.
func notZones() []badValue {
	return []badValue{
		respelt("another case", ZoneName(), strings.ToLower, func(s string) string { return strings.ToLower(s[:1]) + s[1:] }),
		respelt("a blank", ZoneName(), with(" ", ""), with("", " "), with("", "\n"), with("", "\x00")),
		respelt("a path", ZoneName(), with("/", ""), with("./", ""), with("../", ""), with("posix/", ""), with("right/", ""), with("/usr/share/zoneinfo/", ""), with("", "/")),
		anyOf("a file of the host", "Local", "localtime", "posixrules", "tzdata.zi", "zone1970.tab", "../etc/passwd"),
		anyOf("an abbreviation that is not in the database", "PST", "PDT", "EDT", "CEST", "BST", "JST", "Z"),
		drawnAs("an offset", rapid.Map(rapid.IntRange(-1439, 1439), func(minutes int) string { return offsetText(minutes, "+00:00") })),
		anyOf("a name with an offset", "UTC+1", "GMT+1", "GMT-05:00", "UTC+00:00", "Etc/GMT+13", "Etc/GMT-15", "UTC0"),
		anyOf("a name of another catalogue", "Eastern Standard Time", "W. Europe Standard Time", "(UTC+01:00) Berlin", "tzone://Microsoft/Utc", "EST5EDT,M3.2.0,M11.1.0"),
		anyOf("a misspelt name", "America/New York", "America/Newyork", "Europe/Berln", `Europe\Berlin`, "Asia/Bejing", "Berlin"),
		anyOf("a region", "Europe", "Europe/", "America/Argentina", "Etc"),
		drawnAs("a word", rapid.StringMatching(`[A-Z][a-z]{0,12}/X[a-z]{0,12}`)),
		just("the empty text", ""),
		just("a very long name", strings.Repeat("Europe/", 1000)+"Berlin"),
	}
}

// originalZone gives the original start of a stored instance an invalid zone. Its instant stays the
// same, so that it does not change.
func originalZone() variant {
	return variant{
		name: "at the original start of an instance", on: diag.Modify,
		prepare: func(t *rapid.T, e *event.Event) {
			drawSingle(t, e, anyForm)
			e.RecurringEventID = seriesID().Draw(t, "series")
			e.OriginalStartTime = &event.Time{DateTime: offsetDateTime().Draw(t, "original start")}
		},
		mutate: replaced("/originalStartTime/timeZone", func(t *rapid.T, _ any) any { return notZones()[0].value.Draw(t, "zone") }),
	}
}

// offsetDateTime draws a dateTime with an offset.
var offsetDateTime = draw.Custom(func(t *rapid.T) string {
	n := drawNotation(t, "dateTime")
	n.zone, n.offset = "", true
	return timedAt(instant(firstDay, lastDay).Draw(t, "instant"), n).DateTime
})

// withoutOffset are times that do not determine an instant.
func withoutOffset() []badValue {
	return []badValue{
		offsetless("neither offset nor zone", clockText()),
		offsetless("a fraction", rapid.Map(rapid.StringMatching(`\.[0-9]{1,12}`), with("2026-03-10T09:00:00", ""))),
		offsetless("a leap second", rapid.SampledFrom([]string{"2016-12-31T23:59:60", "2026-03-10T08:59:60"})),
		offsetless("t in lower case", rapid.Map(clockText(), strings.ToLower)),
	}
}

// offsetless is a time with only a clock time.
func offsetless(name string, clock *rapid.Generator[string]) badValue {
	return drawnAs(name, rapid.Map(clock, func(clock string) members { return members{"dateTime": clock} }))
}

// formsAtOnce give a time both forms, or neither.
func formsAtOnce() []variant {
	both := variant{whole: span}.with("date and dateTime", func(t *rapid.T, d *draft) diag.Pointer {
		path := aTime(t, d)
		addForm(t, d.body, path, true)
		addForm(t, d.body, path, false)
		return path
	})
	// A patch without the forms leaves the stored one.
	return append([]variant{both}, variant{on: diag.Create | diag.Update}.each(wholeTime(""),
		just("neither, nor anything else", members{}),
		just("neither, but a zone", members{"timeZone": "Europe/Berlin"}),
		just("both null", members{"date": nil, "dateTime": nil}),
		just("a member of another name", members{"datetime": "2026-03-10T09:00:00Z"}),
	)...)
}

// addForm adds to a time the date or, if timed, a dateTime with an offset, unless it has one.
func addForm(t *rapid.T, body members, of diag.Pointer, timed bool) {
	path, value := of.Member("date"), dayText()
	if timed {
		path, value = of.Member("dateTime"), offsetDateTime()
	}
	if at(body, path) == nil {
		put(body, path, value.Draw(t, "other form"))
	}
}

func differentForms() []variant {
	return sharing(variant{whole: span},
		variant{name: "an end with a time", prepare: spanOf(allDayForm), mutate: otherForm("/end")},
		variant{name: "an end without a time", prepare: spanOf(timedForm), mutate: otherForm("/end")},
		variant{name: "a start with a time", prepare: singleOf(allDayForm), mutate: otherForm("/start")},
		variant{name: "a start without a time", prepare: singleOf(timedForm), mutate: otherForm("/start")},
	)
}

// otherForm turns a day into a time, or a time into a day.
func otherForm(path diag.Pointer) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		timed := at(d.body, path.Member("dateTime")) != nil
		remove(d.body, path.Member("date"))
		remove(d.body, path.Member("dateTime"))
		addForm(t, d.body, path, !timed)
		return "/end"
	}
}

func endsBeforeStarts() []variant {
	return sharing(variant{prepare: notFirst(timedForm), whole: span},
		variant{name: "a second before", mutate: endsBefore(1, 1, time.Second)},
		variant{name: "hours before", mutate: endsBefore(1, 48, time.Hour)},
		variant{name: "years before", mutate: endsBefore(400, 100_000, day)},
		variant{name: "a nanosecond before", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
			return d.endsAt(members{"dateTime": nanos(startOf(d.body).at.Add(-time.Nanosecond))})
		}},
		variant{name: "later on a clock further east", prepare: singleOf(timedForm), mutate: laterFurtherEast},
		variant{name: "the day before", prepare: notFirst(allDayForm), mutate: endsBefore(1, 1, day)},
		variant{name: "days before", prepare: notFirst(allDayForm), mutate: endsBefore(2, 100_000, day)},
	)
}

// notFirst draws another start if no time can be written before it.
func notFirst(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		spanOf(f)(t, e)
		if momentOf(e.Start).at.Before(firstSeries) {
			b := drawBegin(t, e.Start.Date != "")
			e.Start, e.End = b.start, b.end
		}
	}
}

// startOf reads the start of a body.
func startOf(body members) moment { return *momentOf(decodeEvent(body).Start) }

// endsAt replaces the end, except for its zone.
func (d *draft) endsAt(end members) diag.Pointer {
	if name := at(d.body, "/end/timeZone"); name != nil {
		end["timeZone"] = name
	}
	put(d.body, "/end", end)
	return "/end"
}

// endsBefore ends the event so many units before it starts, but not before the first day. It writes
// the end in any notation.
func endsBefore(low, high int, unit time.Duration) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		start := startOf(d.body)
		end := start.at.Truncate(time.Second).Add(-time.Duration(rapid.IntRange(low, high).Draw(t, "units")) * unit)
		if end.Before(firstDay) {
			end = firstDay
		}
		if start.Date != "" {
			return d.endsAt(members{"date": end.Format(dateForm)})
		}
		n := drawNotation(t, "end")
		if at(d.body, "/recurrence") != nil {
			n.zone, _ = at(d.body, "/end/timeZone").(string)
		}
		put(d.body, "/end", member("end", &event.Event{End: timedAt(end, n).Time}))
		return "/end"
	}
}

// laterFurtherEast ends the event before it starts, although the clock of the end shows a later time.
func laterFurtherEast(t *rapid.T, d *draft) diag.Pointer {
	start := instant(firstSeries, lastSeries).Draw(t, "instant")
	west := rapid.IntRange(-1439, 0).Draw(t, "offset")
	east := rapid.IntRange(west+61, 1439).Draw(t, "offset further east")
	end := start.Add(-time.Duration(rapid.IntRange(1, 60).Draw(t, "minutes before")) * time.Minute)
	put(d.body, "/start", members{"dateTime": inOffset(start, west)})
	put(d.body, "/end", members{"dateTime": inOffset(end, east)})
	return "/end"
}

// inOffset writes an instant with an offset in minutes or, if its year cannot be written with the
// offset, in UTC.
func inOffset(at time.Time, minutes int) string {
	local := at.In(time.FixedZone("", minutes*60))
	if local.Year() < firstDay.Year() || local.Year() > lastDay.Year() {
		return nanos(at)
	}
	return local.Format("2006-01-02T15:04:05.999999999Z07:00")
}

func endsAtStarts() []variant {
	return sharing(variant{prepare: lasting(timedForm), whole: span},
		variant{name: "the same day", prepare: lasting(allDayForm), mutate: func(_ *rapid.T, d *draft) diag.Pointer {
			return d.endsAt(members{"date": at(d.body, "/start/date")})
		}},
		variant{name: "the same text", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
			put(d.body, "/end", cloned(d.body["start"]))
			return "/end"
		}},
		variant{name: "the same instant with another offset", mutate: func(t *rapid.T, d *draft) diag.Pointer {
			minutes := rapid.IntRange(-1439, 1439).Draw(t, "offset")
			return d.endsAt(members{"dateTime": inOffset(startOf(d.body).at, minutes)})
		}},
	)
}

// lasting draws other times for an event that takes no time.
func lasting(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		spanOf(f)(t, e)
		if !momentOf(e.End).at.Equal(momentOf(e.Start).at) {
			return
		}
		e.Recurrence = nil
		start := instant(usualDay, usualDay.AddDate(10, 0, 0)).Draw(t, "start")
		e.Start, e.End = &event.Time{DateTime: nanos(start)}, &event.Time{DateTime: nanos(start.Add(time.Hour))}
		if f == allDayForm {
			e.Start, e.End = &event.Time{Date: start.Format(dateForm)}, &event.Time{Date: start.AddDate(0, 0, 1).Format(dateForm)}
		}
	}
}

// withoutZone removes a zone from a recurring event that is prepared like this.
func withoutZone(prepare ...preparation) []variant {
	base := variant{whole: spanOfSeries, prepare: func(t *rapid.T, e *event.Event) {
		for _, p := range prepare {
			p(t, e)
		}
	}}
	place := func(t *rapid.T) diag.Pointer {
		return rapid.SampledFrom([]diag.Pointer{"/start/timeZone", "/end/timeZone"}).Draw(t, "time")
	}
	return []variant{
		base.with("no zone", func(t *rapid.T, d *draft) diag.Pointer { return cleared(place(t))(t, d) }),
		base.only(diag.Create|diag.Update).with("null for a zone", func(t *rapid.T, d *draft) diag.Pointer { return putting(place(t), nil)(t, d) }),
		base.only(diag.Modify).with("a recurrence for an event without a zone", func(t *rapid.T, d *draft) diag.Pointer {
			path := place(t)
			d.unset(path)
			remove(d.stored, "/recurrence")
			return path
		}),
	}
}

// fractionOf gives the end a fraction of a second.
func fractionOf(fraction string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		const path, whole = "/end/dateTime", len("2006-01-02T15:04:05")
		text := at(d.body, path).(string)
		put(d.body, path, text[:whole]+fraction+strings.TrimLeft(text[whole:], ".0123456789"))
		return path
	}
}
