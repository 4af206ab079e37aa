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

// isOpen reports whether the rules permit the given difference between the response and the expected event.
func (a *answerRun) isOpen(d object.Difference) bool {
	place := patternOf(d.Path)
	isAdded := d.Old == nil
	switch {
	case isAdded && isEmptyValue(d.New), d.New == nil && isEmptyValue(d.Old):
		return true // both values are empty
	case isAdded && strings.HasPrefix(place, "/conferenceData/"), isAdded && strings.HasPrefix(place, "/attachments/*/"):
		return true // the service may add details of the conference or file
	case !isListed(place):
		return true
	}
	return slices.ContainsFunc(a.result.Findings, func(f diag.Finding) bool {
		at := patternOf(f.Path)
		isOfElement := f.Rule.ID != ruleid.AttendeeResponseNew // the guest must not change, although the response may
		return isAboutValue(f) && (isWithin(place, at) || isOfElement && isWithin(at, place))
	})
}

// isAboutValue reports whether a finding advises against a value in the body, which the service may therefore change. The
// result is false for fractions of seconds, whose handling is known.
func isAboutValue(f diag.Finding) bool {
	isOfValue := f.Rule.Scope == diag.OfEvent || f.Rule.ID == ruleid.JSONType
	return f.Kind == diag.Advise && isOfValue && f.Path.InBody() && f.Path != "" && f.Rule.ID != ruleid.TimeFraction
}

// isWithin reports whether place is other or is within other.
func isWithin(place, other string) bool { return strings.HasPrefix(place+"/", other+"/") }

// patternOf returns the path with each array index replaced by "*".
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

// isIndex reports whether a reference token consists only of digits.
func isIndex(token string) bool { return strings.Trim(token, "0123456789") == "" }

// isEmptyValue reports whether a value is an empty string or list, or an object whose members are all empty values.
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

// isListed reports whether the tables list the member at the given place itself, not just its container.
func isListed(place string) bool {
	at, outer := "", "object"
	for token := range strings.SplitSeq(place[1:], "/") {
		at += "/" + token
		is, isListed := memberTypes()[at]
		switch {
		case token == "*" && outer == "array of objects":
			is = "object"
		case outer != "object":
			return true // no table lists the contents
		case !isListed && strings.Count(at, "/") > 1:
			return false
		}
		outer = is
	}
	return true
}

// memberTypes maps the place of each member of an event to the member's type.
var memberTypes = sync.OnceValue(func() map[string]string {
	types := map[string]string{}
	tables().event.Visit("", func(at diag.Pointer, d *object.Declaration, _ object.GoField) { types[string(at)] = d.Type() })
	return types
})
