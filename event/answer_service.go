package event

import (
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/zone"
)

// In the public service's dialect, a response has the form in which the service returns it, with offsets, attendee responses
// and default reminders that no client sent. The stored event keeps the client's spelling, so a client that sends a response
// back changes nothing.

// listsException reports whether events.list includes the stored event because it is a cancelled instance of a series.
func listsException(in *input) bool {
	e := in.stored
	isException := e.Status == constraint.StatusCancelled && e.RecurringEventID != ""
	isOfDeletedSeries := in.req.Series != nil && in.req.Series.Status == constraint.StatusCancelled
	single, _ := in.req.Params.Value("singleEvents")
	return in.dialect == diag.Google && isException && !isOfDeletedSeries && single != "true" && !in.options.ShowDeleted
}

// answered returns e as the public service returns it, or e itself in the documents' dialect, without modifying e.
func answered(in *input, e *Event) *Event {
	if in.dialect != diag.Google || e == nil || in.on == diag.Response {
		return e
	}
	a := new(*e)
	tables().event.Copy(a, &noEvent, absentInAnswer(e))
	a.Attendees = answeredWithDefaults(a.Attendees)
	for _, t := range [...]**Time{&a.Start, &a.End, &a.OriginalStartTime} {
		if *t != nil {
			*t = answeredTime(in, *t)
		}
	}
	return a
}

// absentInAnswer returns the members of e that the public service omits from its responses: empty strings and lists, and some
// defaults.
func absentInAnswer(e *Event) object.Set {
	return tables().omitted &^ (tables().event.ChangedValue(&noEvent, e, tables().omitted) & tables().event.ChangedValue(&tables().defaults, e, tables().omitted))
}

// answeredTime returns t with an offset and a zone but without a fraction of a second, or t itself if it is not a known
// instant.
func answeredTime(in *input, t *Time) *Time {
	p := parseTime(t)
	if p.form != timed || !p.known {
		return t
	}
	shown, own := answerZone(in), in.zoneOf(t)
	if shown == nil && p.civil.HasOffset && p.civil.Nanosecond == 0 && p.beyond == "" && own == t.TimeZone {
		return t // already in the service's form
	}
	with := new(*t)
	with.DateTime, with.TimeZone = p.dateTimeIn(shown), own
	return with
}

// zoneOf returns the name of a date-time's zone. If the client sent no zone, zoneOf returns the calendar's zone, or ""
// if unknown.
func (in *input) zoneOf(t *Time) string {
	if t.TimeZone == "" && in.req.Calendar != nil {
		return in.req.Calendar.TimeZone
	}
	return t.TimeZone
}

// dateTimeIn returns a known time as a dateTime with the offset of the zone shown or, if shown is nil, of the time's own zone.
func (p *parsedTime) dateTimeIn(shown *time.Location) string {
	const clock, offset, day = "2006-01-02T15:04:05", "Z07:00", 24 * time.Hour
	unix, leap := p.second()
	at := time.Unix(unix, 0).In(p.location())
	civil := p.civil.Time().Add(-time.Duration(leap) * time.Second).Format(clock)
	switch {
	case shown != nil && hasFourDigitYear(at.In(shown)):
		at = at.In(shown)
	case p.civil.HasOffset:
		at = at.In(time.FixedZone("", p.civil.Offset))
	case at.Format(clock) != civil:
		at = at.Add(-day) // in a gap between offsets, the earlier offset applies
		return civil + at.Format(offset)
	}
	at = inMinutes(at)
	if text := at.Format(clock); leap > 0 {
		return text[:len(text)-len("59")] + "60" + at.Format(offset)
	}
	return at.Format(clock + offset)
}

// hasFourDigitYear reports whether RFC 3339 can express the date of t.
func hasFourDigitYear(t time.Time) bool { return 0 <= t.Year() && t.Year() <= 9999 }

// inMinutes returns the same instant with an offset in whole minutes, as RFC 3339 requires. Zones that used mean solar
// time before standard time had offsets with seconds.
func inMinutes(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.In(time.FixedZone("", offset-offset%60))
}

// answerZone returns the zone that determines the offsets of all times in a response, or nil if each time keeps its own offset.
func answerZone(in *input) *time.Location {
	var names []string
	if (diag.Get | diag.List | diag.Instances).Has(in.on) {
		name, _ := in.req.Params.Value("timeZone")
		names = append(names, name)
	}
	if in.req.Calendar != nil {
		names = append(names, in.req.Calendar.TimeZone)
	}
	for _, name := range names {
		if in, ok := zone.Load(name); ok {
			return in
		}
	}
	return nil
}

// withServiceDefaults returns a stored event as the public service stores it, with default guest responses and without
// trailing semicolons in the recurrence. In the documents' dialect, withServiceDefaults returns e itself.
func (in *input) withServiceDefaults(e *Event) *Event {
	if in.dialect != diag.Google {
		return e
	}
	attendees, lines := answeredWithDefaults(e.Attendees), withoutLastSemicolons(e.Recurrence)
	if isSameList(attendees, e.Attendees) && isSameList(lines, e.Recurrence) {
		return e
	}
	with := new(*e)
	with.Attendees, with.Recurrence = attendees, lines
	return with
}

// storedOrNil returns the stored event if it is known, and nil otherwise.
func (c *change) storedOrNil() *Event {
	if c.existing == knownEvent {
		return c.stored
	}
	return nil
}

// nextSequence returns the sequence of an event that replaces the stored event, or of a new event if stored is nil. A
// status change increments the sequence according to RFC 5546, but not in the public service.
func nextSequence(in diag.Dialect, stored, next *Event) int64 {
	switch {
	case stored == nil || next.Sequence > stored.Sequence:
		return next.Sequence
	case reschedules(stored, next), in != diag.Google && normalStatus(stored.Status) != normalStatus(next.Status):
		return max(stored.Sequence, stored.Sequence+1) // max guards against overflow
	default:
		return stored.Sequence
	}
}

// reschedules reports whether next differs from stored in start, end or recurrence, ignoring the spelling of times.
func reschedules(stored, next *Event) bool {
	return !sameStart(stored.Start, next.Start) || !sameStart(stored.End, next.End) || !slices.Equal(stored.Recurrence, next.Recurrence)
}

// withoutLastSemicolons returns the lines of a recurrence without trailing semicolons, which the public service ignores, or
// lines itself if no line changes.
func withoutLastSemicolons(lines []string) []string {
	ends := func(line string) bool { return strings.HasSuffix(line, ";") }
	if !slices.ContainsFunc(lines, ends) {
		return lines
	}
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], ";")
	}
	return lines
}

// keepSpelling restores the stored spelling of values that the public service writes differently in responses. A client that
// sends a response back therefore changes nothing.
func keepSpelling(in *input, e *Event) {
	if in.dialect != diag.Google {
		return
	}
	for _, pair := range [...]struct {
		is  **Time
		was *Time
	}{{&e.Start, in.stored.Start}, {&e.End, in.stored.End}, {&e.OriginalStartTime, in.stored.OriginalStartTime}} {
		if *pair.is != pair.was && in.sameAnswer(*pair.is, pair.was) {
			*pair.is = pair.was
		}
	}
	if in.on == diag.Update {
		tables().event.Copy(e, in.stored, absentInAnswer(in.stored)&^in.present)
	}
	e.Attendees = answeredWithDefaults(e.Attendees)
}

// sameAnswer reports whether two date-times are in the same second and zone.
func (in *input) sameAnswer(a, b *Time) bool {
	p, q := parseTime(a), parseTime(b)
	if p.form != timed || q.form != timed || !p.known || !q.known || in.zoneOf(a) != in.zoneOf(b) || !a.extra.IsEmpty() {
		return false
	}
	return p.compareSecond(&q) == 0
}

// answeredWithDefaults returns the attendees, with the default responseStatus for attendees that lack a responseStatus, or
// the list itself if no attendee changes. An empty responseStatus, which is an error, is not replaced.
func answeredWithDefaults(attendees []Attendee) []Attendee {
	kept := attendees
	for i := range attendees {
		if !attendees[i].lacksResponse() || attendees[i].extra.Element() {
			continue
		}
		if isSameList(kept, attendees) {
			kept = append([]Attendee(nil), attendees...)
		}
		kept[i].ResponseStatus = constraint.NeedsAction
	}
	return kept
}

// lacksResponse reports whether the attendee's responseStatus is absent or null.
func (a *Attendee) lacksResponse() bool {
	return a.ResponseStatus == "" && (a.extra.Null("responseStatus") || !a.extra.WasSent("responseStatus"))
}
