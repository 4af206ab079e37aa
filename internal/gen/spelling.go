package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
)

// written returns the event with some of the zeros added, as if the event's JSON text had contained them. Existing members do
// not change.
func written(t *draw.T, e *event.Event, zeros []zero) *event.Event {
	if !draw.Seldom(t, "written-out zeros") {
		return e
	}
	tree := encodeTree(e)
	for _, z := range draw.SliceOfNDistinct(draw.SampledFrom(zeros), 1, math.MaxInt, draw.Same[zero]).Draw(t, "written-out zeros") {
		for _, object := range objectsAt(tree, z.in) {
			if _, stands := object[z.name]; !stands {
				object[z.name] = json.RawMessage(z.value)
			}
		}
	}
	full := new(event.Event)
	if text := encodeJSON(tree); full.UnmarshalJSON(text) != nil {
		panic(fmt.Sprintf("fuzz: %s is not an event", text))
	}
	return full
}

// objectsAt returns the objects at the path, in which * means every element of an array.
func objectsAt(tree members, path string) (objects []members) {
	before, after, _ := strings.Cut(path, "/*")
	switch value := At(tree, diag.Pointer(before)).(type) {
	case members:
		objects = append(objects, value)
	case []any:
		for i := range value {
			objects = append(objects, objectsAt(tree, before+"/"+strconv.Itoa(i)+after)...)
		}
	}
	return objects
}

// inOtherForms returns text with some integers written in other forms that JSON allows, such as 1.0.
func inOtherForms(t *draw.T, text json.RawMessage) json.RawMessage {
	if !draw.Seldom(t, "integers in other forms") {
		return text
	}
	var rewritten json.RawMessage
	for len(text) > 0 {
		token := text[:tokenLength(text)]
		rewritten = append(rewritten, token...)
		if isInteger(token) && draw.Maybe(t, "other form") {
			rewritten = append(rewritten, integralForms.Draw(t, "form")...)
		}
		text = text[len(token):]
	}
	return rewritten
}

// tokenLength returns the length of the string or number at the start of JSON text, or 1 for any other token.
func tokenLength(text []byte) int {
	end := 1
	switch {
	case text[0] == '"':
		for text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		return end + 1
	case isInNumber(text[0]):
		for end < len(text) && (isInNumber(text[end]) || strings.IndexByte(".eE+", text[end]) >= 0) {
			end++
		}
	}
	return end
}

func isInNumber(c byte) bool { return '0' <= c && c <= '9' || c == '-' }

// isInteger reports whether a token is a number with neither a fraction nor an exponent.
func isInteger(token []byte) bool { return isInNumber(token[0]) && !bytes.ContainsAny(token, ".eE") }

// integralForms draws a suffix that does not change the value of an integer.
var integralForms = draw.Sampled(".0", "e0", ".00E+0", ".0e-0")
