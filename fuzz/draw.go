package fuzz

import (
	"slices"
	"sync"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/limits"
)

// kept returns a function that makes the generator for an argument once and keeps it: to make
// one for each draw takes longer than to draw. The arguments have to be few.
func kept[K comparable, V any](make func(K) *rapid.Generator[V]) func(K) *rapid.Generator[V] {
	var made sync.Map
	return func(key K) *rapid.Generator[V] {
		g, ok := made.Load(key)
		if !ok {
			g, _ = made.LoadOrStore(key, make(key))
		}
		return g.(*rapid.Generator[V])
	}
}

var boolean = rapid.Bool()

// maybe draws whether something is there: not at first, so that shrinking takes it away.
func maybe(t *rapid.T, label string) bool { return boolean.Draw(t, label) }

// seldom is [maybe] for what should not fill most events.
func seldom(t *rapid.T, label string) bool {
	return oneInEight.Draw(t, label) == 7
}

var oneInEight = rapid.IntRange(0, 7)

// optional draws a value of g or, at first, the zero value.
func optional[V any](t *rapid.T, label string, g *rapid.Generator[V]) (v V) {
	if maybe(t, label) {
		v = g.Draw(t, label)
	}
	return v
}

// pointer draws a value of g that is present, or at first nil.
func pointer[V any](t *rapid.T, label string, g *rapid.Generator[V]) *V {
	if !maybe(t, label) {
		return nil
	}
	v := g.Draw(t, label)
	return &v
}

// built makes a generator of a pointer from a function that draws what it points to.
func built[V any](draw func(t *rapid.T, v *V)) *rapid.Generator[*V] {
	return rapid.Custom(func(t *rapid.T) *V {
		v := new(V)
		draw(t, v)
		return v
	})
}

// oneOf draws a member of an enumeration but for those left out.
func oneOf(e limits.Enum, without ...string) *rapid.Generator[string] {
	return rapid.SampledFrom(slices.DeleteFunc(e.Values(), func(value string) bool {
		return slices.Contains(without, value)
	}))
}

// What the enumerations of the documents are drawn by.
var (
	anyStatus           = oneOf(limits.Status)
	anyTransparency     = oneOf(limits.Transparency)
	anyVisibility       = oneOf(limits.Visibility)
	anyResponse         = oneOf(limits.ResponseStatus)
	anyAutoDeclineMode  = oneOf(limits.AutoDeclineMode)
	anyChatStatus       = oneOf(limits.ChatStatus)
	anyPlace            = oneOf(limits.WorkingLocationType)
	anyReminderMethod   = oneOf(limits.ReminderMethod)
	anyGadgetDisplay    = oneOf(limits.GadgetDisplay)
	anyAsyncOperation   = oneOf(limits.AsyncOperation)
	anyRequestStatus    = oneOf(limits.CreateRequestStatus)
	anyBirthdayType     = oneOf(limits.BirthdayType)
	anyEventType        = oneOf(limits.EventType)
	anyConferenceToMake = oneOf(limits.ConferenceSolutionType, limits.ConferenceSolutionDeprecated.Values()...)
)

// around draws a number from low to high, both included: mostly a small one, and often high
// or the number before it, where a limit is kept or just not.
func around(low, high int) *rapid.Generator[int] { return keptAround([2]int{low, high}) }

var keptAround = kept(func(bounds [2]int) *rapid.Generator[int] { return newAround(bounds[0], bounds[1]) })

// newAround makes what [around] keeps.
func newAround(low, high int) *rapid.Generator[int] {
	const small = 3
	return rapid.OneOf(
		rapid.IntRange(low, min(low+small, high)),
		rapid.SampledFrom([]int{low, max(low, high-1), high}),
		rapid.IntRange(low, high),
	)
}

// list draws up to most elements, and most of them often.
func list[V any](t *rapid.T, label string, most int, g *rapid.Generator[V]) []V {
	n := around(0, most).Draw(t, "number of "+label)
	return rapid.SliceOfN(g, n, n).Draw(t, label)
}

// repeated draws a text of n characters. Only its first few are drawn: long texts are to be
// long, and drawing each character would take its time and tell no more.
func repeated(t *rapid.T, label string, character *rapid.Generator[rune], n int) string {
	const drawn = 12
	if n == 0 {
		return ""
	}
	pattern := rapid.SliceOfN(character, 1, min(n, drawn)).Draw(t, label)
	text := make([]rune, n)
	for i := range text {
		text[i] = pattern[i%len(pattern)]
	}
	return string(text)
}
