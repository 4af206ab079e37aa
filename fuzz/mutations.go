package fuzz

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// nothing is for a request that already breaks the rule, as a whole.
func nothing(*rapid.T, *draft) diag.Pointer { return "" }

// putting sets a member of the body to a fixed value.
func putting(path diag.Pointer, value any) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		put(d.body, path, cloned(value))
		return path
	}
}

// replaced replaces the value of a member by another one; was is nil if there is none. In the
// pattern, * stands for any element of an array.
func replaced(pattern string, other func(t *rapid.T, was any) any) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := drawIndexes(t, d.body, pattern)
		put(d.body, path, other(t, at(d.body, path)))
		return path
	}
}

// cleared removes a member from the body. In a patch, it becomes null.
func cleared(path diag.Pointer) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		remove(d.body, path)
		return path
	}
}

// within changes the place of the finding.
func within(path diag.Pointer, mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		mutate(t, d)
		return path
	}
}

// inOrder applies all mutations. The finding is that of the last.
func inOrder(mutations ...mutation) mutation {
	return func(t *rapid.T, d *draft) (path diag.Pointer) {
		for _, mutate := range mutations {
			path = mutate(t, d)
		}
		return path
	}
}

// firstSet sets a value in the stored event and in the body before it applies a mutation.
func firstSet(path diag.Pointer, value any, mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.set(path, value)
		return mutate(t, d)
	}
}

// sending sends a query parameter with the values. Without values, it is not sent, whatever the
// body needs.
func sending(name string, values []string, mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.params[name] = append([]string{}, values...)
		return mutate(t, d)
	}
}

// byAnother is for a caller who did not create the event.
func byAnother(mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{Creator: new(false)}
		return mutate(t, d)
	}
}

// ifMatch makes the request conditional on an entity tag that it derives from the stored one.
func ifMatch(of func(tag string) string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.ifMatch = of(d.stored["etag"].(string))
		return ""
	}
}

// isCancelled is for a cancelled event.
func isCancelled(path diag.Pointer, mutate mutation) mutation {
	return within(path, firstSet("/status", cancelled, mutate))
}

// beside is for requests to a calendar about which something is known.
func beside(calendar operation.Calendar, variants []variant) []variant {
	for i := range variants {
		mutate := variants[i].mutate
		variants[i].mutate = func(t *rapid.T, d *draft) diag.Pointer {
			d.calendar = new(calendar) // a copy for each payload
			return mutate(t, d)
		}
	}
	return variants
}

// inConference is for requests that declare support of conference data. The finding is about the
// conference as a whole.
func inConference(variants ...variant) []variant {
	for i := range variants {
		variants[i].mutate = sending("conferenceDataVersion", []string{"1"}, within("/conferenceData", variants[i].mutate))
	}
	return variants
}

// tenYears is a number of days.
const tenYears = 3650

// timed makes the event a single one of an hour in 2026 or later, with a zone and an offset, before
// it applies a mutation.
func timed(path diag.Pointer, mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		start := daysAfter(usualDay, tenYears).Draw(t, "day").Add(time.Duration(rapid.IntRange(0, 23).Draw(t, "hour")) * time.Hour)
		n := notation{zone: ZoneName().Draw(t, "zone"), offset: true, utc: "Z"}
		d.setTimes(timedAt(start, n), timedAt(start.Add(time.Hour), n))
		mutate(t, d)
		return path
	}
}

// allDay makes the event a single one of one day in 2026 or later before it applies a mutation.
func allDay(path diag.Pointer, mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		first := daysAfter(usualDay, tenYears).Draw(t, "first day")
		d.setTimes(allDayAt(t, first), allDayAt(t, first.Add(day)))
		mutate(t, d)
		return path
	}
}

// setTimes sets the times of the event, and removes the recurrence.
func (d *draft) setTimes(start, end moment) {
	tree := encodeTree(&event.Event{Start: start.Time, End: end.Time})
	d.set("/start", tree["start"])
	d.set("/end", tree["end"])
	d.unset("/recurrence")
}

// The functions below draw another value than was, which is nil if there is none.

func oneValue(values ...any) func(*rapid.T, any) any {
	return func(t *rapid.T, _ any) any { return cloned(rapid.SampledFrom(values).Draw(t, "value")) }
}

func longerBy(suffix string) func(*rapid.T, any) any {
	return func(_ *rapid.T, was any) any { return was.(string) + suffix }
}

// unlike draws a text that differs from was.
func unlike(t *rapid.T, was any, g *rapid.Generator[string]) any {
	text := g.Draw(t, "other")
	if text == was {
		return text + "0"
	}
	return text
}

func otherText(t *rapid.T, was any) any    { return unlike(t, was, draw.NonEmptyText(shortText)) }
func otherID(t *rapid.T, was any) any      { return unlike(t, was, ID()) }
func otherLabel(t *rapid.T, was any) any   { return unlike(t, was, draw.Name()) }
func otherURL(t *rapid.T, was any) any     { return unlike(t, was, httpURL(freeText)) }
func otherAddress(t *rapid.T, was any) any { return unlike(t, was, Address()) }

func otherTag(t *rapid.T, was any) any {
	return unlike(t, was, rapid.StringMatching(`(W/)?"[a-z]{1,16}"`))
}

func otherTimestamp(t *rapid.T, was any) any {
	return unlike(t, was, rapid.OneOf(timestamp(), rapid.SampledFrom([]string{"0000-01-01T00:00:00Z", "yesterday"})))
}

func otherContact(t *rapid.T, was any) any {
	return unlike(t, was, rapid.StringMatching(`people/[a-zA-Z0-9_-]{1,12}`))
}

// anyWord draws a word that is not among the documented ones.
func anyWord(t *rapid.T, was any) any { return unlike(t, was, rapid.StringMatching(`x[a-z0-9]{1,20}`)) }

func anyStatusCode(t *rapid.T, was any) any { return unlike(t, was, oneOf(limits.CreateRequestStatus)) }

// flipped returns the other value of a flag that is false if absent, and flippedFromTrue of one
// that is true if absent.
func flipped(_ *rapid.T, was any) any         { return was != true }
func flippedFromTrue(_ *rapid.T, was any) any { return was == false }

// oneMore returns the next number, and 0 after the greatest.
func oneMore(_ *rapid.T, was any) any {
	number, _ := was.(json.Number)
	n, _ := number.Int64()
	if n == math.MaxInt64 {
		return 0
	}
	return n + 1
}

// anyTime draws a start that an instance may have had.
func anyTime(t *rapid.T, _ any) any { return member("start", &event.Event{Start: drawReturnedTime(t)}) }

func anyConference(t *rapid.T, _ any) any {
	return member("conferenceData", &event.Event{ConferenceData: Conference().Draw(t, "conference")})
}

// differing draws one of the values that differs from was.
func differing(t *rapid.T, was any, values []string) any {
	return rapid.SampledFrom(slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == was })).Draw(t, "other")
}

func otherConferenceType(t *rapid.T, was any) any {
	return differing(t, was, []string{addOn, videoMeet})
}

func otherType(t *rapid.T, was any) any { return differing(t, was, typesOfClients) }

func otherBirthday(t *rapid.T, _ any) any {
	return differing(t, typeBirthday, limits.BirthdayType.Values())
}

// otherGuests and otherFiles draw lists that no valid event has.
func otherGuests(t *rapid.T, _ any) any {
	return []any{members{"email": Address().Draw(t, "address")}, members{"email": "another.guest@guests.example.net"}}
}

func otherFiles(t *rapid.T, _ any) any {
	return []any{members{"fileUrl": "https://files.example.net/" + draw.Name().Draw(t, "file")}}
}
