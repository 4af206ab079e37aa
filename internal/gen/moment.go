package gen

import (
	"fmt"
	"strings"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/zone"
)

const (
	day       = 24 * time.Hour
	dateForm  = "2006-01-02"
	clockForm = "2006-01-02T15:04:05"
)

// The first and the last day that RFC 3339 can represent.
var firstDay = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
var lastDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// usualDay is the day to which days shrink: a Thursday in a month of 31 days.
var usualDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// dayFrom returns a generator of days, each represented by its midnight in UTC: days near usualDay, unusual days, and
// any day from first to last.
func dayFrom(first, last time.Time) draw.Generator[time.Time] {
	return draw.Lazy(func() draw.Generator[time.Time] {
		return draw.OneOf(
			daysAfter(usualDay, 1000),
			draw.Sampled(
				time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
				time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC),   // clocks go forward in New York
				time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC), // clocks go back in Berlin
				time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
				time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
				first, last,
			),
			daysAfter(first, int((last.Unix()-first.Unix())/int64(day/time.Second))),
		)
	})
}

// daysAfter returns a generator of days from first up to most days later.
func daysAfter(first time.Time, most int) draw.Generator[time.Time] {
	return draw.Map(draw.IntRange(0, most), func(n int) time.Time { return first.AddDate(0, 0, n) })
}

// secondOf returns a generator of whole seconds on a day.
func secondOf(day draw.Generator[time.Time]) draw.Generator[time.Time] {
	return func(t *draw.T) time.Time {
		date := day.Draw(t, "day")
		return date.Add(time.Duration(secondOfDay.Draw(t, "second of the day")) * time.Second)
	}
}

var secondOfDay = draw.OneOf(
	draw.Map(draw.IntRange(0, 23), func(hour int) int { return hour * 3600 }),
	draw.IntRange(0, 86399),
)

// Generators of the days and the seconds that RFC 3339 can represent, and of the seconds in ten years.
var (
	anyDay       = dayFrom(firstDay, lastDay)
	anySecond    = secondOf(anyDay)
	recentSecond = secondOf(dayFrom(usualDay, usualDay.AddDate(10, 0, 0)))
)

// moment is a start or an end as written, with its meaning: an instant or, for an all-day event, midnight in UTC on the day.
type moment struct {
	*event.Time
	at time.Time
}

// drawSpan draws the start and the end of an event. All-day and timed events take the same number of draws, because shrinking
// prefers fewer draws.
func drawSpan(t *draw.T, allDay bool) (start, end moment) {
	if allDay {
		start = allDayAt(t, anySecond.Draw(t, "first day").Truncate(day))
		return start, drawEnd(t, start, func(at time.Time) moment { return allDayAt(t, at) })
	}
	start = drawTimed(t)
	return start, drawEnd(t, start, func(at time.Time) moment { return timedAt(at, drawNotation(t)) })
}

// drawEnd draws an end for a start; the function write draws the notation of the end. If the end cannot be written, or would be
// before the start because its local time occurs twice, the end equals the start.
func drawEnd(t *draw.T, start moment, write func(at time.Time) moment) moment {
	lengths := []time.Duration{0, time.Hour, 30 * time.Minute, time.Second, 90 * time.Minute, day, 40 * day}
	if start.Date != "" {
		lengths = []time.Duration{day, 0, 2 * day, 7 * day, 400 * day}
	}
	end := write(start.at.Add(draw.One(t, "length", lengths...)))
	if end.at.Before(start.at) {
		same := *start.Time
		return moment{&same, start.at}
	}
	return end
}

// allDayAt returns the moment for the day that begins at the given midnight in UTC, but at most lastDay.
func allDayAt(t *draw.T, at time.Time) moment {
	if at.After(lastDay) {
		at = lastDay
	}
	return moment{&event.Time{
		Date:     at.Format(dateForm),
		TimeZone: draw.Optional(t, "zone", ZoneName),
	}, at}
}

func drawTimed(t *draw.T) moment {
	n := drawNotation(t)
	if n != plainly && draw.Seldom(t, "leap second") {
		return moment{&event.Time{DateTime: "2016-12-31T23:59:60Z"}, time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	return timedAt(anySecond.Draw(t, "instant"), n)
}

// notation is a way to write a dateTime.
type notation struct {
	zone     string // the timeZone, or empty
	offset   bool   // whether the dateTime has an offset; true without a zone
	minutes  int    // the offset, east of UTC, if there is no zone
	fraction string // the fraction of a second, with its decimal point
	lower    bool   // whether t and z are in lower case
	utc      string // the notation of offset 0
}

// plainly is the notation that most programs use.
var plainly = notation{offset: true, utc: "Z"}

var decimals = draw.Matching(`\.[0-9]{1,12}`)

// drawNotation draws a notation with an offset, a zone or both. The plainest notation comes first and needs only one
// draw, because shrinking prefers fewer draws.
func drawNotation(t *draw.T) notation {
	if !draw.Maybe(t, "another notation") {
		return plainly
	}
	n := notation{
		zone:     draw.Optional(t, "zone", ZoneName),
		offset:   true,
		minutes:  draw.OneOf(draw.Sampled(0, 60, -300, 330, 1439, -1439), draw.IntRange(-1439, 1439)).Draw(t, "offset"),
		fraction: draw.Optional(t, "fraction", decimals),
		lower:    draw.Seldom(t, "in lower case"),
		utc:      draw.One(t, "in UTC", "Z", "+00:00", "-00:00"),
	}
	if n.zone != "" {
		n.offset = draw.Maybe(t, "offset beside the zone")
	}
	return n
}

// timedAt writes an instant, which must be a whole second, in the given notation, and returns the resulting moment. The instant
// of the moment includes the fraction in the notation, and may be earlier than at if the local time occurs twice.
func timedAt(at time.Time, n notation) moment {
	where := time.FixedZone("", n.minutes*60)
	if n.zone != "" {
		where, _ = zone.Load(n.zone)
	}
	local := at.In(where)
	_, seconds := local.Zone()
	if n.offset && seconds%60 != 0 || local.Year() < firstDay.Year() || local.Year() > lastDay.Year() {
		// RFC 3339 cannot represent this year or the offset of a local mean time.
		n.offset, seconds, local = true, 0, at.UTC()
	}
	written := local.Format(clockForm) + n.fraction
	if n.offset {
		written += offsetText(seconds/60, n.utc)
	}
	if n.lower {
		written = strings.ToLower(written)
	}
	return read(&event.Time{DateTime: written, TimeZone: n.zone}, where)
}

// read returns the moment for a time as written. The offset of the time or, without an offset, its zone determines the
// instant. For an invalid time, such as a time after the year 9999, the instant is the earliest possible instant, which causes
// an end to be replaced by its start.
func read(written *event.Time, where *time.Location) moment {
	civil, ok := form.ParseDateTime(written.DateTime)
	switch {
	case !ok:
		return moment{written, firstDay.Add(-day)}
	case civil.HasOffset:
		return moment{written, civil.Time()}
	default:
		return moment{written, zone.Instant(civil.Time(), where)}
	}
}

// offsetText returns an offset in minutes in the notation of RFC 3339, or utc if the offset is 0.
func offsetText(minutes int, utc string) string {
	sign := '+'
	switch {
	case minutes == 0:
		return utc
	case minutes < 0:
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
}

// momentOf returns the moment for a stored time, or nil if the time is not valid.
func momentOf(at *event.Time) *moment {
	switch {
	case at == nil, (at.Date == "") == (at.DateTime == ""):
		return nil
	case at.Date != "":
		day, err := time.Parse(dateForm, at.Date)
		if err != nil {
			return nil
		}
		return &moment{at, day}
	}
	civil, ok := form.ParseDateTime(at.DateTime)
	if !ok || !civil.HasOffset && !form.IsZone(at.TimeZone) {
		return nil
	}
	where, _ := zone.Load(at.TimeZone)
	m := read(at, where)
	return &m
}

// saysInstant reports whether the instant or day does not depend on the zone.
func (m *moment) saysInstant() bool {
	civil, ok := form.ParseDateTime(m.DateTime)
	return m.Date != "" || ok && civil.HasOffset
}

func (m *moment) drawLength(t *draw.T) time.Duration {
	unit := time.Second
	if m.Date != "" {
		unit = day
	}
	return unit * time.Duration(draw.Around(1, 4000).Draw(t, "length"))
}

// moved returns the time shifted by a duration, with its zone unchanged. A shifted dateTime is in UTC. If RFC 3339
// cannot represent the shifted time, moved returns the time unchanged.
func (m *moment) moved(by time.Duration) *event.Time {
	at, to := m.at.Truncate(time.Second).Add(by).UTC(), *m.Time
	switch {
	case at.Before(firstDay) || !at.Before(lastDay.Add(day)):
	case m.Date != "":
		to.Date = at.Format(dateForm)
	default:
		to.DateTime = at.Format(clockForm) + "Z"
	}
	return &to
}
