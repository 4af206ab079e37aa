package typescript

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// sources lists the files that declare the Go types of events and other resources, by package.
var sources = map[string]string{"event": "event/event.go", "conference": "conference/data.go", "resource": "internal/resource/types.go"}

// comments contains the comments on Go types and fields, and the descriptions of fields from the tables.
type comments struct {
	types, fields map[string]string // the comments, by package, type and field, as in "event.Person.Email"
	names         map[string]string // the names of members, by field
	writers       map[string]string // the writers of fields, by field
}

// readComments reads the comments on the Go types of events.
func readComments(root string) (comments, error) {
	c := comments{map[string]string{}, map[string]string{}, map[string]string{}, writers(event.Fields())}
	for _, f := range event.Fields() {
		c.names[keyOf(f.Struct)+"."+f.Name] = f.Path[strings.LastIndexByte(f.Path, '.')+1:]
	}
	for pkg, name := range sources {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(root, name), nil, parser.ParseComments)
		if err != nil {
			return comments{}, err
		}
		for _, d := range file.Decls {
			if types, ok := d.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				c.read(files, pkg, types)
			}
		}
	}
	return c, nil
}

// read reads the comments in a type declaration.
func (c *comments) read(files *token.FileSet, pkg string, d *ast.GenDecl) {
	typ := d.Specs[0].(*ast.TypeSpec)
	object, ok := typ.Type.(*ast.StructType)
	if !ok {
		return
	}
	at := pkg + "." + typ.Name.Name
	c.types[at] = d.Doc.Text()
	shared, next := "", 0 // a comment on a group of fields applies to all of them
	for _, f := range object.Fields.List {
		text := f.Doc.Text() + f.Comment.Text()
		line := files.Position(f.Pos()).Line
		if text == "" && line == next {
			text = shared
		}
		shared, next = text, line+1
		for _, name := range f.Names {
			c.fields[at+"."+name.Name] = text
		}
	}
}

// writers returns the writers of each field, except fields whose writers depend on the place of the object.
func writers(fields []event.Field) map[string]string {
	found := map[string]string{}
	for _, f := range fields {
		about := ""
		switch f.Writable {
		case 0:
			about = "Only the service writes it."
		case diag.Create:
			about = "A client writes it only when it creates the event."
		}
		key := keyOf(f.Struct) + "." + f.Name
		if other, ok := found[key]; ok && other != about {
			about = ""
		}
		found[key] = about
	}
	return found
}

func keyOf(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

// ofStruct returns the first sentence of the comment on a type, with the TypeScript name of the type.
func (c *comments) ofStruct(t reflect.Type, name string) string {
	first, _, _ := strings.Cut(link.ReplaceAllString(oneLine(c.types[keyOf(t)]), "$1"), ". ")
	return strings.Replace(strings.TrimSuffix(first, ".")+".", t.Name(), name, 1)
}

// ofField returns the comment on a field, with the name of the member, or "" if there is no comment.
func (c *comments) ofField(f event.Field, name string, d diag.Dialect) string {
	key := keyOf(f.Struct) + "." + f.Name
	text := strings.TrimSpace(forGo.ReplaceAllString(oneLine(c.fields[key]), ""))
	if text == "" {
		return ""
	}
	text, named := strings.CutPrefix(text, f.Name+" ")
	text = word.ReplaceAllStringFunc(text, func(w string) string {
		if member, ok := c.names[keyOf(f.Struct)+"."+w]; ok && !isPlainWord(w) {
			return "`" + d.Name(member) + "`"
		}
		return d.Name(w)
	})
	after := "` "
	if !named {
		after = "`: "
	}
	return strings.TrimSpace("`" + name + after + strings.TrimSuffix(text, ".") + ". " + c.writers[key])
}

// forGo matches the parts of comments that concern only Go programmers: marks for the writer of a field, links, and names
// of JSON members.
var forGo = regexp.MustCompile(` ?\((?:[WR-])(?:\W[^)]*)?\)\.?| See \[\w+\]\.|; the JSON member is \w+| The JSON member is \w+\.`)

// link matches a link in a Go comment.
var link = regexp.MustCompile(`\[(\w+)\]`)

var word = regexp.MustCompile(`\w+`)

// isPlainWord reports whether the name of a Go field, such as Start, is also an English word.
func isPlainWord(name string) bool { return strings.ToLower(name[1:]) == name[1:] }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func comment(indent, text string) string {
	const width = 120
	if line := indent + "/** " + text + " */"; len(line) <= width {
		return line + "\n"
	}
	var b strings.Builder
	b.WriteString(indent + "/**\n")
	line := indent + " *"
	for w := range strings.FieldsSeq(text) {
		if len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line = indent + " *"
		}
		line += " " + w
	}
	b.WriteString(line + "\n" + indent + " */\n")
	return b.String()
}
