package fuzz

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// wrong is a kind of wrong value for a member: the name of the way, and what to draw. The
// values are as in [members].
type badValue struct {
	name  string
	value *rapid.Generator[any]
}

// leaf lists the ways of breaking a rule by one wrong value: each kind of value in each of the
// places. A place is a path in which * stands for an element of an array, any that is there.
func variantsAt(need variant, places []string, values ...badValue) []variant {
	variants := make([]variant, len(values))
	for i, v := range values {
		w := need
		w.name = v.name
		w.mutate = inOneOf(places, func(t *rapid.T, d *draft, path diag.Pointer) { put(d.body, path, v.value.Draw(t, "value")) })
		variants[i] = w
	}
	return variants
}

// inOneOf makes a function that breaks a rule in one of the places.
func inOneOf(places []string, violate func(*rapid.T, *draft, diag.Pointer)) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := place(t, d.body, rapid.SampledFrom(places).Draw(t, "place"))
		violate(t, d, path)
		return path
	}
}

// place replaces each * of a path by an index that the tree has.
func place(t *rapid.T, tree members, pattern string) diag.Pointer {
	before, after, starred := strings.Cut(pattern, "*")
	for starred {
		list, _ := at(tree, diag.Pointer(strings.TrimSuffix(before, "/"))).([]any)
		if len(list) == 0 {
			panic("fuzz: there is nothing at " + before)
		}
		i := rapid.IntRange(0, len(list)-1).Draw(t, "index")
		var next string
		next, after, starred = strings.Cut(after, "*")
		before += strconv.Itoa(i) + next
	}
	return diag.Pointer(before)
}

// just is a value that is always the same.
func just(name string, value any) badValue { return badValue{name, rapid.Just(value)} }

// anyOf is one of several values.
func anyOf(name string, values ...any) badValue { return badValue{name, rapid.SampledFrom(values)} }

// drawnAs is a value of a generator.
func drawnAs[V any](name string, g *rapid.Generator[V]) badValue { return badValue{name, g.AsAny()} }

// listed lists the ways of breaking a rule by a text that is not one of the values.
func notListed(need variant, places []string, values []string) []variant {
	first := values[0]
	return variantsAt(need, places,
		drawnAs("a word that is not listed", rapid.StringMatching(`x[a-z]{0,12}`)),
		drawnAs("another case", rapid.Map(rapid.SampledFrom(values), otherCase)),
		anyOf("with a blank", first+" ", " "+first, first+"\n"),
		just("two values in one", first+","+first),
		just("the empty text", ""),
	)
}

// only returns the way for some of its occasions.
func (w variant) only(on diag.When) variant {
	if w.on == 0 {
		w.on = withBody
	}
	w.on &= on
	return w
}

// missing lists the ways of leaving out a member that is required: not to send it, or to send
// null, which in a patch stands for something else.
func missing(need variant, places ...string) []variant {
	out, null := need, need.only(diag.Create|diag.Update)
	out.name, null.name = "left out", "null"
	out.mutate = inOneOf(places, func(_ *rapid.T, d *draft, path diag.Pointer) { remove(d.body, path) })
	null.mutate = inOneOf(places, func(_ *rapid.T, d *draft, path diag.Pointer) { put(d.body, path, nil) })
	return []variant{out, null}
}

// otherCase returns the text with its first letter in the other case.
func otherCase(text string) string {
	if first := strings.ToUpper(text[:1]); first != text[:1] {
		return first + text[1:]
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// longerThan is a text with more characters than the limit: by one and by many, of one byte a
// character and of several.
func longerThan(max int) []badValue {
	return []badValue{
		drawnAs("one character over", rapid.Map(Text(max), func(s string) string { return padded(s, max+1) })),
		drawnAs("twice the limit", rapid.Map(Text(max), func(s string) string { return padded(s, 2*max) })),
		just("one over, in characters of four bytes", strings.Repeat("🎂", max+1)),
		just("a hundred times the limit", strings.Repeat("a", 100*max)),
	}
}

// padded returns the text, repeated and cut to exactly n characters.
func padded(text string, n int) string {
	runes := []rune(text + "a")
	long := make([]rune, n)
	for i := range long {
		long[i] = runes[i%len(runes)]
	}
	return string(long)
}

// int64 limits, as JSON numbers.
const (
	greatest = 1<<63 - 1
	least    = -1 << 63
)

// far is how far below a least number, which is 0 or 1, what is called far below begins.
const far = 1000

// below is an integer less than the least that is allowed.
func below(min int64) []badValue {
	return []badValue{
		just("one below", min-1),
		drawnAs("far below", rapid.Int64Range(-1<<40, min-far)),
		just("the least integer", int64(least)),
	}
}

// above is an integer greater than the greatest that is allowed. What is far above begins at ten
// times of it.
func above(max int64) []badValue {
	return []badValue{
		just("one above", max+1),
		drawnAs("far above", rapid.Int64Range(10*max, 1<<40)),
		just("the greatest integer", int64(greatest)),
	}
}

// both runs two preparations.
func both(first, second func(*rapid.T, *event.Event)) preparation {
	return func(t *rapid.T, e *event.Event) {
		first(t, e)
		second(t, e)
	}
}
