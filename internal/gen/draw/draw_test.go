package draw_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/draw/rapidgen"
)

// drawn returns values of many seeds.
func drawn[V any](g draw.Generator[V]) (values []V) {
	for seed := range uint64(3000) {
		values = append(values, g.Draw(draw.Seeded(seed), "value"))
	}
	return values
}

// TestNumbers checks that a seed draws from all of a range and nothing else, and often its ends.
func TestNumbers(t *testing.T) {
	for name, test := range map[string]struct {
		g         draw.Generator[int]
		low, high int
		often     []int
	}{
		"one":            {draw.IntRange(5, 5), 5, 5, []int{5}},
		"few":            {draw.IntRange(-2, 9), -2, 9, []int{-2, 0, 9}},
		"below 0":        {draw.IntRange(-300, -7), -300, -7, []int{-7}},
		"many":           {draw.IntRange(0, 1<<30), 0, 1 << 30, []int{0, 1}},
		"around few":     {draw.Around(0, 5), 0, 5, []int{0, 4, 5}},
		"around many":    {draw.Around(1, 8192), 1, 8192, []int{1, 8191, 8192}},
		"around nothing": {draw.Around(3, 3), 3, 3, []int{3}},
		"evenly":         {draw.Evenly(70), 0, 69, []int{0, 35, 69}},
		"int":            {func(t *draw.T) int { return draw.Int(t, "n", 2, 4) }, 2, 4, []int{2, 3, 4}},
		"one of":         {func(t *draw.T) int { return draw.One(t, "n", 7, 3) }, 3, 7, []int{3, 7}},
	} {
		t.Run(name, func(t *testing.T) {
			values := drawn(test.g)
			if low, high := slices.Min(values), slices.Max(values); low < test.low || high > test.high {
				t.Errorf("from %d to %d, outside of %d to %d", low, high, test.low, test.high)
			}
			for _, n := range test.often {
				if !slices.Contains(values, n) {
					t.Errorf("%d is not drawn", n)
				}
			}
		})
	}
}

// TestMatching checks that texts match their pattern, for a seed and with rapid.
func TestMatching(t *testing.T) {
	for _, expr := range []string{
		"", "a", "abc|d|", "[a-z0-9]{5,26}(_R?2026(T09)?)?", "(é|[^\\x00-\\x{10fffe}])*x+", "(?i)kalender", "[aA]b?", "a{3}", "a{2,}",
	} {
		t.Run(expr, func(t *testing.T) {
			g, want := draw.StringMatching(expr), regexp.MustCompile("^(?:"+expr+")$")
			texts := drawn(g)
			for _, text := range texts {
				if !want.MatchString(text) {
					t.Fatalf("drew %q", text)
				}
			}
			if distinct := len(slices.Compact(slices.Sorted(slices.Values(texts)))); distinct < 2 && strings.ContainsAny(expr, "|?*+i,") {
				t.Errorf("drew only %q", texts[0])
			}
			rapid.Check(t, func(t *rapid.T) {
				if text := rapidgen.Of(g).Draw(t, "text"); !want.MatchString(text) {
					t.Fatalf("drew %q", text)
				}
			})
		})
	}
}

// TestTexts checks the lengths of texts, and that all kinds of characters are drawn.
func TestTexts(t *testing.T) {
	const limit = 40
	lengths, ascii := map[int]bool{}, 0
	for _, text := range drawn(draw.NonEmptyText(limit)) {
		if !utf8.ValidString(text) {
			t.Errorf("%q is not UTF-8", text)
		}
		lengths[utf8.RuneCountInString(text)] = true
		if len(text) == utf8.RuneCountInString(text) {
			ascii++
		}
	}
	if lengths[0] || !lengths[1] || !lengths[limit-1] || !lengths[limit] || len(lengths) > limit {
		t.Errorf("the lengths are %v", lengths)
	}
	if ascii < 1000 || ascii > 2900 {
		t.Errorf("of 3000 texts, %d are of ASCII", ascii)
	}
}

// TestCycle compares with a slow way to repeat a text.
func TestCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.StringN(1, 5, -1).Draw(t, "piece")
		n := rapid.IntRange(0, 40).Draw(t, "characters")
		want := string([]rune(strings.Repeat(piece, n))[:n])
		if got := draw.Cycle([]byte(piece), n); got != want {
			t.Fatalf("%q, not %q", got, want)
		}
	})
}

// TestLists checks the lengths of lists, and that elements which must differ do.
func TestLists(t *testing.T) {
	lengths := map[int]int{}
	for _, list := range drawn(draw.SliceOfNDistinct(draw.IntRange(0, 9), 1, 4, draw.Same[int])) {
		lengths[len(list)]++
		if sorted := slices.Sorted(slices.Values(list)); len(slices.Compact(sorted)) < len(list) {
			t.Errorf("%v repeats a number", list)
		}
	}
	if len(lengths) != 4 || lengths[1] == 0 || lengths[4] == 0 {
		t.Errorf("the lengths are %v", lengths)
	}
	orders := map[string]bool{}
	for _, list := range drawn(draw.Permutation([]string{"a", "b", "c"})) {
		orders[strings.Join(list, "")] = true
	}
	if len(orders) != 6 {
		t.Errorf("the orders are %v", orders)
	}
}

// TestNothingFits checks that a generator that cannot draw fails instead of drawing for ever.
func TestNothingFits(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("there is no panic")
		}
	}()
	draw.Just(1).Filter(func(int) bool { return false })(draw.Seeded(1))
}

// TestSeedsAreIndependent checks that a mix draws the same payloads for a seed, whichever of them is drawn first.
func TestSeedsAreIndependent(t *testing.T) {
	mix, err := draw.NewMix(0.5, []draw.Generator[string]{draw.Name}, []draw.Generator[string]{draw.Address})
	if err != nil {
		t.Fatal(err)
	}
	var up, down []string
	for i := range 100 {
		up, down = append(up, mix.Payload(7, i)), append(down, mix.Payload(7, 99-i))
	}
	slices.Reverse(down)
	if diff := cmp.Diff(up, down); diff != "" {
		t.Errorf("in another order (-up +down):\n%s", diff)
	}
	if distinct := len(slices.Compact(slices.Sorted(slices.Values(up)))); distinct < 90 {
		t.Errorf("of 100 payloads only %d differ", distinct)
	}
}
