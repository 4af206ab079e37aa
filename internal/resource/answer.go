package resource

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/wording"
)

// Answer is a response from the service.
type Answer struct {
	On      diag.When // the operation
	Dialect diag.Dialect
	Failed  bool // whether the status means that the request was refused
	Text    []byte
	Report  engine.Reporter // reports findings of [AnswerRule]
	Limits  object.Limits

	// Event is called with each event in the response, and Rejects with each finding about a resource that has a table.
	Event   func(at diag.Pointer, text []byte)
	Rejects func(diag.Finding)
}

// Check checks the form of the response.
func (a *Answer) Check() {
	for _, p := range syntaxOnly(anyTable().Decode(a.Text, new(anything), object.Reading{Limits: a.Limits})) {
		p.Report(a.Report, "")
		return
	}
	value := new(jsonscan.Index).Of(a.Text)
	switch form := a.form(); {
	case form != nil:
		a.check(form, "", value)
		switch hasError := hasMember(value, "error"); {
		case a.Failed && !hasError:
			constraint.ReportMissing(a.Report, "/error", "error", false, nil)
		case !a.Failed && hasError && value.IsObject() && a.Dialect == diag.Google && form.Ref != Event:
			a.Report.Report("/error", "error")
		}
	case a.Dialect == diag.Google && emptyAnswers.Has(a.On) && string(value.Text) != "{}":
		a.Report.Report("", "none")
	}
}

// form returns the required form of the response, or nil if the form is unknown.
func (a *Answer) form() *Form {
	name := AnswerTo(a.On)
	switch {
	case a.Failed && a.Dialect == diag.Google:
		return ref("Error")
	case a.Failed:
		return nil
	case a.Dialect == diag.Google && name != "", name == Event:
		return ref(name)
	case name == "Events":
		return pageOfDocuments
	case name != "":
		return anObject
	}
	return nil
}

func (a *Answer) check(f *Form, at diag.Pointer, v jsonscan.Value) {
	if f.Ref == Event {
		a.Event(at, v.Text)
		return
	}
	known := answerOf(f.Ref)
	if known.whole != 0 && v.IsObject() {
		a.checkTable(known.whole, at, v.Text)
	}
	if f.Ref != "" {
		f = cmp.Or(forms()[f.Ref], anObject)
	}
	if !a.hasType(f.Type, at, v) {
		return
	}
	i := 0
	for element := range v.Elements() {
		a.check(f.Each, at.Index(i), element)
		i++
	}
	for name, member := range v.Members() {
		name := name.String()
		if of := cmp.Or(f.Each, f.Members[name]); of != nil && !member.IsNull() {
			a.check(of, at.Member(name), member)
		}
		if name == "kind" && known.kind != "" {
			a.checkKind(known.kind, at.Member(name), member)
		}
	}
}

// hasType reports whether a value has the given type, and adds a finding if the type differs.
func (a *Answer) hasType(want string, at diag.Pointer, v jsonscan.Value) bool {
	is := object.KindKey(jsonscan.KindOf(v.Text))
	if is != typeKeys[want] {
		a.Report.Report(at, "type", wording.Part("seen", is), wording.Part("limit", typeKeys[want]))
		return false
	}
	if text := string(jsonscan.Unquote(v.Text)); want == Time && !constraint.Timestamp.Has(text) {
		_, name := at.Split()
		constraint.Timestamp.Report(a.Report, at, name, text)
	}
	return true
}

// hasMember reports whether a value has the given member or is not an object.
func hasMember(v jsonscan.Value, name string) bool {
	return !v.IsObject() || v.Member(name).Text != nil
}

// typeKeys maps the types of forms to the keys of the message parts that name the types.
var typeKeys = map[string]string{"string": "a-string", Time: "a-string", "integer": "a-number", "array": "an-array", "object": "an-object"}

// checkKind checks the kind member of a resource, except its type, which is checked elsewhere.
func (a *Answer) checkKind(want string, at diag.Pointer, v jsonscan.Value) {
	if !v.IsString() {
		return
	}
	if kind := string(jsonscan.Unquote(v.Text)); kind != want {
		a.Report.Report(at, "kind", diag.Value("value", kind), wording.Text("limit", want))
	}
}

// checkTable checks a resource against its table, using the rules for an operation whose body is the whole resource.
func (a *Answer) checkTable(on diag.When, at diag.Pointer, text []byte) {
	query := func(string) string { return "" }
	for _, f := range (Request{On: on, Dialect: a.Dialect, Body: text, Query: query, Limits: a.Limits}).Check() {
		if f.Kind == diag.Reject {
			f.Path = at + f.Path
			a.Rejects(f)
		}
	}
}
