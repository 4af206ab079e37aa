package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// valueWays break the rules about single members.
func valueVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.EventStatusEnum:       notListed(variant{}, []string{"/status"}, limits.EventStatus.Values()),
		ruleid.EventTransparencyEnum: notListed(variant{}, []string{"/transparency"}, limits.Transparency.Values()),
		ruleid.EventVisibilityEnum:   notListed(variant{}, []string{"/visibility"}, limits.Visibility.Values()),
		ruleid.EventVisibilityConfidential: append(
			variantsAt(variant{prepare: public}, []string{"/visibility"}, just("for another", "confidential")),
			variantsAt(variant{prepare: ofNoVisibility}, []string{"/visibility"}, just("for none", "confidential"))...),
		ruleid.EventSequence: variantsAt(variant{}, []string{"/sequence"}, below(limits.SequenceMin)...),
		ruleid.EventAnyoneCanAddSelfDeprecated: append(
			variantsAt(variant{prepare: noSelf}, []string{"/anyoneCanAddSelf"}, just("true", true)),
			variantsAt(variant{prepare: noSelf, on: diag.Create}, []string{"/anyoneCanAddSelf"}, just("false, written out", false))...),

		ruleid.EventExtendedProperties: append(
			variantsAt(variant{prepare: withProperties}, []string{"/extendedProperties/private/a", "/extendedProperties/shared/a"}, notText()...),
			variantsAt(variant{prepare: withProperties}, []string{"/extendedProperties/private", "/extendedProperties/shared"}, notObjects()...)...),
		ruleid.EventExtendedPropertiesSize: {
			{name: "a key of one character more", mutate: longKey(limits.PropertyKeyMaxLength + 1)},
			{name: "a long key", mutate: longKey(10 * limits.PropertyKeyMaxLength)},
			{name: "a value of one character more", mutate: longValue(limits.PropertyValueMaxLength + 1)},
			{name: "a long value", mutate: longValue(100 * limits.PropertyValueMaxLength)},
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
func notText() []badValue {
	return []badValue{
		anyOf("a number", 0, -1, 1.5),
		anyOf("a boolean", true, false),
		anyOf("a list", []any{}, []any{"a"}),
		anyOf("an object", members{}, members{"a": "b"}),
	}
}

// noObject are values of other types than object.
func notObjects() []badValue {
	return []badValue{
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
func longKey(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		key := padded(Text(limits.PropertyKeyMaxLength).Draw(t, "key"), n)
		path := propertyMaps().Draw(t, "map").Member(key)
		put(d.body, path, Text(10).Draw(t, "value"))
		return path
	}
}

// longValue adds a property with a value of n characters.
func longValue(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := propertyMaps().Draw(t, "map").Member(draw.NonEmptyText(limits.PropertyKeyMaxLength).Draw(t, "key"))
		put(d.body, path, padded(Text(limits.PropertyValueMaxLength).Draw(t, "value"), n))
		return path
	}
}

// partWays break the rules about attendees, the gadget, reminders, the source and attachments.
func partVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.AttendeeEmailRequired: {
			{name: "a name alone", mutate: addAttendee(members{"displayName": "Ada"})},
			{name: "nothing", mutate: addAttendee(members{})},
			{name: "null", on: diag.Create | diag.Update, mutate: addAttendee(members{"email": nil, "optional": true})},
		},
		ruleid.AttendeeEmailAddress: variantsAt(variant{prepare: withAttendees}, []string{"/attendees/*/email"}, notAddresses()...),
		ruleid.AttendeeDuplicate: {
			{name: "the same address", mutate: addTwins("guest@example.com", "guest@example.com")},
			{name: "a domain in capitals", mutate: addTwins("guest@example.com", "guest@EXAMPLE.com")},
			{name: "a domain literal in capitals", mutate: addTwins("guest@[IPv6:2001:db8::a]", "guest@[ipv6:2001:DB8::A]")},
		},
		ruleid.AttendeeResponseEnum: notListed(variant{prepare: withAttendees}, []string{"/attendees/*/responseStatus"}, limits.ResponseStatus.Values()),
		ruleid.AttendeeResponseNew: variantsAt(variant{prepare: withAttendees}, []string{"/attendees/*/responseStatus"},
			just("accepted", "accepted"), just("declined", "declined"), just("tentative", "tentative")),
		ruleid.AttendeeGuests:         variantsAt(variant{prepare: withAttendees}, []string{"/attendees/*/additionalGuests"}, below(limits.AdditionalGuestsMin)...),
		ruleid.AttendeeAsyncOperation: notListed(variant{prepare: withAttendees}, []string{"/attendees/*/asyncOperation"}, limits.AsyncOperation.Values()),
		ruleid.AttendeeServiceAccount: {
			{name: "one attendee", mutate: invitedByRobot(1)},
			{name: "many attendees", mutate: invitedByRobot(200)},
		},

		ruleid.GadgetDeprecated: {
			{name: "a whole one", prepare: noGadget, mutate: addGadget},
			{name: "an empty one", prepare: noGadget, mutate: putting("/gadget", members{})},
		},
		ruleid.GadgetSize:        variantsAt(variant{prepare: withGadget}, []string{"/gadget/width", "/gadget/height"}, below(limits.GadgetSizeMin)...),
		ruleid.GadgetDisplayEnum: notListed(variant{prepare: withGadget}, []string{"/gadget/display"}, limits.GadgetDisplay.Values()),
		ruleid.GadgetPreferences: append(
			variantsAt(variant{prepare: withGadget}, []string{"/gadget/preferences/a", "/gadget/preferences/b"}, notText()...),
			variantsAt(variant{prepare: withGadget}, []string{"/gadget/preferences"}, notObjects()...)...),

		ruleid.RemindersOverridesMax: {
			{name: "one too many", prepare: withOverrides, mutate: manyReminders(limits.ReminderOverridesMax + 1)},
			{name: "far too many", prepare: withOverrides, mutate: manyReminders(100 * limits.ReminderOverridesMax)},
		},
		ruleid.RemindersMethod: append(missing(variant{prepare: withOverrides}, "/reminders/overrides/*/method"),
			notListed(variant{prepare: withOverrides}, []string{"/reminders/overrides/*/method"}, limits.ReminderMethod.Values())...),
		ruleid.RemindersMinutes: append(missing(variant{prepare: withOverrides}, "/reminders/overrides/*/minutes"),
			variantsAt(variant{prepare: withOverrides}, []string{"/reminders/overrides/*/minutes"},
				append(below(limits.ReminderMinutesMin), above(limits.ReminderMinutesMax)...)...)...),
		ruleid.RemindersDefaultAndOverrides: {
			{name: "the defaults beside its own", prepare: withOverrides, whole: []string{"reminders"}, mutate: defaultsBeside},
			{name: "its own beside the defaults", prepare: withDefaults, whole: []string{"reminders"}, mutate: overridesOf(limits.ReminderOverridesMax)},
		},
		ruleid.RemindersOverridesAlone: {
			{name: "one", prepare: noReminders, mutate: overridesOf(1)},
			{name: "as many as there may be", prepare: noReminders, mutate: overridesOf(limits.ReminderOverridesMax)},
		},

		ruleid.SourceURL: variantsAt(variant{prepare: withSource}, []string{"/source/url"}, notHTTPURLs()...),

		ruleid.AttachmentsMax: {
			{name: "one too many", mutate: manyAttachments(limits.AttachmentsMax + 1)},
			{name: "far too many", mutate: manyAttachments(100 * limits.AttachmentsMax)},
		},
		ruleid.AttachmentsFileURL: {
			{name: "left out", prepare: fewAttachments, mutate: addAttachment(members{"title": "Agenda"})},
			{name: "empty", prepare: fewAttachments, mutate: addAttachment(members{"fileUrl": ""})},
			{name: "null", on: diag.Create | diag.Update, prepare: fewAttachments, mutate: addAttachment(members{"fileUrl": nil})},
		},
	}
}

// putting makes a function that sets one value, always the same.
func putting(path diag.Pointer, value any) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		put(d.body, path, cloned(value))
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
func (d *draft) add(array diag.Pointer, element any) diag.Pointer {
	list, _ := at(d.body, array).([]any)
	if list == nil {
		list = []any{}
	}
	put(d.body, array, append(list[:len(list):len(list)], element))
	return array.Index(len(list))
}

// addAttendee adds an attendee who lacks an address.
func addAttendee(attendee members) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		return d.add("/attendees", cloned(attendee)) + "/email"
	}
}

// addTwins adds two attendees; the second is found.
func addTwins(first, second string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.add("/attendees", members{"email": first})
		return d.add("/attendees", members{"email": second, "displayName": "Guest"}) + "/email"
	}
}

// invitedByRobot adds attendees on behalf of a service account that acts for nobody.
func invitedByRobot(n int) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{ServiceAccount: new(true)}
		for i := range n {
			d.add("/attendees", members{"email": guest(i)})
		}
		return "/attendees"
	}
}

func noGadget(_ *rapid.T, e *event.Event) { e.Gadget = nil }

func addGadget(t *rapid.T, d *draft) diag.Pointer {
	e := &event.Event{Gadget: draw.Built(drawGadget).Draw(t, "gadget")}
	put(d.body, "/gadget", members{"title": "Cake"})
	for name, value := range encodeTree(e)["gadget"].(members) {
		put(d.body, diag.Pointer("/gadget").Member(name), value)
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

func manyReminders(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		var list []any
		for i := range n {
			list = append(list, members{"method": "popup", "minutes": i % limits.ReminderMinutesMax})
		}
		put(d.body, "/reminders/overrides", list)
		return "/reminders/overrides"
	}
}

func defaultsBeside(_ *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/reminders/useDefault", true)
	return "/reminders/overrides"
}

// withDefaults gives the event the reminders of its calendar.
func withDefaults(_ *rapid.T, e *event.Event) { e.Reminders = &event.Reminders{UseDefault: new(true)} }

// overridesOf adds n reminders, and says nothing of the defaults.
func overridesOf(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		minutes := rapid.IntRange(limits.ReminderMinutesMin, limits.ReminderMinutesMax).Draw(t, "minutes")
		one := members{"method": "email", "minutes": minutes}
		put(d.body, "/reminders/overrides", slices.Repeat([]any{one}, n))
		return "/reminders/overrides"
	}
}

// withSource gives the event a source.
func withSource(t *rapid.T, e *event.Event) {
	e.Source = &event.Source{Title: "Ticket", URL: httpURL(freeText).Draw(t, "url")}
}

// noHTTPURL are texts that are no URL of scheme http or https with a host.
func notHTTPURLs() []badValue {
	return []badValue{
		anyOf("another scheme", "ftp://example.com/", "javascript:alert(1)", "tel:+15550100", "file:///etc/hosts", "httpx://example.com/"),
		anyOf("no scheme", "example.com", "//example.com/", "/a", "www.example.com/a"),
		anyOf("no host", "https://", "http:", "https:///a", "http://?a", "https://:443/", "https:example.com"),
		anyOf("a blank", " https://example.com/", "https://example.com/ ", "https://exa mple.com/", "https://example.com/a b"),
		anyOf("a control character", "https://example.com/\n", "https://example.com/\x00", "java\nscript:https://example.com/"),
		anyOf("half an escape", "https://example.com/%", "https://example.com/%zz", "https://example.com/?a=%2"),
		just("long, and of another scheme", "ftp://example.com/"+strings.Repeat("a", 100_000)),
	}
}

func manyAttachments(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		address := httpURL(freeText).Draw(t, "fileUrl")
		var list []any
		for range n {
			list = append(list, members{"fileUrl": address})
		}
		put(d.body, "/attachments", list)
		return "/attachments"
	}
}

// fewAttachments leaves room for one more.
func fewAttachments(_ *rapid.T, e *event.Event) {
	e.Attachments = e.Attachments[:min(len(e.Attachments), limits.AttachmentsMax-1)]
}

// addAttachment adds an attachment that lacks its file.
func addAttachment(attachment members) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		return d.add("/attachments", cloned(attachment)) + "/fileUrl"
	}
}
