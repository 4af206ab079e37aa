package draw

import "math"

// usual is the usual number of elements beyond the minimum, and the number of different elements in a long list.
const usual = 5

// repeat draws from least to most elements. The source can omit any element. The function element draws an element and reports
// whether it is compatible with the earlier elements.
func (t *T) repeat(least, most int, element func() (fits bool)) {
	t.repeatAbout(least, most, min(max(least, usual), most-least-(most-least)/2), element)
}

// repeatAbout is like repeat, but usually draws about average elements more than the minimum.
func (t *T) repeatAbout(least, most, average int, element func() (fits bool)) {
	count, failed := 0, 0
	for goesOn := true; goesOn && failed <= 2*count+usual; {
		t.source.Group("element", func(bit bool) {
			if goesOn = count < most && (bit || t.upTo(uint64(average/2)) > 0 || count < least); !goesOn {
				return
			}
			if element() {
				count++
			} else {
				failed++
			}
		})
	}
	if count < least {
		t.source.Misfit(math.MaxInt)
	}
}

// Some calls the function draw with some of the numbers from 0 to n-1, in any order and without repetition. A source can omit a
// number together with its draws, without changing the other numbers.
func Some(t *T, n int, draw func(i int)) {
	drawn := make([]bool, n)
	t.repeatAbout(0, n, n/2, func() (fits bool) {
		i := t.index(n)
		if drawn[i] {
			return false
		}
		drawn[i] = true
		draw(i)
		return true
	})
}

// SliceOfN returns a generator of slices with least to most elements.
func SliceOfN[V any](element Generator[V], least, most int) Generator[[]V] {
	return func(t *T) (list []V) {
		t.repeat(least, most, func() bool {
			list = append(list, element.Draw(t, "element"))
			return true
		})
		return list
	}
}

// SliceOfNDistinct returns a generator of slices with least to most elements, all with different keys.
func SliceOfNDistinct[V any, K comparable](element Generator[V], least, most int, key func(V) K) Generator[[]V] {
	return func(t *T) (list []V) {
		t.repeat(least, most, func() bool {
			v := element.Draw(t, "element")
			for i := range list {
				if key(list[i]) == key(v) {
					return false
				}
			}
			list = append(list, v)
			return true
		})
		return list
	}
}

// Same returns v. Same is the key function for values that are compared directly.
func Same[V any](v V) V { return v }

// MapOfN returns a generator of maps with up to most entries.
func MapOfN[V any](name Generator[string], value Generator[V], most int) Generator[map[string]V] {
	return func(t *T) map[string]V {
		all := map[string]V{}
		t.repeat(0, most, func() bool {
			key, v := name.Draw(t, "name"), value.Draw(t, "value")
			if _, stands := all[key]; stands {
				return false
			}
			all[key] = v
			return true
		})
		return all
	}
}

// Permutation returns a generator of permutations of the values.
func Permutation[V any](values []V) Generator[[]V] {
	return func(t *T) []V {
		list := append([]V(nil), values...)
		for i := range len(list) - 1 {
			j := i + t.index(len(list)-i)
			list[i], list[j] = list[j], list[i]
		}
		return list
	}
}

// List draws at most limit elements, and often exactly that many. List returns nil if it draws no elements.
func List[V any](t *T, label string, limit int, g Generator[V]) []V {
	n := Around(0, limit).Draw(t, label)
	if n == 0 {
		return nil
	}
	return cycle(SliceOfN(g, 1, usual).Draw(t, label), n)
}

// cycle returns n values by repeating the given values. Drawing every element of a long list would take time without
// finding more bugs. The result also shrinks well: a source can lower n and remove values independently, as long as the
// draws of the values do not depend on n.
func cycle[V any](values []V, n int) []V {
	all := make([]V, n)
	for i := range all {
		all[i] = values[i%len(values)]
	}
	return all
}
