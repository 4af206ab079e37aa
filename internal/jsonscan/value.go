package jsonscan

import (
	"bytes"
	"iter"

	"github.com/calrules/calrules/internal/constraint"
)

// A Value is a valid JSON value, without white space around it. The zero Value represents the absence of a value.
type Value struct {
	Text  []byte
	spans []span // the spans of the array or object and of everything in it, in order; nil if unknown
}

// A span contains the length of an array or object in bytes, and the number of spans within it, including its own span.
type span struct{ length, count int }

// Of returns the value in valid JSON text.
func Of(text []byte) Value { return Value{Text: bytes.TrimSpace(text)} }

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { return len(v.Text) > 0 && v.Text[0] == '{' }

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return v.Text[0] == 'n' }

// IsString reports whether the value is a string.
func (v Value) IsString() bool { return v.Text[0] == '"' }

// Members yields the members of an object. For any other value, Members yields nothing. Skipping a member takes time
// proportional to the member's length, unless the value comes from an [Index].
func (v Value) Members() iter.Seq2[Name, Value] {
	return func(yield func(Name, Value) bool) {
		if !v.IsObject() {
			return
		}
		c := cursor{text: v.Text, at: 1}
		if v.spans != nil {
			c.spans = v.spans[1:]
		}
		for c.more() {
			if !yield(c.name(), c.value()) {
				return
			}
		}
	}
}

// Member returns the value of the first member with the given name in an object, or the zero Value if there is none.
func (v Value) Member(name string) Value {
	for other, value := range v.Members() {
		if string(Unquote(other)) == name {
			return value
		}
	}
	return Value{}
}

// Elements yields the elements of an array. For any other value, Elements yields nothing.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if len(v.Text) == 0 || v.Text[0] != '[' {
			return
		}
		c := cursor{text: v.Text, at: 1}
		if v.spans != nil {
			c.spans = v.spans[1:]
		}
		for c.more() {
			if !yield(c.value()) {
				return
			}
		}
	}
}

// A cursor reads the members of an object or the elements of an array.
type cursor struct {
	text  []byte
	at    int
	spans []span // the spans after at
}

// more skips separators, and reports whether there is another member or element.
func (c *cursor) more() bool {
	c.at = skipSeparators(c.text, c.at)
	return !isClosing(c.text[c.at])
}

// name reads a name and the following colon.
func (c *cursor) name() Name {
	start := c.at
	end := stringEnd(c.text, start)
	c.at = skipSeparators(c.text, end)
	return Name(c.text[start:end])
}

func (c *cursor) value() Value {
	var v Value
	end := 0
	if isNested(c.text[c.at:]) && len(c.spans) > 0 {
		end = c.at + c.spans[0].length
		v.spans, c.spans = c.spans[:c.spans[0].count], c.spans[c.spans[0].count:]
	} else {
		end = valueEnd(c.text, c.at)
	}
	v.Text = c.text[c.at:end:end]
	c.at = end
	return v
}

// An Index makes [Value.Members] skip arrays and objects in constant time, so traversing a value takes linear time, no matter
// how deeply it is nested.
type Index struct {
	spans []span
	open  []int // the indexes of the spans that have not ended yet
}

// Check returns the value in text. Check returns an error unless text is one JSON value in UTF-8, nested at most
// [constraint.JSONMaxDepth] levels deep, in which no object repeats a name. The returned Value is valid until the next call.
func (x *Index) Check(text []byte) (Value, error) {
	if err := check(text, constraint.JSONMaxDepth); err != nil {
		return Value{}, err
	}
	return x.Of(text), nil
}

// Of returns the value in valid JSON text. The returned Value is valid until the next call.
func (x *Index) Of(text []byte) Value {
	x.spans, x.open = x.spans[:0], x.open[:0]
	v := Of(text)
	for at, bracket := range brackets(v.Text) {
		if isOpening(bracket) {
			x.open = append(x.open, len(x.spans))
			x.spans = append(x.spans, span{length: -at})
			continue
		}
		last := x.open[len(x.open)-1]
		x.open = x.open[:len(x.open)-1]
		x.spans[last].length += at + 1
		x.spans[last].count = len(x.spans) - last
	}
	v.spans = x.spans
	return v
}
