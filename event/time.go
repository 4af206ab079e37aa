package event

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
)

// TimeAt returns a start or an end at the instant t, with the local time in the location of t. If the location is an
// IANA zone, TimeZone is the name of the zone.
func TimeAt(t time.Time) *Time {
	_, offset := t.Zone()
	var named string
	if location, ok := zone.Load(t.Location().String()); ok {
		if _, same := t.In(location).Zone(); same == offset {
			named = t.Location().String()
		}
	}
	return &Time{DateTime: string(new(dayCache).appendDateTime(nil, t, offset)), TimeZone: named}
}

// appendDateTime appends an instant in the local time of its location, or in UTC if RFC 3339 cannot express the offset.
// An RFC 3339 offset has no seconds, unlike some offsets of local mean time. The caller passes the offset of the
// location, in seconds, because looking up the offset takes longer than writing the time.
func (c *dayCache) appendDateTime(dst []byte, t time.Time, offset int) []byte {
	if offset%60 != 0 {
		offset = 0
	}
	dst = c.appendFormat(dst, t, offset, time.RFC3339Nano)
	if offset == 0 {
		return dst
	}
	sign, minutes := byte('+'), offset/60
	if offset < 0 {
		sign, minutes = '-', -minutes
	}
	h1, h2 := digits(minutes / 60)
	m1, m2 := digits(minutes % 60)
	return append(dst[:len(dst)-len("Z")], sign, h1, h2, ':', m1, m2)
}

// The Unix times at which the year 0 begins and the year 9999 ends.
const (
	yearZero     = -62_167_219_200
	yearTooLarge = 253_402_300_800
)

// dayCache caches the digits of a date, because the times of an instance are usually on the same day.
type dayCache struct {
	day  int64   // the number of days since 1970
	date [8]byte // yyyymmdd; zero if the cache is empty
}

// look stores the digits of a day in the cache.
func (c *dayCache) look(day int64) {
	year, month, dayOfMonth := time.Unix(day*secondsPerDay, 0).UTC().Date()
	c.day = day
	c.date[0], c.date[1] = digits(year / 100)
	c.date[2], c.date[3] = digits(year % 100)
	c.date[4], c.date[5] = digits(int(month))
	c.date[6], c.date[7] = digits(dayOfMonth)
}

const secondsPerDay = 24 * 60 * 60

// appendFormat is like [time.Time.AppendFormat] for the local time at the given offset in seconds, as a time in UTC, but much
// faster for the years 0 to 9999. The layout must be one of the layouts below.
func (c *dayCache) appendFormat(dst []byte, t time.Time, offset int, layout string) []byte {
	clock := t.Unix() + int64(offset)
	if clock < yearZero || clock >= yearTooLarge || t.Nanosecond() != 0 {
		return t.UTC().Add(time.Duration(offset)*time.Second).AppendFormat(dst, layout)
	}
	second := int((clock - yearZero) % secondsPerDay)
	if day := (clock - int64(second)) / secondsPerDay; day != c.day || c.date[0] == 0 {
		c.look(day)
	}
	d := &c.date
	h1, h2 := digits(second / 3600)
	i1, i2 := digits(second / 60 % 60)
	s1, s2 := digits(second % 60)
	switch layout {
	case idDate:
		return append(dst, d[:]...)
	case idTime:
		return append(append(dst, d[:]...), 'T', h1, h2, i1, i2, s1, s2, 'Z')
	case time.DateOnly:
		return append(dst, d[0], d[1], d[2], d[3], '-', d[4], d[5], '-', d[6], d[7])
	default: // time.RFC3339Nano
		return append(dst, d[0], d[1], d[2], d[3], '-', d[4], d[5], '-', d[6], d[7], 'T', h1, h2, ':', i1, i2, ':', s1, s2, 'Z')
	}
}

// digits returns the two digits of a number below 100.
func digits(n int) (tens, ones byte) { return '0' + byte(n)/10, '0' + byte(n)%10 }

// Date returns the start of an all-day event, or the exclusive end of an all-day event whose last day is the day before. Like
// [time.Date], Date normalizes days outside a month.
func Date(year int, month time.Month, day int) *Time {
	return &Time{Date: time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)}
}

// Instant returns the instant of t in its zone or, if t has no zone, with its offset. A date means midnight in the location
// in. A DateTime without an offset or a zone is also interpreted in that location; nil means UTC. Instant returns an error if
// t cannot be read or its zone is unknown.
func (t *Time) Instant(in *time.Location) (time.Time, error) {
	at, err := t.instant(in)
	if err != nil {
		return time.Time{}, fmt.Errorf("event: %w", err)
	}
	return at, nil
}

// instant is like Instant, but its error does not name the package.
func (t *Time) instant(in *time.Location) (time.Time, error) {
	p := parseTime(t)
	civil := p.civil.Time()
	if p.form == allDay {
		civil = p.instant()
	}
	if in == nil {
		in = time.UTC
	}
	switch _, readable := form.ParseDateTime(t.orZero().DateTime); {
	case p.form == noForm:
		return time.Time{}, errors.New("a time must have either a date or a dateTime")
	case p.form == allDay && !p.known || p.form == timed && !readable:
		return time.Time{}, fmt.Errorf("%s is not a date or a dateTime", engine.Quote(t.Date+t.DateTime))
	case p.form == timed && p.known:
		return p.at().In(p.location()), nil
	case p.lost:
		return time.Time{}, fmt.Errorf("%s is not a time zone of the IANA database", engine.Quote(t.TimeZone))
	default:
		return zone.Instant(civil, in), nil
	}
}

// String returns the date, or the date-time and the zone, as written. String returns JSON if t was decoded from JSON
// with other members or a null member.
func (t Time) String() string {
	if !t.extra.IsEmpty() {
		return string(tables().time.Append(nil, &t))
	}
	return strings.Join(strings.Fields(t.Date+" "+t.DateTime+" "+t.TimeZone), " ")
}

func (t *Time) orZero() Time {
	if t == nil {
		return Time{}
	}
	return *t
}

// Length returns the duration from the start to the end. The location in is used as in [Time.Instant]. In UTC, each day of an
// all-day event is 24 hours long.
func (e *Event) Length(in *time.Location) (time.Duration, error) {
	e = e.orZero()
	start, err := e.Start.instant(in)
	if err != nil {
		return 0, fmt.Errorf("event: start: %w", err)
	}
	end, err := e.End.instant(in)
	if err != nil {
		return 0, fmt.Errorf("event: end: %w", err)
	}
	return end.Sub(start), nil
}

// parsedTime is a parsed [Time].
type parsedTime struct {
	form  timeForm
	known bool // whether the date or the instant is known
	lost  bool // whether the zone of a date-time is not in the IANA database

	isDate, isDateTime, isZone bool // whether the members are readable

	date  form.Date     // the date, if readable
	civil form.DateTime // the dateTime as written, if readable
	zone  string        // the name of the zone of a date-time, or ""
	index int           // the index of the zone name in the database, if known

	beyond string // the digits of the fraction that do not fit in civil

	offsets *zone.Offsets // the offsets of the last zone that was used; may be nil
}

// hasFraction reports whether a readable dateTime has a non-zero fraction of a second.
func (p *parsedTime) hasFraction() bool { return p.civil.Nanosecond != 0 || p.beyond != "" }

// timeForm is the combination of members in a [Time], readable or not.
type timeForm uint8

const (
	noForm timeForm = iota // neither date nor dateTime, or both
	allDay
	timed
)

// noTime represents an absent time, and is never modified.
var noTime parsedTime

func parseTime(t *Time) (p parsedTime) {
	p.parse(t, &noTime)
	return p
}

// parse parses t into p, which must be zero. The zone is looked up only if it differs from the other time's zone.
func (p *parsedTime) parse(t *Time, other *parsedTime) {
	if t == nil {
		return
	}
	if t.TimeZone != "" {
		p.parseZone(t.TimeZone, other)
	}
	if t.Date != "" {
		p.date, p.isDate = form.ParseDate(t.Date)
	}
	if t.DateTime != "" {
		p.parseDateTime(t.DateTime)
	}
	switch {
	case (t.Date == "") == (t.DateTime == ""):
	case t.DateTime == "":
		p.form, p.known = allDay, p.isDate
	default:
		p.form, p.zone, p.lost = timed, t.TimeZone, t.TimeZone != "" && !p.isZone
		p.known = p.isDateTime && (p.civil.HasOffset || p.isZone)
	}
}

// parseZone sets the zone to the zone with the given name.
func (p *parsedTime) parseZone(name string, other *parsedTime) {
	if name == other.zone {
		p.index, p.isZone = other.index, other.isZone
		return
	}
	p.index, p.isZone = form.ZoneIndex(name)
}

// parseDateTime parses a dateTime.
func (p *parsedTime) parseDateTime(dateTime string) {
	if p.isDateTime = p.civil.Read(dateTime); !p.isDateTime {
		p.civil = form.DateTime{}
		return
	}
	if len(dateTime) > len("yyyy-mm-ddThh:mm:ss.123456789") {
		p.beyond = beyondNanoseconds(dateTime)
	}
}

// namedZone returns the zone of a date-time, or nil if the zone is absent or unknown.
func (p *parsedTime) namedZone() *time.Location {
	if p.zone == "" || p.lost {
		return nil
	}
	return zone.At(p.index)
}

// dayZone returns the zone of a date, or nil if the zone is absent or unknown. An all-day series repeats dates
// regardless of zone, but other programs write the days as midnight in the zone.
func (p *parsedTime) dayZone() *time.Location {
	if p.form != allDay || !p.isZone {
		return nil
	}
	return zone.At(p.index)
}

// location returns the zone of the time or, if it has no zone, the offset as a location.
func (p *parsedTime) location() *time.Location {
	if named := p.namedZone(); named != nil {
		return named
	}
	return time.FixedZone("", p.civil.Offset)
}

// at returns the instant of a known date-time.
func (p *parsedTime) at() time.Time {
	if p.civil.HasOffset {
		return p.civil.Time()
	}
	return p.offsets.Instant(p.civil.Time(), p.location())
}

// compare compares two times of the same form. The result ok is false if the times cannot be compared.
func (p *parsedTime) compare(other *parsedTime) (order int, ok bool) {
	switch {
	case !p.known || !other.known || p.form != other.form:
		return 0, false
	case p.form == allDay:
		return p.date.Compare(other.date), true
	default:
		return p.compareInstant(other), true
	}
}

// compareInstant compares two instants. A leap second is between its neighboring seconds, and all digits of a fraction count.
func (p *parsedTime) compareInstant(other *parsedTime) int {
	var order int
	if p.civil.HasOffset && other.civil.HasOffset && p.civil.Offset == other.civil.Offset {
		order = cmp.Compare(p.civil.Clock(), other.civil.Clock())
	} else {
		order = p.compareSecond(other)
	}
	if order != 0 {
		return order
	}
	return cmp.Or(p.civil.Nanosecond-other.civil.Nanosecond, strings.Compare(p.beyond, other.beyond))
}

// compareSecond compares the seconds of two instants.
func (p *parsedTime) compareSecond(other *parsedTime) int {
	second, leap := p.second()
	otherSecond, otherLeap := other.second()
	return cmp.Or(cmp.Compare(second, otherSecond), leap-otherLeap)
}

// second returns the Unix second of an instant and 0, or for a leap second the preceding second and 1.
func (p *parsedTime) second() (unix int64, leap int) {
	leap = p.civil.Second / 60
	return p.at().Unix() - int64(leap), leap
}

// beyondNanoseconds returns the digits of the fraction of a valid dateTime beyond its nanoseconds, without trailing zeros.
func beyondNanoseconds(dateTime string) string {
	const nanoseconds = len("999999999")
	_, fraction, _ := strings.Cut(dateTime, ".")
	offset := strings.TrimLeft(fraction, "0123456789")
	fraction = strings.TrimSuffix(fraction, offset)
	return strings.TrimRight(fraction[min(nanoseconds, len(fraction)):], "0")
}

// recurrence returns the time as the start of a series, or the zero start if a series cannot start at that time. A timed series
// without a zone is expanded with the offset of its start. If the zone is unknown, the instants of the series are unknown too.
func (p *parsedTime) recurrence() recurrence.Start {
	switch {
	case !p.known, p.lost:
		return recurrence.Start{}
	case p.form == allDay:
		return recurrence.StartDate(p.date.Year, time.Month(p.date.Month), p.date.Day).DaysIn(p.dayZone())
	case p.civil.HasOffset:
		return recurrence.StartTime(p.at().In(p.location()))
	default:
		return recurrence.StartClock(p.civil.Time(), p.location())
	}
}

// startIn returns the time as the start of a series in a calendar with the given zone, which is nil if unknown. The
// days of an all-day series without a zone are in the calendar's zone.
func (p *parsedTime) startIn(calendar *time.Location) recurrence.Start {
	start := p.recurrence()
	if p.dayZone() == nil {
		return start.DaysIn(calendar)
	}
	return start
}

// startOf returns the start of a series in the calendar of the request.
func (in *input) startOf(series *Event) recurrence.Start {
	start := parseTime(series.Start)
	return start.startIn(in.calendarZone())
}

// calendarZone returns the zone of the calendar, or nil if it is unknown.
func (in *input) calendarZone() *time.Location {
	if in.req.Calendar == nil {
		return nil
	}
	location, _ := zone.Load(in.req.Calendar.TimeZone)
	return location
}

// instant returns the time as package recurrence represents it. A date is represented as midnight in UTC.
func (p *parsedTime) instant() time.Time {
	if p.form == allDay {
		return time.Date(p.date.Year, time.Month(p.date.Month), p.date.Day, 0, 0, 0, 0, time.UTC)
	}
	return p.at()
}
