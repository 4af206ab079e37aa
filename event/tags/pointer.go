package tags

import (
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
)

// The validator gives a place as a namespace, such as "Event.attendees[3].email": the name of
// the type, then the names of the fields, with indexes and map keys in brackets. memberName
// gives the fields their names, so that a namespace can be read back.

// embedded surrounds the name of an embedded struct, whose members are those of the object
// around it.
const embeddedOpen, embeddedClose = "<", ">"

var (
	nameEscaper   = strings.NewReplacer("%", "%25", ".", "%2E", "[", "%5B", "]", "%5D", "<", "%3C", ">", "%3E")
	nameUnescaper = strings.NewReplacer("%25", "%", "%2E", ".", "%5B", "[", "%5D", "]", "%3C", "<", "%3E", ">")
)

// memberName returns the name of a field as encoding/json has it, with what would be taken
// for the punctuation of a namespace escaped as in a URL.
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
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct
}

// pointer returns the place of a field.
func pointer(f validator.FieldError) diag.Pointer {
	space := f.Namespace()
	path := space[rootLen(space, f.StructNamespace()):]
	last := len(path) // where the last segment begins, which alone may hold any character in its brackets
	if len(space) <= maxFieldLen {
		last = max(0, last-len(f.Field()))
	}
	var p strings.Builder
	writePlace(&p, path[:last], ".[")
	writePlace(&p, path[last:], "[")
	return diag.Pointer(p.String())
}

// maxFieldLen is how long a namespace is for which the length of FieldError.Field, which the
// validator keeps in a byte, is certain.
const maxFieldLen = 255

// rootLen returns the length of the name of the type in front of a namespace, its dot
// included. It is 0 where there is none, as of a single variable and a struct type without
// a name: their first names are those of a field, and differ.
func rootLen(space, structSpace string) int {
	depth := 0
	for i := range len(space) {
		switch space[i] {
		case '[': // the arguments of a generic type
			if i == 0 {
				return 0
			}
			depth++
		case ']':
			depth--
		case '.':
			if depth == 0 {
				if strings.HasPrefix(structSpace, space[:i+1]) {
					return i + 1
				}
				return 0
			}
		}
	}
	return 0
}

// writePlace reads a part of a namespace and writes the place that it names. A key in brackets
// ends before one of the characters in next, or with the text.
func writePlace(p *strings.Builder, path, next string) {
	for path != "" {
		switch path[0] {
		case '.':
			path = path[1:]
		case '[':
			end := keyEnd(path, next)
			if end == -1 { // no namespace of the validator's
				p.WriteString(string(diag.Pointer("").Member(path)))
				return
			}
			p.WriteString(string(diag.Pointer("").Member(path[1:end])))
			path = path[end+1:]
		default:
			end := strings.IndexAny(path, ".[")
			if end == -1 {
				end = len(path)
			}
			if name := path[:end]; !strings.HasPrefix(name, embeddedOpen) {
				p.WriteString(string(diag.Pointer("").Member(nameUnescaper.Replace(name))))
			}
			path = path[end:]
		}
	}
}

// keyEnd returns where the bracket closes with which path begins, or -1: before one of the
// characters in next or, where none follows a bracket, with the last.
func keyEnd(path, next string) int {
	last := -1
	for i := range len(path) {
		if path[i] != ']' {
			continue
		}
		if last = i; i+1 < len(path) && strings.IndexByte(next, path[i+1]) >= 0 {
			break
		}
	}
	return last
}
