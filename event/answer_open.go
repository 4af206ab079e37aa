package event

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
)

// isOpen reports whether the rules permit the given difference between the response and the expected event.
func (a *answerRun) isOpen(want *Event, d object.Difference) bool {
	place := patternOf(d.Path)
	isAdded := d.Old == nil
	switch {
	case isAdded && isEmptyValue(d.New), d.New == nil && isEmptyValue(d.Old):
		return true // both values are empty
	case strings.HasPrefix(place, "/conferenceData/") && isGenerating(want.ConferenceData):
		return !slices.Contains(requested, place)
	case isAdded && strings.HasPrefix(place, "/conferenceData/") && a.in.writesConference(), isAdded && strings.HasPrefix(place, "/attachments/*/"):
		return true // the service may add details of the conference or file
	case place == "/reminders/useDefault" && a.has(ruleid.RemindersOverridesAlone), !isListed(place):
		return true
	}
	return a.isUnsettled(want, d.Path, new(jsonscan.Index).Of(d.Old), new(jsonscan.Index).Of(d.New))
}

// isGenerating reports whether the service may still generate the conference.
func isGenerating(c *conference.Data) bool {
	if c == nil || c.CreateRequest == nil {
		return false
	}
	status := c.CreateRequest.Status
	return status == nil || status.Code == constraint.RequestPending
}

// requested lists the members of a create request that the client sends. They must not change while the service generates the
// conference.
var requested = []string{
	"/conferenceData/createRequest/requestId", "/conferenceData/createRequest/conferenceSolutionKey",
	"/conferenceData/createRequest/conferenceSolutionKey/type",
}

// writesConference reports whether the request writes the conference.
func (in *input) writesConference() bool {
	return in.options.ConferenceDataVersion == 1 && in.present.Has(ofConferenceData)
}

// has reports whether a finding about the request is from the given rule.
func (a *answerRun) has(rule string) bool {
	return slices.ContainsFunc(a.result.Findings, func(f diag.Finding) bool { return f.Rule.ID == rule })
}

// isUnsettled reports whether the value at the given path of the expected event may differ or be absent in the response, because
// findings advise against the value or against each of its members and elements. Elements that the response contains do not count.
func (a *answerRun) isUnsettled(want *Event, at diag.Pointer, old, got jsonscan.Value) bool {
	if slices.ContainsFunc(a.result.Findings, func(f diag.Finding) bool { return isAboutValue(f) && a.concerns(f, want, at) }) {
		return true
	}
	parts := 0
	for name, member := range old.Members() {
		if parts++; !a.isUnsettled(want, at.Member(name.String()), member, jsonscan.Value{}) {
			return false
		}
	}
	var has []string
	for element := range got.Elements() {
		has = append(has, string(element.Text))
	}
	for element := range old.Elements() {
		if !slices.Contains(has, string(element.Text)) && !a.isUnsettled(want, at.Index(parts), element, jsonscan.Value{}) {
			return false
		}
		parts++
	}
	return parts > 0 && len(has) <= parts // the response may replace elements, but not add any
}

// concerns reports whether a finding about a value of the body is about the value at the given path of the expected event, or
// about a part of that value if it is an element of an array.
func (a *answerRun) concerns(f diag.Finding, want *Event, at diag.Pointer) bool {
	place := f.Path
	if i, rest, ok := guestIn(f.Path); ok && i < len(a.in.sent.Attendees) {
		email := a.in.sent.Attendees[i].Email
		if f.Rule.ID == ruleid.AttendeeDuplicate && findAttendee(a.guests, email) == nil {
			return false // one of the entries must remain
		}
		if k, _, ok := guestIn(at); ok && k < len(want.Attendees) && form.SameAddress(email, want.Attendees[k].Email) {
			place = diag.Pointer("/attendees").Index(k) + rest // the expected guests are in the order of the response
		}
	}
	if isWithin(at, place) {
		return true
	}
	_, last := at.Split()
	isOfStatus := f.Rule.ID == ruleid.AttendeeResponseNew || f.Rule.ID == ruleid.ResponseStatusUnspecified
	return !isOfStatus && isIndex(last) && isWithin(place, at) // the guest must not change, although the responseStatus may
}

// guestIn returns the index of the attendee that a path is about, and the rest of the path.
func guestIn(path diag.Pointer) (i int, rest diag.Pointer, ok bool) {
	after, _ := strings.CutPrefix(string(path), "/attendees/")
	token, _, _ := strings.Cut(after, "/") // of another path, the token is empty
	i, ok = jsonscan.ArrayIndex(token)
	return i, diag.Pointer(after[len(token):]), ok
}

// isAboutValue reports whether a finding advises against a value in the body, or says that the effect of the value is unspecified.
// In both cases, the service may change the value.
func isAboutValue(f diag.Finding) bool {
	isOfValue := f.Kind == diag.Advise && (f.Rule.Scope == diag.OfEvent || f.Rule.ID == ruleid.JSONType)
	return f.Rule.ID == ruleid.ResponseStatusUnspecified || isOfValue && f.Path.InBody() && f.Path != "" && !slices.Contains(settled, f.Rule.ID)
}

// settled contains rules that advise against a value but determine its effect.
var settled = []string{
	ruleid.AttendeeMany, ruleid.AttendeeRemoved, ruleid.EventVisibilityConfidential, ruleid.RecurrenceExRuleDeprecated,
	ruleid.RecurrenceReanchored, ruleid.RecurrenceRuleAmbiguous, ruleid.RecurrenceRuleUntilForm, ruleid.RecurrenceStartNotInRule,
	ruleid.RemindersOverridesAlone, ruleid.TimeEmpty, ruleid.TimeFraction, ruleid.TimeOffsetSeason,
}

// isWithin reports whether place is other or is within other.
func isWithin(place, other diag.Pointer) bool {
	return strings.HasPrefix(string(place+"/"), string(other+"/"))
}

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
		case outer == "array of objects":
			is = "object"
		case outer != "object":
			return true // no table lists the contents
		case !isListed:
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
