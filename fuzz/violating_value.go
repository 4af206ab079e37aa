package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// valueWays break the rules about single members.
func valueWays() map[string][]way {
	return map[string][]way{
		"event.status.enum":       listed(way{}, []string{"/status"}, limits.EventStatus.Values()),
		"event.transparency.enum": listed(way{}, []string{"/transparency"}, limits.Transparency.Values()),
		"event.visibility.enum":   listed(way{}, []string{"/visibility"}, limits.Visibility.Values()),
		"event.visibility.confidential": append(
			leaf(way{prepare: public}, []string{"/visibility"}, just("for another", "confidential")),
			leaf(way{prepare: ofNoVisibility}, []string{"/visibility"}, just("for none", "confidential"))...),
		"event.sequence": leaf(way{}, []string{"/sequence"}, below(limits.SequenceMin)...),
		"event.anyone-can-add-self.deprecated": append(
			leaf(way{prepare: noSelf}, []string{"/anyoneCanAddSelf"}, just("true", true)),
			leaf(way{prepare: noSelf, on: diag.Create}, []string{"/anyoneCanAddSelf"}, just("false, written out", false))...),

		"event.extended-properties": append(
			leaf(way{prepare: withProperties}, []string{"/extendedProperties/private/a", "/extendedProperties/shared/a"}, noText()...),
			leaf(way{prepare: withProperties}, []string{"/extendedProperties/private", "/extendedProperties/shared"}, noObject()...)...),
		"event.extended-properties.size": {
			{name: "a key of one character more", violate: longKey(limits.PropertyKeyMaxLength + 1)},
			{name: "a long key", violate: longKey(10 * limits.PropertyKeyMaxLength)},
			{name: "a value of one character more", violate: longValue(limits.PropertyValueMaxLength + 1)},
			{name: "a long value", violate: longValue(100 * limits.PropertyValueMaxLength)},
		},
	}
}

func public(_ *rapid.T, e *event.Event)         { e.Visibility = "public" }
func ofNoVisibility(_ *rapid.T, e *event.Event) { e.Visibility = "" }
func noSelf(_ *rapid.T, e *event.Event)         { e.AnyoneCanAddSelf = false }

// withProperties gives the event both maps.
func withProperties(_ *rapid.T, e *event.Event) {
	e.ExtendedProperties = &event.ExtendedProperties{
		Private: map[string]string{"a": "1", "b": ""},
		Shared:  map[string]string{"a": "1"},
	}
}

// noText are values of other types than string. Null is none of them, which takes out an
// entry of a map, or an object.
func noText() []wrong {
	return []wrong{
		anyOf("a number", 0, -1, 1.5),
		anyOf("a boolean", true, false),
		anyOf("a list", []any{}, []any{"a"}),
		anyOf("an object", members{}, members{"a": "b"}),
	}
}

// noObject are values of other types than object.
func noObject() []wrong {
	return []wrong{
		anyOf("a number for the map", 0, 1e3),
		anyOf("a text for the map", "", "{}"),
		anyOf("a boolean for the map", true, false),
		anyOf("a list for the map", []any{}, []any{members{"a": "b"}}),
	}
}

var propertyMaps = draw.Lazy(func() *rapid.Generator[diag.Pointer] {
	return rapid.SampledFrom([]diag.Pointer{"/extendedProperties/private", "/extendedProperties/shared"})
})

// longKey adds a property with a key of n characters.
func longKey(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		key := padded(Text(limits.PropertyKeyMaxLength).Draw(t, "key"), n)
		path := propertyMaps().Draw(t, "map").Member(key)
		put(s.body, path, Text(10).Draw(t, "value"))
		return path
	}
}

// longValue adds a property with a value of n characters.
func longValue(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		path := propertyMaps().Draw(t, "map").Member(draw.NonEmptyText(limits.PropertyKeyMaxLength).Draw(t, "key"))
		put(s.body, path, padded(Text(limits.PropertyValueMaxLength).Draw(t, "value"), n))
		return path
	}
}

// partWays break the rules about attendees, the gadget, reminders, the source and attachments.
func partWays() map[string][]way {
	return map[string][]way{
		"attendee.email.required": {
			{name: "a name alone", violate: addAttendee(members{"displayName": "Ada"})},
			{name: "nothing", violate: addAttendee(members{})},
			{name: "null", on: diag.Create | diag.Update, violate: addAttendee(members{"email": nil, "optional": true})},
		},
		"attendee.email.address": leaf(way{prepare: withAttendees}, []string{"/attendees/*/email"}, noAddress()...),
		"attendee.duplicate": {
			{name: "the same address", violate: addTwins("guest@example.com", "guest@example.com")},
			{name: "a domain in capitals", violate: addTwins("guest@example.com", "guest@EXAMPLE.com")},
			{name: "a domain literal in capitals", violate: addTwins("guest@[IPv6:2001:db8::a]", "guest@[ipv6:2001:DB8::A]")},
		},
		"attendee.response.enum": listed(way{prepare: withAttendees}, []string{"/attendees/*/responseStatus"}, limits.ResponseStatus.Values()),
		"attendee.response.new": leaf(way{prepare: withAttendees}, []string{"/attendees/*/responseStatus"},
			just("accepted", "accepted"), just("declined", "declined"), just("tentative", "tentative")),
		"attendee.guests":          leaf(way{prepare: withAttendees}, []string{"/attendees/*/additionalGuests"}, below(limits.AdditionalGuestsMin)...),
		"attendee.async-operation": listed(way{prepare: withAttendees}, []string{"/attendees/*/asyncOperation"}, limits.AsyncOperation.Values()),
		"attendee.service-account": {
			{name: "one attendee", violate: invitedByRobot(1)},
			{name: "many attendees", violate: invitedByRobot(200)},
		},

		"gadget.deprecated": {
			{name: "a whole one", prepare: noGadget, violate: addGadget},
			{name: "an empty one", prepare: noGadget, violate: putting("/gadget", members{})},
		},
		"gadget.size":         leaf(way{prepare: withGadget}, []string{"/gadget/width", "/gadget/height"}, below(limits.GadgetSizeMin)...),
		"gadget.display.enum": listed(way{prepare: withGadget}, []string{"/gadget/display"}, limits.GadgetDisplay.Values()),
		"gadget.preferences": append(
			leaf(way{prepare: withGadget}, []string{"/gadget/preferences/a", "/gadget/preferences/b"}, noText()...),
			leaf(way{prepare: withGadget}, []string{"/gadget/preferences"}, noObject()...)...),

		"reminders.overrides.max": {
			{name: "one too many", prepare: withOverrides, violate: manyReminders(limits.ReminderOverridesMax + 1)},
			{name: "far too many", prepare: withOverrides, violate: manyReminders(100 * limits.ReminderOverridesMax)},
		},
		"reminders.method": append(missing(way{prepare: withOverrides}, "/reminders/overrides/*/method"),
			listed(way{prepare: withOverrides}, []string{"/reminders/overrides/*/method"}, limits.ReminderMethod.Values())...),
		"reminders.minutes": append(missing(way{prepare: withOverrides}, "/reminders/overrides/*/minutes"),
			leaf(way{prepare: withOverrides}, []string{"/reminders/overrides/*/minutes"},
				append(below(limits.ReminderMinutesMin), above(limits.ReminderMinutesMax)...)...)...),
		"reminders.default-and-overrides": {
			{name: "the defaults beside its own", prepare: withOverrides, whole: []string{"reminders"}, violate: defaultsBeside},
			{name: "its own beside the defaults", prepare: withDefaults, whole: []string{"reminders"}, violate: overridesOf(limits.ReminderOverridesMax)},
		},
		"reminders.overrides-alone": {
			{name: "one", prepare: noReminders, violate: overridesOf(1)},
			{name: "as many as there may be", prepare: noReminders, violate: overridesOf(limits.ReminderOverridesMax)},
		},

		"source.url": leaf(way{prepare: withSource}, []string{"/source/url"}, noHTTPURL()...),

		"attachments.max": {
			{name: "one too many", violate: manyAttachments(limits.AttachmentsMax + 1)},
			{name: "far too many", violate: manyAttachments(100 * limits.AttachmentsMax)},
		},
		"attachments.file-url": {
			{name: "left out", prepare: fewAttachments, violate: addAttachment(members{"title": "Agenda"})},
			{name: "empty", prepare: fewAttachments, violate: addAttachment(members{"fileUrl": ""})},
			{name: "null", on: diag.Create | diag.Update, prepare: fewAttachments, violate: addAttachment(members{"fileUrl": nil})},
		},
	}
}

// putting makes a function that sets one value, always the same.
func putting(path diag.Pointer, value any) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		put(s.body, path, cloned(value))
		return path
	}
}

// withAttendees gives the event at least one attendee.
func withAttendees(t *rapid.T, e *event.Event) {
	if len(e.Attendees) == 0 {
		e.Attendees = []event.Attendee{drawAttendee(t, Address().Draw(t, "address"))}
	}
}

// add appends an element to an array of the body, and returns its place.
func (s *scene) add(array diag.Pointer, element any) diag.Pointer {
	list, _ := at(s.body, array).([]any)
	if list == nil {
		list = []any{}
	}
	put(s.body, array, append(list[:len(list):len(list)], element))
	return array.Index(len(list))
}

// addAttendee adds an attendee who lacks an address.
func addAttendee(attendee members) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		return s.add("/attendees", cloned(attendee)) + "/email"
	}
}

// addTwins adds two attendees; the second is found.
func addTwins(first, second string) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		s.add("/attendees", members{"email": first})
		return s.add("/attendees", members{"email": second, "displayName": "Guest"}) + "/email"
	}
}

// invitedByRobot adds attendees on behalf of a service account that acts for nobody.
func invitedByRobot(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		s.caller = &operation.Caller{ServiceAccount: new(true)}
		for i := range n {
			s.add("/attendees", members{"email": guest(i)})
		}
		return "/attendees"
	}
}

func noGadget(_ *rapid.T, e *event.Event) { e.Gadget = nil }

func addGadget(t *rapid.T, s *scene) diag.Pointer {
	e := &event.Event{Gadget: draw.Built(drawGadget).Draw(t, "gadget")}
	put(s.body, "/gadget", members{"title": "Cake"})
	for name, value := range treeOf(e)["gadget"].(members) {
		put(s.body, diag.Pointer("/gadget").Member(name), value)
	}
	return "/gadget"
}

// withGadget gives the event a gadget that has preferences.
func withGadget(t *rapid.T, e *event.Event) {
	e.Gadget = draw.Built(drawGadget).Draw(t, "gadget")
	e.Gadget.Preferences = map[string]string{"a": "1", "b": "2"}
}

func noReminders(_ *rapid.T, e *event.Event) { e.Reminders = nil }

// withOverrides gives the event reminders of its own.
func withOverrides(t *rapid.T, e *event.Event) {
	e.Reminders = &event.Reminders{UseDefault: new(false)}
	n := rapid.IntRange(1, limits.ReminderOverridesMax).Draw(t, "number of overrides")
	e.Reminders.Overrides = rapid.SliceOfN(override(), n, n).Draw(t, "overrides")
}

func manyReminders(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		var list []any
		for i := range n {
			list = append(list, members{"method": "popup", "minutes": i % limits.ReminderMinutesMax})
		}
		put(s.body, "/reminders/overrides", list)
		return "/reminders/overrides"
	}
}

func defaultsBeside(_ *rapid.T, s *scene) diag.Pointer {
	put(s.body, "/reminders/useDefault", true)
	return "/reminders/overrides"
}

// withDefaults gives the event the reminders of its calendar.
func withDefaults(_ *rapid.T, e *event.Event) { e.Reminders = &event.Reminders{UseDefault: new(true)} }

// overridesOf adds n reminders, and says nothing of the defaults.
func overridesOf(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		minutes := rapid.IntRange(limits.ReminderMinutesMin, limits.ReminderMinutesMax).Draw(t, "minutes")
		one := members{"method": "email", "minutes": minutes}
		put(s.body, "/reminders/overrides", slices.Repeat([]any{one}, n))
		return "/reminders/overrides"
	}
}

// withSource gives the event a source.
func withSource(t *rapid.T, e *event.Event) {
	e.Source = &event.Source{Title: "Ticket", URL: httpURL(freeText).Draw(t, "url")}
}

// noHTTPURL are texts that are no URL of scheme http or https with a host.
func noHTTPURL() []wrong {
	return []wrong{
		anyOf("another scheme", "ftp://example.com/", "javascript:alert(1)", "tel:+15550100", "file:///etc/hosts", "httpx://example.com/"),
		anyOf("no scheme", "example.com", "//example.com/", "/a", "www.example.com/a"),
		anyOf("no host", "https://", "http:", "https:///a", "http://?a", "https://:443/", "https:example.com"),
		anyOf("a blank", " https://example.com/", "https://example.com/ ", "https://exa mple.com/", "https://example.com/a b"),
		anyOf("a control character", "https://example.com/\n", "https://example.com/\x00", "java\nscript:https://example.com/"),
		anyOf("half an escape", "https://example.com/%", "https://example.com/%zz", "https://example.com/?a=%2"),
		just("long, and of another scheme", "ftp://example.com/"+strings.Repeat("a", 100_000)),
	}
}

func manyAttachments(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		address := httpURL(freeText).Draw(t, "fileUrl")
		var list []any
		for range n {
			list = append(list, members{"fileUrl": address})
		}
		put(s.body, "/attachments", list)
		return "/attachments"
	}
}

// fewAttachments leaves room for one more.
func fewAttachments(_ *rapid.T, e *event.Event) {
	e.Attachments = e.Attachments[:min(len(e.Attachments), limits.AttachmentsMax-1)]
}

// addAttachment adds an attachment that lacks its file.
func addAttachment(attachment members) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		return s.add("/attachments", cloned(attachment)) + "/fileUrl"
	}
}
