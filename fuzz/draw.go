package fuzz

import (
	"math"
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
			g, _ = made.LoadOrStore(key, named(make(key)))
		}
		return g.(*rapid.Generator[V])
	}
}

var boolean = named(rapid.Bool())

// maybe draws whether something is there: not at first, so that shrinking takes it away.
func maybe(t *rapid.T, label string) bool { return boolean.Draw(t, label) }

// seldom is [maybe] for what should not fill most events.
func seldom(t *rapid.T, label string) bool {
	return oneInEight.Draw(t, label) == 7
}

var oneInEight = named(rapid.IntRange(0, 7))

// named returns g, which rapid has named. It names a generator when a list of its values is first
// drawn, and pays no heed to who else draws from it at that moment: one that everybody shares is
// named before anybody draws.
func named[V any](g *rapid.Generator[V]) *rapid.Generator[V] {
	_ = g.String()
	return g
}

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
func oneOf(e *limits.Constraint, without ...string) *rapid.Generator[string] {
	return rapid.SampledFrom(slices.DeleteFunc(e.Values(), func(value string) bool {
		return slices.Contains(without, value)
	}))
}

// What the enumerations of the documents are drawn by.
var (
	anyStatus           = named(oneOf(limits.EventStatus))
	anyTransparency     = named(oneOf(limits.Transparency))
	anyVisibility       = named(oneOf(limits.Visibility))
	anyResponse         = named(oneOf(limits.ResponseStatus))
	anyAutoDeclineMode  = named(oneOf(limits.AutoDeclineMode))
	anyChatStatus       = named(oneOf(limits.ChatStatus))
	anyPlace            = named(oneOf(limits.WorkingLocationType))
	anyReminderMethod   = named(oneOf(limits.ReminderMethod))
	anyGadgetDisplay    = named(oneOf(limits.GadgetDisplay))
	anyAsyncOperation   = named(oneOf(limits.AsyncOperation))
	anyRequestStatus    = named(oneOf(limits.CreateRequestStatus))
	anyBirthdayType     = named(oneOf(limits.BirthdayType))
	anyEventType        = named(oneOf(limits.EventType))
	anyConferenceToMake = named(oneOf(limits.ConferenceType, limits.DeprecatedConferenceType.Values()...))
)

// around draws a number from low to high, both included: mostly a small one, and often high
// or the number before it, where a limit is kept or just not.
func around(low, high int) *rapid.Generator[int] { return keptAround([2]int{low, high}) }

var keptAround = kept(func(bounds [2]int) *rapid.Generator[int] { return newAround(bounds[0], bounds[1]) })

// newAround makes what [around] keeps. It draws from a longer range, of which all that is too
// high stands for the two greatest: one number that grows with what it stands for is what
// rapid shrinks best, and it prefers small ones.
func newAround(low, high int) *rapid.Generator[int] {
	span := int64(high) - int64(low)
	return rapid.Map(upTo(2*span), func(n int64) int {
		switch {
		case n > span+span/2:
			return high
		case n > span:
			return max(low, high-1)
		default:
			return int(int64(low) + n)
		}
	})
}

// upTo draws a number from 0 to most, most of them small. The greatest number of a range is the
// one that rapid cannot shrink step by step, because it draws no bits for it: here it stands for 0.
func upTo(most int64) *rapid.Generator[int64] {
	return rapid.Map(rapid.Int64Range(0, most+1), func(n int64) int64 {
		if n > most {
			return 0
		}
		return n
	})
}

// integer draws an integer of at least low, of those that the documents set no upper limit to: at
// times one at the end of a type that some reader may keep it in, the greatest included.
func integer(low int64) *rapid.Generator[int64] { return keptInteger(low) }

var keptInteger = kept(func(low int64) *rapid.Generator[int64] {
	from := rapid.Map(upTo(1<<62), func(n int64) int64 { return low + n })
	return rapid.OneOf(
		from, from, from,
		rapid.SampledFrom([]int64{low, low + 1, 1<<31 - 1, 1 << 31, 1 << 32, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}),
	)
})

// list draws up to most elements, and most of them often; nil where it draws none.
func list[V any](t *rapid.T, label string, most int, g *rapid.Generator[V]) []V {
	const drawn = 5
	n := around(0, most).Draw(t, "number of "+label)
	if n == 0 {
		return nil
	}
	return cycle(rapid.SliceOfN(g, 1, drawn).Draw(t, label), n)
}

// cycle returns the first n of the values, which begin again where they end. What is long is
// to be long, and drawing all of it would take its time and tell no more. It shrinks well too,
// because rapid can lower n and remove values one without the other: that holds only where
// the drawing of the values does not depend on n.
func cycle[V any](values []V, n int) []V {
	all := make([]V, n)
	for i := range all {
		all[i] = values[i%len(values)]
	}
	return all
}

// repeated draws a text of n characters, of which only the first few are drawn.
func repeated(t *rapid.T, label string, character *rapid.Generator[rune], n int) string {
	const drawn = 9
	return string(cycle(rapid.SliceOfN(character, 1, drawn).Draw(t, label), n))
}
