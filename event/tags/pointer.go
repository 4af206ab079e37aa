package tags

import (
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
)

// The validator returns the path of a field as a namespace such as "Event.attendees[3].email", which consists of the
// name of the type and the names of the fields, with indexes and map keys in brackets. The field names that memberName
// returns ensure that a namespace can be parsed.

// embeddedOpen and embeddedClose surround the name of an embedded struct, which is not part of the JSON path.
const embeddedOpen, embeddedClose = "<", ">"

var (
	nameEscaper   = strings.NewReplacer("%", "%25", ".", "%2E", "[", "%5B", "]", "%5D", "<", "%3C", ">", "%3E")
	nameUnescaper = strings.NewReplacer("%25", "%", "%2E", ".", "%5B", "[", "%5D", "]", "%3C", "<", "%3E", ">")
)

// memberName returns the name of a field in encoding/json, with the punctuation of namespaces escaped as in a URL.
func memberName(f reflect.StructField) string {
	tag := f.Tag.Get("json")
	name, _, _ := strings.Cut(tag, ",")
	switch {
	case name == "" && f.Anonymous && isStruct(f.Type):
		return embeddedOpen + f.Name + embeddedClose
	case name == "" || tag == "-":
		return f.Name
	default:
		return nameEscaper.Replace(name)
	}
}

func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// pointer returns the JSON Pointer of a field.
func pointer(f validator.FieldError) diag.Pointer {
	const maxCertain = 255 // the validator stores the length of Field in a byte
	space := f.Namespace()
	path := space[rootLen(space, f.StructNamespace()):]
	last := len(path)
	if len(space) <= maxCertain {
		last = max(0, last-len(f.Field())) // a key in the last part may contain "]."
	}
	var p strings.Builder
	writePath(&p, path[:last], ".[")
	writePath(&p, path[last:], "[")
	return diag.Pointer(p.String())
}

// rootLen returns the length of the type name and the following dot at the start of a namespace, or 0 if there is no type name,
// as for single variables and structs of unnamed types. Without a type name, space and structSpace begin with the JSON name and
// the Go name of a field, which usually differ.
func rootLen(space, structSpace string) int {
	if strings.HasPrefix(space, "[") {
		return 0
	}
	depth := 0 // the nesting depth in the brackets of type arguments
	for i := range len(space) {
		switch {
		case space[i] == '[':
			depth++
		case space[i] == ']':
			depth--
		case space[i] == '.' && depth == 0:
			if strings.HasPrefix(structSpace, space[:i+1]) {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// writePath writes part of a namespace as a JSON Pointer. A key in brackets ends before any of the characters in next,
// or at the last bracket.
func writePath(p *strings.Builder, path, next string) {
	for path != "" {
		var token string
		switch path[0] {
		case '.':
			path = path[1:]
			continue
		case '[':
			token, path = cutKey(path, next)
		default:
			token, path = cutName(path)
			if strings.HasPrefix(token, embeddedOpen) {
				continue
			}
			token = nameUnescaper.Replace(token)
		}
		p.WriteString(string(diag.Pointer("").Member(token)))
	}
}

// cutKey returns the bracketed key at the start of path, and the rest of path.
func cutKey(path, next string) (key, rest string) {
	for i := 1; i < len(path); i++ {
		if path[i-1] == ']' && strings.IndexByte(next, path[i]) >= 0 {
			return path[1 : i-1], path[i:]
		}
	}
	end := strings.LastIndexByte(path, ']')
	if end < 0 {
		return path, "" // not a namespace from the validator
	}
	return path[1:end], path[end+1:]
}

// cutName returns the field name at the start of path, and the rest of path.
func cutName(path string) (name, rest string) {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	return path[:end], path[end:]
}
