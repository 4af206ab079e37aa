package typescript

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/operation"
)

// resources writes the types of operations' bodies and responses, as described by the public service.
func (w *writer) resources() {
	bodies, answers := map[operation.ID]string{}, map[operation.ID]string{}
	about := map[string][]string{} // the operations with an answer, by its type
	for op := range operation.All() {
		if diag.OtherBodies.Has(op.When) {
			bodies[op.ID] = w.resource(event.BodyFields(op.ID))
		}
		if name := resource.AnswerTo(op.When); name != "" {
			name = nameOfForm(name)
			answers[op.ID] = name
			about[name] = append(about[name], "`"+string(op.ID)+"`")
		}
	}
	forms := resource.Forms()
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		name := nameOfForm(form)
		sentence := name + " is a part of an answer of the public service."
		if ops := about[name]; ops != nil {
			sentence = name + " is what the public service answers to " + strings.Join(ops, " and ") + "."
		}
		w.out.WriteString(comment("", sentence) + "export interface " + name + " " + typeOfForm(forms[form], "") + "\n\n")
	}
	w.table("Bodies", "The bodies of operations whose body is not an event, as the public service describes them.", bodies)
	w.table("Answers", "The answers of the public service to operations, if they are not empty.", answers)
}

// resource writes the interface for an operation's body, unless the interface has been written, and returns the name of the
// interface.
func (w *writer) resource(fields []event.Field) string {
	name := fields[0].Struct.Name()
	if w.written[name] == "" {
		w.fields(fields)
		maps.Copy(w.comments.writers, writers(fields))
		w.part("", diag.Google)
	}
	return name
}

// table writes an interface with a type for each of the given operations.
func (w *writer) table(name, about string, types map[operation.ID]string) {
	w.out.WriteString(comment("", about) + "export interface " + name + " {\n")
	for _, op := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(&w.out, "  %q: %s;\n", op, types[op])
	}
	w.out.WriteString("}\n\n")
}

// isOfResource reports whether a type is part of a resource other than an event.
func isOfResource(t reflect.Type) bool { return path.Base(t.PkgPath()) == "resource" }

// nameOfForm returns the name of the interface for a form.
func nameOfForm(name string) string {
	return cmp.Or(map[string]string{resource.Event: "GoogleEvent", "Reminder": "EventReminder", "Error": "ErrorAnswer"}[name], name)
}

// typeOfForm returns the type of a form. All members are optional.
func typeOfForm(f *resource.Form, indent string) string {
	switch {
	case f.Ref != "":
		return nameOfForm(f.Ref)
	case f.Type == "array":
		return typeOfForm(f.Each, indent) + "[]"
	case f.Each != nil:
		return "{ [name: string]: " + typeOfForm(f.Each, indent) + " }"
	case f.Type == "integer":
		return "number"
	case f.Type != "object":
		return "string"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, name := range slices.Sorted(maps.Keys(f.Members)) {
		inner := indent + "  "
		fmt.Fprintf(&b, "%s%s?: %s;\n", inner, name, typeOfForm(f.Members[name], inner))
	}
	b.WriteString(indent + "}")
	return b.String()
}
