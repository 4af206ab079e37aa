package jsonscan

import (
	"bytes"
	"iter"

	"github.com/calrules/calrules/internal/constraint"
)

// Value is a valid JSON value, without white space around it. The zero Value is
// not a value.
type Value struct {
	Text  []byte
	spans []span // of the array or object and of all in it, in order; nil if they are not known
}

// span is the length of an array or object in bytes, and the number of its spans, with the spans of everything in it.
type span struct{ length, count int }

// Of returns the value of a valid text.
func Of(text []byte) Value { return Value{Text: bytes.TrimSpace(text)} }

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { return len(v.Text) > 0 && v.Text[0] == '{' }

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return v.Text[0] == 'n' }

// IsString reports whether the value is a string.
func (v Value) IsString() bool { return v.Text[0] == '"' }

// Members yields the members of an object; other values have none. Passing over a member takes time
// in proportion to its length, unless the value is from an [Index].
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

// Member returns the first member of an object with the given name, or the zero Value.
func (v Value) Member(name string) Value {
	for other, value := range v.Members() {
		if string(Unquote(other)) == name {
			return value
		}
	}
	return Value{}
}

// Elements yields the elements of an array; other values have none.
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

// cursor reads the members of an object or the elements of an array.
type cursor struct {
	text  []byte
	at    int
	spans []span // of the text after at
}

// more passes over separators, and reports whether the object or the array continues.
func (c *cursor) more() bool {
	c.at = skipSeparators(c.text, c.at)
	return !isClosing(c.text[c.at])
}

// name reads a name and the colon.
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

// Index makes [Value.Members] skip arrays and objects in constant time, so that walking through a value
// takes linear time, however deeply it is nested.
type Index struct {
	spans []span
	open  []int // the spans that have not ended yet
}

// Check returns the value of text. It returns an error unless text is one JSON value in UTF-8,
// nested at most [constraint.JSONMaxDepth] levels deep, in which no object repeats a name. The value is
// valid until the next call.
func (x *Index) Check(text []byte) (Value, error) {
	if err := check(text, constraint.JSONMaxDepth); err != nil {
		return Value{}, err
	}
	return x.Of(text), nil
}

// Of returns the value of a valid text. The value is valid until the next call.
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
