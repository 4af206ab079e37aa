package jsonscan

import (
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// check returns nil if text is one JSON value under the options. It may report values that are nested more
// than most levels deep.
func check(text []byte, most int, options ...jsontext.Options) *SyntaxError {
	j := judges.Get().(*judge)
	defer j.release()
	j.reset(text, most, options...)
	return j.check()
}

// Valid returns nil if text is one JSON value. It allows bytes that are not UTF-8, repeated names
// and more depth than other functions, as encoding/json does.
func Valid(text []byte) error {
	start := skipSpace(text, 0)
	if end, _ := scanValue(text, start, maxLevels); end != Fail && skipSpace(text, end) == len(text) {
		return nil
	}
	if err := check(text, math.MaxInt, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return err
	}
	return nil
}

// AppendCompact appends a JSON value without the white space between its tokens. Like [Valid], it allows more
// than other functions. If the text is not a value, AppendCompact returns an error.
func AppendCompact(dst, text []byte) ([]byte, error) {
	if end, _ := scanValue(text, 0, maxLevels); end == len(text) && !hasSpace(text) { // as most values are
		return append(dst, text...), nil
	}
	return jsontext.AppendFormat(dst, text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
}

// hasSpace reports whether there is white space between the tokens of a valid value.
func hasSpace(value []byte) bool {
	for at := 0; at < len(value); {
		switch value[at] {
		case ' ', '\t', '\n', '\r':
			return true
		case '"':
			at = stringEnd(value, at)
		default:
			at++
		}
	}
	return false
}

// FindDuplicate returns the path and the offset of the first member in a valid value that has the
// name of an earlier one in its object.
func FindDuplicate(value []byte) (path diag.Pointer, offset int, found bool) {
	err := check(value, constraint.JSONMaxDepth)
	if err == nil {
		return "", 0, false
	}
	return err.Path, skipSeparators(value, stringEnd(value, err.Offset)), true
}
