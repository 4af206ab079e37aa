// Package draw has the helpers that the generators of calendar requests and of database requests
// share. They follow two rules: what is drawn first, and what a draw shrinks to, is the smallest
// value; and a generator is made when a caller first asks for it, so that importing the
// packages costs nothing.
package draw

import (
	"maps"
	"sync"
	"sync/atomic"

	"pgregory.net/rapid"
)

// Lazy returns a function that makes a generator at its first call, and returns the same one
// at every call.
func Lazy[V any](create func() *rapid.Generator[V]) func() *rapid.Generator[V] {
	return sync.OnceValue(func() *rapid.Generator[V] { return named(create()) })
}

// Sampled is [Lazy] for a generator of one of the values.
func Sampled[V any](values ...V) func() *rapid.Generator[V] {
	return Lazy(func() *rapid.Generator[V] { return rapid.SampledFrom(values) })
}

// Matching is [Lazy] for a generator of texts that match a regular expression.
func Matching(expr string) func() *rapid.Generator[string] {
	return Lazy(func() *rapid.Generator[string] { return rapid.StringMatching(expr) })
}

// Custom is [Lazy] for a generator that is a function.
func Custom[V any](draw func(t *rapid.T) V) func() *rapid.Generator[V] {
	return Lazy(func() *rapid.Generator[V] { return rapid.Custom(draw) })
}

// Keyed is [Lazy] for a family of generators: it makes one for each argument. There must be few
// different arguments, because it keeps all generators.
func Keyed[K comparable, V any](create func(K) *rapid.Generator[V]) func(K) *rapid.Generator[V] {
	var one sync.Mutex // makes a generator at a time
	var made atomic.Pointer[map[K]*rapid.Generator[V]]
	made.Store(new(map[K]*rapid.Generator[V]))
	return func(key K) *rapid.Generator[V] {
		if g := (*made.Load())[key]; g != nil {
			return g
		}
		g := named(create(key)) // which may ask for another one
		one.Lock()
		defer one.Unlock()
		more := map[K]*rapid.Generator[V]{key: g}
		maps.Copy(more, *made.Load())
		made.Store(&more)
		return more[key]
	}
}

// named returns g after rapid has named it. Rapid names a generator when it first draws a list of
// its values, and does not synchronize that with other draws. A generator that goroutines
// share must therefore have its name before the first draw.
func named[V any](g *rapid.Generator[V]) *rapid.Generator[V] {
	_ = g.String()
	return g
}

// Boolean draws false or true.
var Boolean = Lazy(rapid.Bool)

// Maybe draws whether something is present: at first it is not, so that shrinking removes it.
func Maybe(t *rapid.T, label string) bool { return Boolean().Draw(t, label) }

// Seldom is [Maybe] for what only a few values have.
func Seldom(t *rapid.T, label string) bool {
	return oneInEight().Draw(t, label) == 7
}

var oneInEight = Lazy(func() *rapid.Generator[int] { return rapid.IntRange(0, 7) })

// Optional draws a value of g or, at first, the zero value.
func Optional[V any](t *rapid.T, label string, g *rapid.Generator[V]) (v V) {
	if Maybe(t, label) {
		v = g.Draw(t, label)
	}
	return v
}

// Pointer draws a pointer to a value of g or, at first, nil.
func Pointer[V any](t *rapid.T, label string, g *rapid.Generator[V]) *V {
	if !Maybe(t, label) {
		return nil
	}
	v := g.Draw(t, label)
	return &v
}

// Built is [Custom] for pointers, with a function that draws what they point to.
func Built[V any](fill func(t *rapid.T, v *V)) func() *rapid.Generator[*V] {
	return Custom(func(t *rapid.T) *V {
		v := new(V)
		fill(t, v)
		return v
	})
}

// List draws at most limit elements, and often exactly that many. It returns nil if it draws
// none.
func List[V any](t *rapid.T, label string, limit int, g *rapid.Generator[V]) []V {
	const drawn = 5
	n := Around(0, limit).Draw(t, "number of "+label)
	if n == 0 {
		return nil
	}
	return cycle(rapid.SliceOfN(g, 1, drawn).Draw(t, label), n)
}

// cycle returns n values: the given ones, repeated. Drawing every element of a long list takes
// time and finds no more. The result also shrinks well, because rapid can lower n and remove
// values independently, as long as drawing the values does not depend on n.
func cycle[V any](values []V, n int) []V {
	all := make([]V, n)
	for i := range all {
		all[i] = values[i%len(values)]
	}
	return all
}
