package expand

import (
	"testing"

	"pgregory.net/rapid"
)

// TestDayBits compares a set of days with a list of booleans.
func TestDayBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b dayBits
		var model [64 * len(b)]bool
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			i := rapid.IntRange(0, 365).Draw(t, "day")
			if rapid.Bool().Draw(t, "one") {
				b.add(i)
				model[i] = true
				continue
			}
			n := min(rapid.IntRange(1, 32).Draw(t, "days"), len(model)-i)
			w := rapid.Uint64Range(0, 1<<n-1).Draw(t, "bits")
			b.addBits(i, w)
			for k := range n {
				model[i+k] = model[i+k] || w>>k&1 != 0
			}
		}
		checkDayBits(t, &b, model[:])
	})
}

func checkDayBits(t *rapid.T, b *dayBits, model []bool) {
	n := 0
	for i, in := range model {
		if b.has(i) != in || b.countBefore(i) != n {
			t.Fatalf("day %d: %t, %d before; want %t, %d", i, b.has(i), b.countBefore(i), in, n)
		}
		if in {
			if b.nth(n) != i || b.next(i) != i {
				t.Fatalf("day %d is number %d; number %d is %d, and the next from %d on %d", i, n, n, b.nth(n), i, b.next(i))
			}
			n++
		}
	}
	if b.count() != n || b.countBefore(len(model)) != n {
		t.Fatalf("%d days, %d before the end, want %d", b.count(), b.countBefore(len(model)), n)
	}
	next := -1
	for i := len(model) - 1; i >= 0; i-- {
		if model[i] {
			next = i
		}
		if b.next(i) != next {
			t.Fatalf("the next day from %d on is %d, want %d", i, b.next(i), next)
		}
	}
	i, width := rapid.IntRange(0, len(model)-1).Draw(t, "extract"), rapid.IntRange(1, 32).Draw(t, "width")
	for k, w := 0, b.extract(i, width); k < 64; k, w = k+1, w>>1 {
		if in := k < width && i+k < len(model) && model[i+k]; w&1 != 0 != in {
			t.Fatalf("extract(%d, %d): bit %d is wrong", i, width, k)
		}
	}
}
