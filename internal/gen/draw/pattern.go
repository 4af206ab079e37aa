package draw

import (
	"fmt"
	"math"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// Matching is like [StringMatching], but does not compile the expression until the first string is drawn.
func Matching(expr string) Generator[string] {
	return Lazy(func() Generator[string] { return StringMatching(expr) })
}

// StringMatching returns a generator of strings that match a regular expression, and panics if the expression has assertions or
// uses . for any character.
func StringMatching(expr string) Generator[string] {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(fmt.Sprintf("fuzz: %v", err))
	}
	return func(t *T) string {
		var buffer [64]byte // usually enough
		return string(t.appendMatch(buffer[:0], re))
	}
}

func (t *T) appendMatch(dst []byte, re *syntax.Regexp) []byte {
	switch re.Op {
	case syntax.OpEmptyMatch:
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 && Bool(t) {
				r = unicode.SimpleFold(r)
			}
			dst = utf8.AppendRune(dst, r)
		}
	case syntax.OpCharClass:
		dst = utf8.AppendRune(dst, t.inRanges(re.Rune))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			dst = t.appendMatch(dst, sub)
		}
	case syntax.OpAlternate:
		dst = t.appendMatch(dst, re.Sub[t.index(len(re.Sub))])
	case syntax.OpQuest:
		dst = t.appendRepeated(dst, re.Sub[0], 0, 1)
	case syntax.OpStar:
		dst = t.appendRepeated(dst, re.Sub[0], 0, math.MaxInt)
	case syntax.OpPlus:
		dst = t.appendRepeated(dst, re.Sub[0], 1, math.MaxInt)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = math.MaxInt
		}
		dst = t.appendRepeated(dst, re.Sub[0], re.Min, most)
	default:
		panic(fmt.Sprintf("fuzz: no text is drawn for %v", re))
	}
	return dst
}

func (t *T) appendRepeated(dst []byte, re *syntax.Regexp, least, most int) []byte {
	t.repeat(least, most, func() bool {
		dst = t.appendMatch(dst, re)
		return true
	})
	return dst
}
