package fuzz

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
)

const (
	day       = 24 * time.Hour
	dateForm  = "2006-01-02"
	clockForm = "2006-01-02T15:04:05"
)

// The days that RFC 3339 can write.
var firstDay = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
var lastDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// usualDay is what days shrink to: a Thursday of a month with 31 days.
var usualDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// dayFrom draws a day as its midnight in UTC: near, or an unusual one, or any from first to
// last.
func dayFrom(first, last time.Time) *rapid.Generator[time.Time] {
	return rapid.OneOf(
		daysAfter(usualDay, 1000),
		rapid.SampledFrom([]time.Time{
			time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
			time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC),   // clocks go forward in New York
			time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC), // and back in Berlin
			time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
			first, last,
		}),
		daysAfter(first, int(last.Sub(first)/day)),
	)
}

// daysAfter draws a day from first on, at most so many days after it.
func daysAfter(first time.Time, most int) *rapid.Generator[time.Time] {
	return rapid.Map(rapid.IntRange(0, most), func(n int) time.Time { return first.AddDate(0, 0, n) })
}

// instant draws a full second of a day from first to last.
func instant(first, last time.Time) *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		date := dayFrom(first, last).Draw(t, "day")
		second := rapid.OneOf(
			rapid.Map(rapid.IntRange(0, 23), func(hour int) int { return hour * 3600 }),
			rapid.IntRange(0, 86399),
		).Draw(t, "second of the day")
		return date.Add(time.Duration(second) * time.Second)
	})
}

// moment is a start or an end as it is written, and what it is read as: an instant or, of an
// all-day event, the midnight in UTC of its day.
type moment struct {
	*event.Time
	at time.Time
}

// drawSpan draws the start and the end of an event, all-day or timed.
func drawSpan(t *rapid.T, allDay bool) (start, end moment) {
	if allDay {
		start = allDayAt(t, dayFrom(firstDay, lastDay).Draw(t, "first day"))
		return start, drawEnd(t, start, func(at time.Time) moment { return allDayAt(t, at) })
	}
	start = drawTimed(t)
	return start, drawEnd(t, start, func(at time.Time) moment { return timedAt(at, drawNotation(t, "end")) })
}

// drawEnd draws the end of what begins with start; write draws how it is written. An end that
// cannot be written, or that is read as an earlier instant because its clock time occurs
// twice, becomes the start's equal.
func drawEnd(t *rapid.T, start moment, write func(at time.Time) moment) moment {
	lengths := []time.Duration{0, time.Hour, 30 * time.Minute, time.Second, 90 * time.Minute, day, 40 * day}
	if start.Date != "" {
		lengths = []time.Duration{day, 0, 2 * day, 7 * day, 400 * day}
	}
	end := write(start.at.Add(rapid.SampledFrom(lengths).Draw(t, "length")))
	if end.at.Before(start.at) {
		same := *start.Time
		return moment{&same, start.at}
	}
	return end
}

// allDayAt writes the day that begins at a midnight in UTC; after the last day, that day.
func allDayAt(t *rapid.T, at time.Time) moment {
	if at.After(lastDay) {
		at = lastDay
	}
	return moment{&event.Time{
		Date:     at.Format(dateForm),
		TimeZone: draw.Optional(t, "zone", ZoneName()),
	}, at}
}

// drawTimed draws a timed start.
func drawTimed(t *rapid.T) moment {
	n := drawNotation(t, "start")
	if n != plainly && draw.Seldom(t, "leap second") {
		return moment{&event.Time{DateTime: "2016-12-31T23:59:60Z"}, time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	return timedAt(instant(firstDay, lastDay).Draw(t, "instant"), n)
}

// notation is how a dateTime is written.
type notation struct {
	zone     string // the timeZone; "" for none
	offset   bool   // whether the dateTime has an offset; true where there is no zone
	minutes  int    // the offset, east of UTC; with a zone, that of the zone's clock goes before it
	fraction string // with its point
	lower    bool   // t and z in lower case
	utc      string // how the offset 0 is written
}

// plainly is the notation of most machines.
var plainly = notation{offset: true, utc: "Z"}

// drawNotation draws a notation with an offset, a zone or both: at first the plainest, which takes
// one draw only, or shrinking would prefer an event of another kind that takes fewer.
func drawNotation(t *rapid.T, of string) notation {
	if !draw.Maybe(t, of+" in another notation") {
		return plainly
	}
	n := notation{
		zone:     draw.Optional(t, of+" zone", ZoneName()),
		offset:   true,
		minutes:  rapid.OneOf(rapid.SampledFrom([]int{0, 60, -300, 330, 1439, -1439}), rapid.IntRange(-1439, 1439)).Draw(t, of+" offset"),
		fraction: draw.Optional(t, of+" fraction", rapid.StringMatching(`\.[0-9]{1,12}`)),
		lower:    draw.Seldom(t, of+" in lower case"),
		utc:      rapid.SampledFrom([]string{"Z", "+00:00", "-00:00"}).Draw(t, of+" in UTC"),
	}
	if n.zone != "" {
		n.offset = draw.Maybe(t, of+" offset beside the zone")
	}
	return n
}

// timedAt writes an instant, which is a full second, and returns what is read: the fraction
// counts, and of a clock time that occurs twice the first is meant.
func timedAt(at time.Time, n notation) moment {
	where := time.FixedZone("", n.minutes*60)
	if n.zone != "" {
		where, _ = zone.Load(n.zone)
	}
	local := at.In(where)
	_, seconds := local.Zone()
	if n.offset && seconds%60 != 0 || local.Year() < firstDay.Year() || local.Year() > lastDay.Year() {
		// A local mean time, whose offset RFC 3339 cannot write, or a year that it cannot.
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

// read returns a moment with the instant that it stands for by its offset or, without one,
// on the clock of the zone. What lies beyond the year 9999 and could not be written is before
// everything else, so that an end falls back on its start.
func read(written *event.Time, where *time.Location) moment {
	civil, ok := limits.ParseDateTime(written.DateTime)
	switch {
	case !ok:
		return moment{written, firstDay.Add(-day)}
	case civil.HasOffset:
		return moment{written, civil.Time()}
	default:
		return moment{written, zone.Instant(civil.Time(), where)}
	}
}

// offsetText writes an offset in minutes as RFC 3339 does; utc stands for none.
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
