package jsonscan

import (
	"math"
	"sync"

	"github.com/calrules/calrules/diag"
)

// decoders are kept for reuse: their buffers are costly to make.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// release drops the text, and keeps the decoder for reuse.
func (d *Decoder) release() {
	d.Release()
	decoders.Put(d)
}

// Valid returns nil if text is one JSON value. It allows bytes that are not UTF-8, repeated names
// and more depth than other functions, as encoding/json does.
func Valid(text []byte) error {
	d := decoders.Get().(*Decoder)
	defer d.release()
	d.Reset(text, math.MaxInt)
	d.lax = true
	d.Skip()
	if d.End(); d.err != nil {
		return d.err
	}
	return nil
}

// check returns nil if text is one JSON value in which no object repeats a name.
func check(text []byte, most int) *SyntaxError {
	d := decoders.Get().(*Decoder)
	defer d.release()
	d.Reset(text, most)
	d.unique = true
	if clear(d.names); d.names == nil {
		d.names = map[memberName]bool{}
	}
	d.Value()
	d.End()
	return d.err
}

// AppendCompact appends a JSON value without the white space between its tokens. Like [Valid], it allows more
// than other functions. If the text is not a value, AppendCompact returns an error.
func AppendCompact(dst, text []byte) ([]byte, error) {
	if err := Valid(text); err != nil {
		return dst, err
	}
	start := 0 // of the text not yet appended
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

// FindDuplicate returns the path and the offset of the first member in a valid value that has the
// name of an earlier one in its object.
func FindDuplicate(value []byte) (path diag.Pointer, offset int, found bool) {
	err := check(value, maxLevels)
	if err == nil {
		return "", 0, false
	}
	return err.Path, skipSeparators(value, stringEnd(value, err.Offset)), true
}
