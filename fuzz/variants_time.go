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

// timeWays break the rules about start, end and originalStartTime.
func timeVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.TimeDateFormat:          inTimes(variant{prepare: spanOf(allDayForm)}, "date", notDates()...),
		ruleid.TimeDatetimeFormat:      inTimes(variant{prepare: spanOf(timedForm)}, "dateTime", notDateTimes()...),
		ruleid.TimeZoneIANA:            append(inTimes(variant{prepare: zoneMayGo}, "timeZone", notZones()...), originalZone()),
		ruleid.TimeOffset:              inTimes(variant{prepare: singleOf(timedForm), whole: span}, "", withoutOffset()...),
		ruleid.TimeOneForm:             oneFormVariants(),
		ruleid.TimeSameForm:            sameFormVariants(),
		ruleid.TimeOrder:               orderVariants(),
		ruleid.TimeEmpty:               noTimeVariants(),
		ruleid.TimeZoneRecurring:       zonelessVariants(recurringOf(timedForm), zoneMayGo),
		ruleid.TimeZoneRecurringAllDay: zonelessVariants(recurringOf(allDayForm)),
	}
}

// span are the members that say when an event is, and spanOfSeries those that say it of a
// series. A patch has to send them for a rule about several of them, or about several members
// of one of them.
var span = []string{"start", "end"}
var spanOfSeries = []string{"start", "end", "recurrence"}

// timeForm is whether an event is all-day.
type timeForm int

const (
	anyForm timeForm = iota
	allDayForm
	timedForm
)

// has reports whether the form is that of an event.
func (f timeForm) has(e *event.Event) bool {
	return f == anyForm || (f == allDayForm) == (e.Start.Date != "")
}

// allDay draws whether an event of the form is all-day.
func (f timeForm) allDay(t *rapid.T) bool {
	return f == allDayForm || f == anyForm && draw.Maybe(t, "all-day")
}

// spanOf draws other times for an event that is not of the form.
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

// singleOf draws other times for an event that is a series, or not of the form.
func singleOf(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		if !f.has(e) || e.Recurrence != nil {
			drawSingle(t, e, f)
		}
	}
}

// recurringOf draws other times for an event that is no series, or not of the form.
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

// zoneMayGo writes the start and the end of a series with the offsets of their zone, so that
// they stand for the same instants and the same clock without it. Local mean times, whose
// offsets RFC 3339 cannot write, have another clock; then the recurrence is one that goes with
// any.
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

// writeOffset adds the offset that a dateTime has in its zone, and reports whether its clock
// stays that of the zone.
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

// nanos writes an instant in UTC, with all of its fraction that is read.
func nanos(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.999999999Z") }

// aTime draws which time of the event is broken: any that the request can say something of. The
// original start of what is stored cannot change.
func aTime(t *rapid.T, d *draft) diag.Pointer {
	places := []diag.Pointer{"/start", "/end", "/originalStartTime"}
	if d.stored != nil {
		places = places[:2]
	}
	return rapid.SampledFrom(places).Draw(t, "time")
}

// inTimes lists the ways of breaking a rule by a wrong value of a member of any time or, where
// no member is named, by a wrong time, of which the finding is about the dateTime.
func inTimes(need variant, member string, values ...badValue) []variant {
	return eachValue(need, func(t *rapid.T, d *draft) (at, finding diag.Pointer) {
		at = aTime(t, d)
		switch {
		case member == "":
			return at, at.Member("dateTime")
		case member == "timeZone" && d.body[strings.TrimPrefix(string(at), "/")] == nil:
			addForm(t, d.body, at, true)
		}
		return at.Member(member), at.Member(member)
	}, values...)
}

// eachValue lists the ways of putting each wrong value where the function says, for a finding
// where it says.
func eachValue(need variant, where func(t *rapid.T, d *draft) (at, finding diag.Pointer), values ...badValue) []variant {
	variants := make([]variant, len(values))
	for i, v := range values {
		w := need
		w.name = v.name
		w.mutate = func(t *rapid.T, d *draft) diag.Pointer {
			at, finding := where(t, d)
			put(d.body, at, cloned(v.value.Draw(t, "value")))
			return finding
		}
		variants[i] = w
	}
	return variants
}

// spelling is a way of writing a text.
type spelling = func(string) string

// respelt is a text that is drawn and then written in one of some wrong ways.
func respelt(name string, text *rapid.Generator[string], wrongly ...spelling) badValue {
	return drawnAs(name, rewritten(text, wrongly...))
}

// rewritten draws a text and rewrites it in one of some ways.
func rewritten(text *rapid.Generator[string], in ...spelling) *rapid.Generator[string] {
	which := rapid.IntRange(0, len(in)-1)
	return rapid.Custom(func(t *rapid.T) string {
		return in[which.Draw(t, "spelling")](text.Draw(t, "text"))
	})
}

// with puts something around a text.
func with(before, after string) spelling {
	return func(s string) string { return before + s + after }
}

// swapped replaces a part of a text wherever it stands.
func swapped(old, by string) spelling {
	return func(s string) string { return strings.ReplaceAll(s, old, by) }
}

// cutTo leaves the bytes from one to before the other.
func cutTo(from, to int) spelling { return func(s string) string { return s[from:to] } }

// fullWidth writes letters and digits as wide as ideographs.
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

// noDates are no date yyyy-mm-dd of the calendar.
func notDates() []badValue {
	return []badValue{
		drawnAs("a day that the calendar lacks", lackedDay()),
		respelt("29 February of a common year", commonYear(), with("", "-02-29")),
		respelt("a month or a day of one digit", someYear(), with("", "-3-10"), with("", "-11-1"), with("", "-1-1")),
		respelt("other separators", dayText(), swapped("-", ""), swapped("-", "/"), swapped("-", "."), swapped("-", "‐"), swapped("-", "–")),
		respelt("a time behind it", dayText(), with("", "T00:00:00Z"), with("", "T"), with("", "Z"), with("", "+00:00")),
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
var dateTimeText = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return clockText().Draw(t, "clock") + someOffset().Draw(t, "offset") })
})

// noDateTimes are no date-time of RFC 3339.
func notDateTimes() []badValue {
	return []badValue{
		clocked("a day that the calendar lacks", lackedDay(), with("", "T09:00:00")),
		clocked("29 February of a common year", commonYear(), with("", "-02-29T09:00:00")),
		clocked("hour 24 or more", dayText(), with("", "T24:00:00"), with("", "T25:10:00"), with("", "T99:00:00")),
		clocked("minute 60 or more", dayText(), with("", "T09:60:00"), with("", "T09:99:00")),
		clocked("second 61 or more", dayText(), with("", "T23:59:61"), with("", "T09:00:99")),
		drawnAs("second 60 where no leap second is", rapid.Custom(noLeapSecond)),
		clocked("a comma before the fraction", clockText(), with("", ",5")),
		clocked("a fraction that is none", clockText(), with("", "."), with("", ".5.5"), with("", ".-5"), with("", ".５")),
		clocked("no seconds", clockText(), cutTo(0, 16), cutTo(0, 13)),
		respelt("a date alone", dayText(), with("", ""), with("", "T"), with("", "Z")),
		clocked("another letter than T", clockText(), swapped("T", " "), swapped("T", ""), swapped("T", "_"), swapped("T", "Т")),
		clocked("other separators", clockText(), swapped("-", ""), swapped(":", ""), swapped(":", "."), swapped("-", "/")),
		respelt("an offset that is none", clockText(),
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

// clocked is a text that is rewritten to a clock, with any offset or without.
func clocked(name string, text *rapid.Generator[string], in ...spelling) badValue {
	clock := rewritten(text, in...)
	return drawnAs(name, rapid.Custom(func(t *rapid.T) string {
		return clock.Draw(t, "clock") + someOffset().Draw(t, "offset")
	}))
}

// noLeapSecond draws a second 60 in another minute than the last of a month in UTC; without an
// offset, in another than the last of an hour.
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

// noZones are no names of the IANA Time Zone Database.
func notZones() []badValue {
	return []badValue{
		respelt("another case", ZoneName(), strings.ToLower, func(s string) string { return strings.ToLower(s[:1]) + s[1:] }),
		respelt("a blank", ZoneName(), with(" ", ""), with("", " "), with("", "\n"), with("", "\x00")),
		respelt("a path", ZoneName(), with("/", ""), with("./", ""), with("../", ""), with("posix/", ""), with("right/", ""), with("/usr/share/zoneinfo/", ""), with("", "/")),
		anyOf("a file of the host", "Local", "localtime", "posixrules", "tzdata.zi", "zone1970.tab", "../etc/passwd"),
		anyOf("an abbreviation that the database lacks", "PST", "PDT", "EDT", "CEST", "BST", "JST", "Z"),
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

// originalZone gives the original start of a stored instance a zone that is none. The instant
// stays, so it does not change.
func originalZone() variant {
	return variant{
		name: "at the original start of an instance", on: diag.Modify,
		prepare: func(t *rapid.T, e *event.Event) {
			drawSingle(t, e, anyForm)
			e.RecurringEventID = seriesID().Draw(t, "series")
			e.OriginalStartTime = &event.Time{DateTime: offsetDateTime().Draw(t, "original start")}
		},
		mutate: func(t *rapid.T, d *draft) diag.Pointer {
			const path = "/originalStartTime/timeZone"
			put(d.body, path, notZones()[0].value.Draw(t, "zone"))
			return path
		},
	}
}

// offsetDateTime draws a dateTime with an offset.
var offsetDateTime = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := drawNotation(t, "dateTime")
		n.zone, n.offset = "", true
		return timedAt(instant(firstDay, lastDay).Draw(t, "instant"), n).DateTime
	})
})

// noOffsets are times that leave open when they are.
func withoutOffset() []badValue {
	return []badValue{
		offsetless("neither offset nor zone", clockText()),
		offsetless("a fraction", rapid.Map(rapid.StringMatching(`\.[0-9]{1,12}`), with("2026-03-10T09:00:00", ""))),
		offsetless("a leap second", rapid.SampledFrom([]string{"2016-12-31T23:59:60", "2026-03-10T08:59:60"})),
		offsetless("t in lower case", rapid.Map(clockText(), strings.ToLower)),
	}
}

// offsetless is a time of which the clock alone is known.
func offsetless(name string, clock *rapid.Generator[string]) badValue {
	return drawnAs(name, rapid.Map(clock, func(clock string) members { return members{"dateTime": clock} }))
}

func oneFormVariants() []variant {
	return []variant{
		{name: "date and dateTime", whole: span, mutate: func(t *rapid.T, d *draft) diag.Pointer {
			path := aTime(t, d)
			addForm(t, d.body, path, true)
			addForm(t, d.body, path, false)
			return path
		}},
		neither("neither, nor anything else", members{}),
		neither("neither, but a zone", members{"timeZone": "Europe/Berlin"}),
		neither("both null", members{"date": nil, "dateTime": nil}),
		neither("a member of another name", members{"datetime": "2026-03-10T09:00:00Z"}),
	}
}

// neither is a way to leave out both. A patch that does so leaves what is stored.
func neither(name string, value members) variant {
	return eachValue(variant{on: diag.Create | diag.Update}, func(t *rapid.T, d *draft) (at, finding diag.Pointer) {
		at = aTime(t, d)
		return at, at
	}, just(name, value))[0]
}

// addForm adds a date or, if timed, a dateTime with an offset to a time, if it has none.
func addForm(t *rapid.T, body members, of diag.Pointer, timed bool) {
	path, value := of.Member("date"), dayText()
	if timed {
		path, value = of.Member("dateTime"), offsetDateTime()
	}
	if at(body, path) == nil {
		put(body, path, value.Draw(t, "other form"))
	}
}

func sameFormVariants() []variant {
	return []variant{
		{name: "an end with a time", prepare: spanOf(allDayForm), whole: span, mutate: otherForm("/end")},
		{name: "an end without a time", prepare: spanOf(timedForm), whole: span, mutate: otherForm("/end")},
		{name: "a start with a time", prepare: singleOf(allDayForm), whole: span, mutate: otherForm("/start")},
		{name: "a start without a time", prepare: singleOf(timedForm), whole: span, mutate: otherForm("/start")},
	}
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

func orderVariants() []variant {
	return []variant{
		{name: "a second before", prepare: notFirst(timedForm), whole: span, mutate: endsBefore(1, 1, time.Second)},
		{name: "hours before", prepare: notFirst(timedForm), whole: span, mutate: endsBefore(1, 48, time.Hour)},
		{name: "years before", prepare: notFirst(timedForm), whole: span, mutate: endsBefore(400, 100_000, day)},
		{name: "a nanosecond before", prepare: notFirst(timedForm), whole: span, mutate: func(t *rapid.T, d *draft) diag.Pointer {
			return d.endsAt(members{"dateTime": nanos(startOf(d.body).at.Add(-time.Nanosecond))})
		}},
		{name: "later on a clock further east", prepare: singleOf(timedForm), whole: span, mutate: laterFurtherEast},
		{name: "the day before", prepare: notFirst(allDayForm), whole: span, mutate: endsBefore(1, 1, day)},
		{name: "days before", prepare: notFirst(allDayForm), whole: span, mutate: endsBefore(2, 100_000, day)},
	}
}

// notFirst draws another start where there is nothing before it.
func notFirst(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		spanOf(f)(t, e)
		if momentOf(e.Start).at.Before(firstSeries) {
			b := drawBegin(t, e.Start.Date != "")
			e.Start, e.End = b.start, b.end
		}
	}
}

// startOf reads the start that a body has.
func startOf(body members) moment { return *momentOf(decodeEvent(body).Start) }

// endsAt puts another end in place of the one there is, of which the zone stays.
func (d *draft) endsAt(end members) diag.Pointer {
	if name := at(d.body, "/end/timeZone"); name != nil {
		end["timeZone"] = name
	}
	put(d.body, "/end", end)
	return "/end"
}

// endsBefore ends the event so many units before it starts, though not before the first day.
// The end is written in any way.
func endsBefore(least, most int, unit time.Duration) mutation {
	number := rapid.IntRange(least, most)
	return func(t *rapid.T, d *draft) diag.Pointer {
		start := startOf(d.body)
		end := start.at.Truncate(time.Second).Add(-time.Duration(number.Draw(t, "units")) * unit)
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

// laterFurtherEast ends the event before it starts, although its clock then shows more.
func laterFurtherEast(t *rapid.T, d *draft) diag.Pointer {
	start := instant(firstSeries, lastSeries).Draw(t, "instant")
	west := rapid.IntRange(-1439, 0).Draw(t, "offset")
	east := rapid.IntRange(west+61, 1439).Draw(t, "offset further east")
	end := start.Add(-time.Duration(rapid.IntRange(1, 60).Draw(t, "minutes before")) * time.Minute)
	put(d.body, "/start", members{"dateTime": inOffset(start, west)})
	put(d.body, "/end", members{"dateTime": inOffset(end, east)})
	return "/end"
}

// inOffset writes an instant with an offset in minutes, and all of its fraction that is read;
// in UTC, where its year cannot be written with the offset.
func inOffset(at time.Time, minutes int) string {
	local := at.In(time.FixedZone("", minutes*60))
	if local.Year() < firstDay.Year() || local.Year() > lastDay.Year() {
		return nanos(at)
	}
	return local.Format("2006-01-02T15:04:05.999999999Z07:00")
}

func noTimeVariants() []variant {
	return []variant{
		{name: "the same day", prepare: lasting(allDayForm), whole: span, mutate: func(t *rapid.T, d *draft) diag.Pointer {
			return d.endsAt(members{"date": at(d.body, "/start/date")})
		}},
		{name: "the same text", prepare: lasting(timedForm), whole: span, mutate: func(t *rapid.T, d *draft) diag.Pointer {
			put(d.body, "/end", cloned(d.body["start"]))
			return "/end"
		}},
		{name: "the same instant with another offset", prepare: lasting(timedForm), whole: span, mutate: func(t *rapid.T, d *draft) diag.Pointer {
			minutes := rapid.IntRange(-1439, 1439).Draw(t, "offset")
			return d.endsAt(members{"dateTime": inOffset(startOf(d.body).at, minutes)})
		}},
	}
}

// lasting draws other times for an event that covers no time.
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

// zonelessWays are those of a recurring event, prepared like this, without a zone.
func zonelessVariants(prepare ...preparation) []variant {
	need := variant{whole: spanOfSeries, prepare: func(t *rapid.T, e *event.Event) {
		for _, p := range prepare {
			p(t, e)
		}
	}}
	none, null, added := need, need.only(diag.Create|diag.Update), need.only(diag.Modify)
	none.name, none.mutate = "no zone", zoneless(remove)
	null.name, null.mutate = "null for a zone", zoneless(func(tree members, path diag.Pointer) { put(tree, path, nil) })
	added.name, added.mutate = "a recurrence for an event without a zone", func(t *rapid.T, d *draft) diag.Pointer {
		path := zoneless(remove)(t, d)
		remove(d.stored, path)
		remove(d.stored, "/recurrence")
		return path
	}
	return []variant{none, null, added}
}

// zoneless takes the zone out of the start or the end.
func zoneless(take func(tree members, path diag.Pointer)) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := rapid.SampledFrom([]diag.Pointer{"/start/timeZone", "/end/timeZone"}).Draw(t, "time")
		take(d.body, path)
		return path
	}
}
