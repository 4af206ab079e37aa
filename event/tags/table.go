package tags

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// tag is a [Tag] with the functions that implement it.
type tag struct {
	Tag
	check      func(validator.FieldLevel) bool
	constraint *constraint.Constraint                  // explains a failure; may be nil
	dialect    diag.Dialect                            // the dialect of the values
	split      func(member, text string) diag.Findings // returns findings for several rules; nil if there is only one rule
}

// Tags that combine constraints or read a second field.
var (
	present = &tag{
		Tag:   Tag{Name: prefix + "present", Want: "present and, if it is a string, not empty", Param: paramRule},
		check: func(f validator.FieldLevel) bool { return isPresent(f.Field()) },
	}
	eventID = &tag{
		Tag: Tag{
			Name: prefix + "eventid", Want: constraint.EventIDLength.Want(diag.Documents) + " and " + constraint.EventIDCharacters.Want(diag.Documents),
			Rules:  idRules,
			Limits: []string{constraint.EventIDCharacters.Name, constraint.EventIDLength.Name},
		},
		check: func(f validator.FieldLevel) bool { return form.IsEventID(textOf(f)) },
		split: splitID,
	}
	recurrenceLine = &tag{
		Tag: Tag{
			Name: prefix + "rruleline", Want: "an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545",
			Rules: []string{ruleid.RecurrenceLineName, ruleid.RecurrenceLineDTStart, ruleid.RecurrenceLineSyntax, ruleid.RecurrenceRulePart,
				ruleid.RecurrenceRuleCountUntil, ruleid.RecurrenceRuleByPart, ruleid.RecurrenceDatesForm, ruleid.RecurrenceDatesZone},
			Limits: []string{constraint.RecurrenceLine.Name},
		},
		check: func(f validator.FieldLevel) bool { return len(splitLine("", textOf(f))) == 0 },
		split: splitLine,
	}
	timestamp = &tag{
		Tag:   Tag{Name: prefix + "rfc3339", Want: "an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00-04:00", Rules: []string{ruleid.TimeDatetimeFormat}},
		check: func(f validator.FieldLevel) bool { return form.IsDateTime(textOf(f)) },
	}
	offset = &tag{
		Tag:   Tag{Name: prefix + "offset", Want: "a time with an offset such as Z, or next to a time zone", Rules: []string{ruleid.TimeOffset}, Param: "ZONE"},
		check: hasOffset,
	}
	entryURI = &tag{
		Tag: Tag{
			Name: prefix + "entryuri", Want: constraint.EntryPointURI.Want(diag.Documents) + ", with the scheme of its type: http or https for video and more, tel for phone, sip for sip",
			Rules: []string{ruleid.ConferenceEntryURI}, Param: "TYPE", Limits: []string{constraint.EntryPointURI.Name},
		},
		check: isEntryURI,
	}
)

// table returns the tags above, and a tag for each remaining constraint on a member or a query parameter.
var table = sync.OnceValue(func() []*tag {
	list := []*tag{present, eventID, recurrenceLine, timestamp, offset, entryURI}
	for _, f := range event.Fields() {
		for _, c := range slices.Concat(f.Constraints, f.KeyConstraints, f.ValueConstraints) {
			if c.If == "" || c.Subject == constraint.Text { // a condition on the number of elements is not about a single value
				list = addTag(list, c.Name, c.Rule)
			}
		}
	}
	for op := range operation.All() {
		for _, p := range op.Params {
			if p.LimitName != "" {
				list = addTag(list, p.LimitName, p.Rule())
			}
		}
	}
	return append(list, inGoogle(list)...)
})

// inGoogle returns a tag for each constraint whose values differ in the dialect [diag.Google].
func inGoogle(list []*tag) (others []*tag) {
	for _, t := range list {
		if t.constraint == nil {
			continue
		}
		if t.constraint.Want(diag.Google) != t.Want {
			others = append(others, newTag(prefix+"google"+strings.TrimPrefix(t.Name, prefix), t.constraint, diag.Google, t.Rules...))
		}
	}
	return others
}

// addTag adds a tag for the named constraint to the list, or adds the rule to an existing tag. The rule for the last
// member with the constraint comes first.
func addTag(list []*tag, limit string, rule *diag.Rule) []*tag {
	switch t := find(list, limit); {
	case t == nil:
		return append(list, newTag(prefix+strings.ToLower(limit), constraint.Named(limit), diag.Documents, rule.ID))
	case t.constraint != nil && !slices.Contains(t.Rules, rule.ID):
		t.Rules = slices.Insert(t.Rules, 0, rule.ID)
	}
	return list
}

// find returns the tag in the list that checks the named constraint, or nil if there is none.
func find(list []*tag, limit string) *tag {
	for _, t := range list {
		if slices.Contains(t.Limits, limit) {
			return t
		}
	}
	return nil
}

// newTag returns a new tag that checks a constraint.
func newTag(name string, c *constraint.Constraint, in diag.Dialect, rules ...string) *tag {
	t := &tag{Tag: Tag{Name: name, Want: c.Want(in), Rules: rules, Limits: []string{c.Name}}, constraint: c, dialect: in}
	t.check = func(f validator.FieldLevel) bool {
		v := fit(f, c.Subject)
		if c.Subject == constraint.Text {
			return c.Has(in.Name(v.String()))
		}
		n, _ := number(v)
		return c.HasInt(n)
	}
	return t
}

// lookup returns the tag with the given name, or nil if there is none.
func lookup(name string) *tag {
	for _, t := range table() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// idRules lists the rules about the alphabet and the length of event ids.
var idRules = []string{ruleid.EventIDAlphabet, ruleid.EventIDLength}

// splitID returns the findings about an event id.
func splitID(member, id string) diag.Findings {
	var report engine.Collector
	for i, c := range []*constraint.Constraint{constraint.EventIDCharacters, constraint.EventIDLength} {
		if !c.Has(id) {
			c.Report(report.For(event.Catalogue().Lookup(idRules[i]), ""), "", member, id)
		}
	}
	return report.Findings
}

// rejectedLine is the sentence for a finding about a recurrence line: the name of the field, followed by the reason.
var rejectedLine = diag.Sentences{{Key: "rejected", Text: "The {field} is rejected: {reason}"}}

// splitLine returns the findings about faults in a recurrence line that an insert rejects regardless of the start of the event.
func splitLine(member, line string) diag.Findings {
	var report engine.Collector
	for _, f := range (recurrence.Lines{Texts: []string{line}}).Check().Findings.OfKind(diag.Reject) {
		args := append(f.Args, diag.Plain("field", member), wording.Part("reason", f.Key))
		report.For(f.Rule, "").WithSentences(rejectedLine).Report(f.Path, "rejected", args...)
	}
	return report.Findings
}

// hasOffset reports whether the time has an offset, or the field that the parameter names contains a zone.
func hasOffset(f validator.FieldLevel) bool {
	t, ok := form.ParseDateTime(textOf(f))
	return ok && (t.HasOffset || sibling(f) != "")
}

// uriForms maps the type of an entry point to the form of its URI.
var uriForms = map[string]*constraint.Constraint{
	"video": constraint.HTTPScheme, "more": constraint.HTTPScheme, "phone": constraint.TelScheme, "sip": constraint.SIPScheme,
}

// isEntryURI reports whether a URI is short enough and has the form that its entry point type requires. The parameter
// names the field that contains the type. For an unknown type, any form is valid.
func isEntryURI(f validator.FieldLevel) bool {
	uri, form := textOf(f), uriForms[sibling(f)]
	return constraint.EntryPointURI.Has(uri) && (form == nil || form.Has(uri))
}
