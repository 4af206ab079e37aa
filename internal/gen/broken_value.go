package gen

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// wrong returns a function that draws values that a constraint on the member does not allow.
func (f *field) wrong(c *constraint.Constraint) func(t *draw.T) any {
	low, high := c.Range()
	switch c.Subject {
	case constraint.Count:
		n := above(high)
		return func(t *draw.T) any { return f.elements(int(n(t))) }
	case constraint.Int:
		n := outside(low, high)
		return func(t *draw.T) any { return n(t) }
	}
	text := f.wrongText(c)
	if f.Type == "array of strings" {
		return func(t *draw.T) any { return []any{text(t)} }
	}
	return func(t *draw.T) any { return text(t) }
}

// wrongText draws strings that violate constraint c on the member and no other constraint.
func (f *field) wrongText(c *constraint.Constraint) draw.Generator[string] {
	low, high := c.Range()
	switch {
	case c.Values() != nil:
		return unlisted(c.Values())
	case high < math.MaxInt64 || low > 0:
		return draw.Map(wrongLength(c), func(text string) string {
			if !f.allows(text, c) {
				text = strings.Repeat("a", len([]rune(text)))
			}
			return text
		})
	case wrongForms()[c.Name] != nil:
		return wrongForms()[c.Name]
	default:
		return draw.SampledFrom(f.almost(c))
	}
}

// almost returns strings that violate only constraint c: near misses of an allowed value, and values that the member's other
// constraints allow.
func (f *field) almost(c *constraint.Constraint) []string {
	near := f.sampleText()
	texts := []string{otherCase(near), near + " ", " " + near, near + "\n", near + "," + near, near[:len(near)-1], near + "x", "x", "?", "a b", "\x00", "🎂", ""}
	for _, other := range f.Constraints {
		texts = append(texts, other.Values...)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return c.Has(text) || !f.allows(text, c) })
}

func outside(low, high int64) draw.Generator[int64] {
	switch {
	case low == math.MinInt64:
		return above(high)
	case high == math.MaxInt64:
		return below(low)
	default:
		return draw.OneOf(below(low), above(high))
	}
}

func below(low int64) draw.Generator[int64] {
	return draw.OneOf(draw.Just(low-1), draw.Int64Range(-1<<40, low-1), draw.Just[int64](math.MinInt64))
}

// above draws integers greater than high, up to a hundred times high if high is small, because the integer may be used as an
// element count.
func above(high int64) draw.Generator[int64] {
	if high < 1000 {
		return draw.OneOf(draw.Just(high+1), draw.Int64Range(high+1, 100*high))
	}
	return draw.OneOf(draw.Just(high+1), draw.Int64Range(high+1, math.MaxInt64))
}

// wrongParam draws strings that a parameter does not allow.
func wrongParam(p operation.Param) draw.Generator[string] {
	switch p.Type {
	case "boolean":
		return draw.Sampled("1", "0", "-1", "True", "FALSE", "yes", "null", "", " true", "false\n", `"true"`, "true,false")
	case "enum":
		return unlisted(p.Values)
	default:
		low, high := int64(math.MinInt64), int64(math.MaxInt64)
		if p.Min != nil {
			low = *p.Min
		}
		if p.Max != nil {
			high = *p.Max
		}
		return draw.OneOf(draw.Map(outside(low, high), func(n int64) string { return strconv.FormatInt(n, 10) }),
			draw.Sampled("1.0", "1e0", "0x1", "one", "", "null", "１", "-0", "01", "+1", " 1", "1 ", "0\n", "18446744073709551617"))
	}
}

func unlisted(listed []string) draw.Generator[string] {
	first := listed[0]
	return draw.OneOf(
		draw.StringMatching(`x[a-z]{0,12}`),
		draw.Map(draw.SampledFrom(listed), otherCase),
		draw.Sampled(first+" ", " "+first, first+"\n", first+","+first, ""),
	)
}

func otherCase(text string) string {
	if first := strings.ToUpper(text[:1]); first != text[:1] {
		return first + text[1:]
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// wrongLength draws strings that are too long or too short, by one character or by many.
func wrongLength(c *constraint.Constraint) draw.Generator[string] {
	low, high := c.Range()
	var lengths []draw.Generator[int]
	if high < math.MaxInt64 {
		lengths = append(lengths, draw.Just(int(high)+1), draw.Just(int(high)+1), draw.Around(2*int(high), 100*int(high)))
	}
	if low > 0 {
		lengths = append(lengths, draw.Just(int(low)-1), draw.IntRange(0, int(low)-1))
	}
	length := draw.OneOf(lengths...)
	return func(t *draw.T) string {
		piece := draw.One(t, "characters", "a", "🎂", "ab c.")
		return draw.Cycle([]byte(piece), length(t))
	}
}

// otherThan draws a value that does not have the given JSON type. The value may be a number that is not a 64-bit integer,
// because no member has such a type.
func otherThan(kind string, t *draw.T) any {
	values := map[string][]any{
		"string": {"5"}, "number": {5}, "boolean": {true}, "array": {[]any{}, []any{members{"a": 1}}},
		"object": {members{}, members{"a": "b"}}, "fraction": {1.5, -1e300},
	}
	delete(values, kind)
	kinds := slices.Sorted(maps.Keys(values))
	return draw.One(t, "value", values[draw.One(t, "type", kinds...)]...)
}

func joined(parts ...draw.Generator[string]) draw.Generator[string] {
	return func(t *draw.T) string {
		var text strings.Builder
		for _, part := range parts {
			text.WriteString(part(t))
		}
		return text.String()
	}
}
