package event

import (
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/zone"
)

// In the dialect of the public service, an answer is one that the service gives: it has offsets, answers of guests and
// default reminders that nobody sent. What is stored keeps the client's spelling, and sending an answer back is no change.

// listsException reports whether the list has the stored event because it is a cancelled instance of a series.
func listsException(in *input) bool {
	e := in.stored
	isException := e.Status == constraint.StatusCancelled && e.RecurringEventID != ""
	isOfDeletedSeries := in.req.Series != nil && in.req.Series.Status == constraint.StatusCancelled
	single, _ := in.req.Params.Value("singleEvents")
	return in.dialect == diag.Google && isException && !isOfDeletedSeries && single != "true" && !in.options.ShowDeleted
}

// answered returns e as the public service answers it, and e itself in the documents' dialect. It does not change e.
func answered(in *input, e *Event) *Event {
	if in.dialect != diag.Google || e == nil || in.on == diag.Response {
		return e
	}
	a := new(*e)
	if in.on == diag.Insert && a.Reminders == nil && in.start.form == timed {
		a.Reminders = &Reminders{UseDefault: new(true)}
	}
	a.Attendees = answeredWithDefaults(a.Attendees)
	for _, t := range [...]**Time{&a.Start, &a.End, &a.OriginalStartTime} {
		if *t != nil {
			*t = answeredTime(in, *t)
		}
	}
	return a
}

// answeredTime returns a time with an offset and without a fraction, or t itself if it has no instant.
func answeredTime(in *input, t *Time) *Time {
	p := parseTime(t)
	if p.form != timed || !p.known {
		return t
	}
	shown := answerZone(in)
	if shown == nil && p.civil.HasOffset && p.civil.Nanosecond == 0 && p.beyond == "" {
		return t // as it was sent
	}
	with := new(*t)
	with.DateTime = p.dateTimeIn(shown)
	return with
}

// dateTimeIn returns a known time as a dateTime with the offset of a location, or of its own zone if the location is nil.
func (p *parsedTime) dateTimeIn(shown *time.Location) string {
	const clock, offset, day = "2006-01-02T15:04:05", "Z07:00", 24 * time.Hour
	at, leap := p.second()
	civil := p.civil.Time().Add(-time.Duration(leap) * time.Second).Format(clock)
	switch {
	case shown != nil && hasFourDigitYear(at.In(shown)):
		at = at.In(shown)
	case p.civil.HasOffset:
		at = at.In(time.FixedZone("", p.civil.Offset))
	case at.Format(clock) != civil:
		at = at.Add(-day) // the clock is in a gap: the offset before it applies
		return civil + at.Format(offset)
	}
	at = inMinutes(at)
	if text := at.Format(clock); leap > 0 {
		return text[:len(text)-len("59")] + "60" + at.Format(offset)
	}
	return at.Format(clock + offset)
}

// hasFourDigitYear reports whether RFC 3339 can write the date of t.
func hasFourDigitYear(t time.Time) bool { return 0 <= t.Year() && t.Year() <= 9999 }

// inMinutes returns the instant with an offset in whole minutes, as RFC 3339 has them. Before zones had standard times,
// clocks showed the mean solar time, whose offset has seconds.
func inMinutes(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.In(time.FixedZone("", offset-offset%60))
}

// answerZone returns the zone whose offset the times of an answer have, or nil if each keeps its own.
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

// withServiceDefaults returns a stored event with what the public service adds to it, or e itself in the documents' dialect.
func (in *input) withServiceDefaults(e *Event) *Event {
	if in.dialect != diag.Google {
		return e
	}
	attendees := answeredWithDefaults(e.Attendees)
	if isSameList(attendees, e.Attendees) {
		return e
	}
	with := new(*e)
	with.Attendees = attendees
	return with
}

// keepSpelling keeps the stored spelling of what the public service answers in another one, so that sending an answer back
// is no change.
func keepSpelling(in *input, e *Event) {
	if in.dialect != diag.Google {
		return
	}
	for _, pair := range [...]struct {
		is  **Time
		was *Time
	}{{&e.Start, in.stored.Start}, {&e.End, in.stored.End}, {&e.OriginalStartTime, in.stored.OriginalStartTime}} {
		if *pair.is != pair.was && sameAnswer(*pair.is, pair.was) {
			*pair.is = pair.was
		}
	}
	e.Attendees = answeredWithDefaults(e.Attendees)
	if r := e.Reminders; in.stored.Reminders == nil && r != nil && r.UseDefault != nil && *r.UseDefault && len(r.Overrides) == 0 && r.extra.IsEmpty() {
		e.Reminders = nil
	}
}

// sameAnswer reports whether two timed times are the same second in the same zone.
func sameAnswer(a, b *Time) bool {
	p, q := parseTime(a), parseTime(b)
	if p.form != timed || q.form != timed || !p.known || !q.known || a.TimeZone != b.TimeZone || !a.extra.IsEmpty() {
		return false
	}
	return p.compareSecond(&q) == 0
}

// answeredWithDefaults returns attendees, each with a responseStatus. It returns the list itself if nothing changes.
func answeredWithDefaults(attendees []Attendee) []Attendee {
	kept := attendees
	for i := range attendees {
		if attendees[i].ResponseStatus != "" || attendees[i].extra.Element() {
			continue
		}
		if isSameList(kept, attendees) {
			kept = append([]Attendee(nil), attendees...)
		}
		kept[i].ResponseStatus = constraint.NeedsAction
	}
	return kept
}
