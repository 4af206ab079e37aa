package gen

import (
	"math"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen/draw"
)

// badValue is a kind of wrong value: the name of the variant, and the values, in the types of
// [members].
type badValue struct {
	name  string
	value func(d *draft) any
}

// just is a fixed value.
func just(name string, value any) badValue {
	return badValue{name, func(*draft) any { return cloned(value) }}
}

// anyOf is one of several values.
func anyOf(name string, values ...any) badValue {
	return badValue{name, func(d *draft) any { return cloned(draw.One(d.T, "value", values...)) }}
}

// drawnAs is a value of a generator.
func drawnAs[V any](name string, g draw.Generator[V]) badValue {
	return badValue{name, func(d *draft) any { return g.Draw(d.T, "value") }}
}

// target puts a drawn value into the draft, and returns the place of the finding.
type target = func(d *draft, value func() any) diag.Pointer

// each returns a variant for each of the values, which it puts into the target.
func (v variant) each(in target, values ...badValue) []variant {
	variants := make([]variant, len(values))
	for i, bad := range values {
		variants[i] = v.with(bad.name, func(d *draft) {
			d.Place = in(d, func() any { return bad.value(d) })
		})
	}
	return variants
}

// unlisted are texts that are not among the listed values.
func unlisted(listed []string) []badValue {
	first := listed[0]
	return []badValue{
		drawnAs("a word that is not listed", draw.StringMatching(`x[a-z]{0,12}`)),
		drawnAs("another case", draw.Map(draw.SampledFrom(listed), otherCase)),
		anyOf("with a blank", first+" ", " "+first, first+"\n"),
		just("two values in one", first+","+first),
		just("the empty text", ""),
	}
}

// drawIndexes replaces each * of a path by the index of an element.
func drawIndexes(t *draw.T, tree members, pattern string) diag.Pointer {
	before, after, starred := strings.Cut(pattern, "*")
	for starred {
		list, _ := At(tree, diag.Pointer(strings.TrimSuffix(before, "/"))).([]any)
		if len(list) == 0 {
			panic("fuzz: there is no element in " + before)
		}
		i := draw.Int(t, "index", 0, len(list)-1)
		var next string
		next, after, starred = strings.Cut(after, "*")
		before += strconv.Itoa(i) + next
	}
	return diag.Pointer(before)
}

// otherCase changes the case of the first letter.
func otherCase(text string) string {
	if first := strings.ToUpper(text[:1]); first != text[:1] {
		return first + text[1:]
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// longerThan are texts with more characters than the limit.
func longerThan(limit int) []badValue {
	return []badValue{
		drawnAs("one character over", draw.Map(draw.Text(limit), func(s string) string { return padded(s, limit+1) })),
		just("one over, in characters of four bytes", strings.Repeat("🎂", limit+1)),
		drawnAs("far too long", draw.Map(draw.Around(2*limit, 100*limit), func(n int) string { return strings.Repeat("a", n) })),
	}
}

// padded returns the text, repeated and cut to exactly n characters.
func padded(text string, n int) string { return draw.Cycle([]byte(text+"a"), n) }

// far is a distance from a limit.
const far = 1000

// below are integers less than the least allowed one, if there is one.
func below(low int64) []badValue {
	if low == math.MinInt64 {
		return nil
	}
	return []badValue{
		just("one below", low-1),
		drawnAs("far below", draw.Int64Range(-1<<40, low-far)),
		just("the least integer", int64(math.MinInt64)),
	}
}

// above are integers greater than the greatest allowed one, if there is one.
func above(high int64) []badValue {
	if high == math.MaxInt64 {
		return nil
	}
	values := []badValue{just("one above", high+1), just("the greatest integer", int64(math.MaxInt64))}
	if low := max(10*high, far); high < 1<<32 {
		values = append(values, drawnAs("far above", draw.Int64Range(low, 1<<40)))
	}
	return values
}
