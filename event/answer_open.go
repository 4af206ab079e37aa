package event

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
)

// isOpen reports whether the rules allow the answer to differ from the event at a place.
func (a *answerRun) isOpen(d object.Difference) bool {
	place := patternOf(d.Path)
	isAdded := d.Old == nil
	switch {
	case isAdded && isEmptyValue(d.New), d.New == nil && isEmptyValue(d.Old):
		return true // both are empty
	case isAdded && strings.HasPrefix(place, "/conferenceData/"), isAdded && strings.HasPrefix(place, "/attachments/*/"):
		return true // the service knows more about the conference and the file
	case !isListed(place):
		return true
	}
	return slices.ContainsFunc(a.result.Findings, func(f diag.Finding) bool {
		at := patternOf(f.Path)
		isOfElement := f.Rule.ID != ruleid.AttendeeResponseNew // a guest stays, whatever the response
		return isAboutValue(f) && (isWithin(place, at) || isOfElement && isWithin(at, place))
	})
}

// isAboutValue reports whether a finding advises against a value of the body, which the service may then change. Its
// handling of fractions is known.
func isAboutValue(f diag.Finding) bool {
	isOfValue := f.Rule.Scope == diag.OfEvent || f.Rule.ID == ruleid.JSONType
	return f.Kind == diag.Advise && isOfValue && f.Path.InBody() && f.Path != "" && f.Rule.ID != ruleid.TimeFraction
}

// isWithin reports whether a place equals another or is within it.
func isWithin(place, other string) bool { return strings.HasPrefix(place+"/", other+"/") }

// patternOf returns a path with each index replaced by "*".
func patternOf(path diag.Pointer) string {
	var b strings.Builder
	for token := range path.Tokens() {
		if isIndex(token) {
			token = "*"
		}
		b.WriteString("/" + token)
	}
	return b.String()
}

// isIndex reports whether a reference token consists of digits.
func isIndex(token string) bool { return strings.Trim(token, "0123456789") == "" }

// isEmptyValue reports whether a value is an empty string or list, or an object with only such members.
func isEmptyValue(text json.RawMessage) bool {
	switch v := new(jsonscan.Index).Of(text); {
	case v.IsObject():
		for _, member := range v.Members() {
			if !isEmptyValue(member.Text) {
				return false
			}
		}
		return true
	default:
		return slices.Contains([]string{`""`, `[]`, `null`}, string(v.Text))
	}
}

// isListed reports whether the tables list the member at a place, not just its container.
func isListed(place string) bool {
	at, outer := "", "object"
	for token := range strings.SplitSeq(place[1:], "/") {
		at += "/" + token
		is, isListed := memberTypes()[at]
		switch {
		case token == "*" && outer == "array of objects":
			is = "object"
		case outer != "object":
			return true // no table lists its contents
		case !isListed && strings.Count(at, "/") > 1:
			return false
		}
		outer = is
	}
	return true
}

// memberTypes holds the types of the members of an event, by place.
var memberTypes = sync.OnceValue(func() map[string]string {
	types := map[string]string{}
	eventTable.Visit("", func(at diag.Pointer, d *object.Declaration, _ object.GoField) { types[string(at)] = d.Type() })
	return types
})
