package jsonscan

import (
	"math"
	"sync"

	"github.com/calrules/calrules/diag"
)

// decoders is a pool of decoders, whose buffers are expensive to allocate.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// release clears the decoder and returns it to the pool.
func (d *Decoder) release() {
	d.Release()
	decoders.Put(d)
}

// Valid returns nil if text is one JSON value. Like encoding/json, but unlike other functions in this package, Valid allows
// invalid UTF-8, repeated names and deeper nesting.
func Valid(text []byte) error {
	d := decoders.Get().(*Decoder)
	defer d.release()
	d.Reset(text, math.MaxInt)
	d.mode = lax
	d.Skip()
	if d.End(); d.err != nil {
		return d.err
	}
	return nil
}

// check returns nil if text is one JSON value, nested no deeper than most levels, in which no object repeats a name.
func check(text []byte, most int) *SyntaxError {
	d := decoders.Get().(*Decoder)
	defer d.release()
	d.Reset(text, most)
	d.unique = true
	d.Value()
	d.End()
	return d.err
}

// AppendCompact appends a JSON value without the white space between tokens. AppendCompact returns an error if text is
// not valid according to [Valid].
func AppendCompact(dst, text []byte) ([]byte, error) {
	if err := Valid(text); err != nil {
		return dst, err
	}
	start := 0 // the start of the part not yet appended
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '"':
			at = stringEnd(text, at)
		case isSpace(c):
			dst = append(dst, text[start:at]...)
			at = skipSpace(text, at)
			start = at
		default:
			at++
		}
	}
	return append(dst, text[start:]...), nil
}

// FindDuplicate finds the first member that repeats the name of an earlier member in the same object, and returns the path and
// the offset of that member's value. The JSON value must be valid.
func FindDuplicate(value []byte) (path diag.Pointer, offset int, found bool) {
	err := check(value, maxLevels)
	if err == nil {
		return "", 0, false
	}
	return err.Path, skipSeparators(value, stringEnd(value, err.Offset)), true
}
