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

// identityVariants break the rules about the ids, the times and the organizer of an event.
func identityVariants() map[string][]variant {
	imported := variant{on: diag.Import}
	return map[string][]variant{
		ruleid.EventKind: variant{}.unlisted("/kind", []string{limits.EventKind}),
		ruleid.EventIDAlphabet: variant{}.invalid("/id",
			drawnAs("the letters after v", idWith('w', 'x', 'y', 'z')),
			drawnAs("a capital", idWith('A', 'K', 'V', 'W')),
			drawnAs("the signs of server ids", idWith('_', '-', '@', '.')),
			drawnAs("a blank or a control character", idWith(' ', '\t', '\n', '\x00')),
			drawnAs("a letter or a digit of another script", idWith('é', 'а', '１', '٣', '🎂')),
		),
		ruleid.EventIDLength: variant{}.invalid("/id",
			just("empty", ""),
			drawnAs("one too short", idOf(limits.EventIDMinLength-1)),
			drawnAs("one character", idOf(1)),
			drawnAs("one too long", idOf(limits.EventIDMaxLength+1)),
			drawnAs("far too long", idOf(100*limits.EventIDMaxLength)),
		),
		ruleid.EventIDUnique: {{name: "the only one", mutate: taken()}, {name: "one of several", mutate: taken("other1", "other2")}},
		ruleid.EventIDWithICalUID: {
			{name: "both", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				put(d.body, "/id", ID().Draw(t, "id"))
				put(d.body, "/iCalUID", draw.NonEmptyText(freeText).Draw(t, "iCalUID"))
				return "/iCalUID"
			}},
			{name: "one text as both", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				id := ID().Draw(t, "id")
				put(d.body, "/id", id)
				put(d.body, "/iCalUID", id)
				return "/iCalUID"
			}},
		},
		ruleid.EventICalUIDRequired: slices.Concat(imported.missing("/iCalUID"), imported.invalid("/iCalUID", just("empty", ""))),
		ruleid.EventOrganizerEmail:  imported.invalid("/organizer/email", notAddresses()...),
		ruleid.EventStartRequired:   variant{prepare: single}.missing("/start"),
		ruleid.EventEndRequired:     variant{prepare: single}.missing("/end"),
		ruleid.EventStartEndRequired: slices.Concat(
			variant{prepare: single, on: diag.Import | diag.Update}.missing("/start /end"),
			variant{prepare: allDaySeriesOnly, on: diag.Import | diag.Update}.missing("/start /end")),
	}
}

// edited returns a preparation that needs no draws.
func edited(edit func(e *event.Event)) preparation {
	return func(_ *rapid.T, e *event.Event) { edit(e) }
}

// single makes the event a single one.
func single(_ *rapid.T, e *event.Event) { e.Recurrence = nil }

// allDaySeriesOnly makes the event an all-day series.
func allDaySeriesOnly(t *rapid.T, e *event.Event) { drawSeries(t, e, true) }

// idOf draws an id of n characters of the alphabet.
func idOf(n int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return draw.Repeated(t, "id", base32hex(), n) })
}

// idWith draws an id of allowed length with one of the characters somewhere in it.
func idWith(bad ...rune) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := draw.Around(limits.EventIDMinLength, limits.EventIDMaxLength).Draw(t, "characters")
		id := []rune(idOf(n).Draw(t, "id"))
		id[rapid.IntRange(0, n-1).Draw(t, "at")] = rapid.SampledFrom(bad).Draw(t, "character")
		return string(id)
	})
}

// taken sends an id that the calendar already has, among others.
func taken(others ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		id := ID().Draw(t, "id")
		d.calendar = &operation.Calendar{IDs: append(others[:len(others):len(others)], id)}
		put(d.body, "/id", id)
		return "/id"
	}
}

// notAddresses are texts that are not an addr-spec. Some library accepts most of them.
func notAddresses() []badValue {
	return []badValue{
		anyOf("with a name", "Ada <ada@example.com>", "<ada@example.com>", `"Ada" <ada@example.com>`),
		anyOf("a URI", "mailto:ada@example.com", "https://example.com/"),
		anyOf("without a part", "ada", "ada@", "@example.com", "@", "example.com"),
		anyOf("a dot out of place", ".ada@example.com", "ada.@example.com", "a..b@example.com",
			"ada@example..com", "ada@.example.com", "ada@example.com."),
		anyOf("a blank", "ada @example.com", "ada@ example.com", " ada@example.com", "ada@example.com ", "ada@example.com\n", "a da@example.com"),
		anyOf("two addresses", "ada@example.com,bob@example.com", "ada@example.com; bob@example.com", "ada@bob@example.com"),
		anyOf("a sign that needs quotes", "a(b@example.com", "a,b@example.com", "a:b@example.com", `a\b@example.com`, "a[b@example.com"),
		anyOf("not closed", `"ada@example.com`, "ada@[192.0.2.1", `ada"@example.com`),
		just("long, and without a domain", strings.Repeat("a", 100_000)),
	}
}

// valueVariants break the rules about single members.
func valueVariants() map[string][]variant {
	withoutSelf := variant{prepare: edited(func(e *event.Event) { e.AnyoneCanAddSelf = false })}
	properties := variant{prepare: edited(func(e *event.Event) {
		e.ExtendedProperties = &event.ExtendedProperties{Private: map[string]string{"a": "1", "b": ""}, Shared: map[string]string{"a": "1"}}
	})}
	return map[string][]variant{
		ruleid.EventStatusEnum:       variant{}.unlisted("/status", limits.EventStatus.Values()),
		ruleid.EventTransparencyEnum: variant{}.unlisted("/transparency", limits.Transparency.Values()),
		ruleid.EventVisibilityEnum:   variant{}.unlisted("/visibility", limits.Visibility.Values()),
		ruleid.EventVisibilityConfidential: slices.Concat(
			variant{prepare: edited(func(e *event.Event) { e.Visibility = "public" })}.invalid("/visibility", just("for another", "confidential")),
			variant{prepare: edited(func(e *event.Event) { e.Visibility = "" })}.invalid("/visibility", just("for none", "confidential"))),
		ruleid.EventSequence: variant{}.invalid("/sequence", below(limits.SequenceMin)...),
		ruleid.EventAnyoneCanAddSelfDeprecated: slices.Concat(
			withoutSelf.invalid("/anyoneCanAddSelf", just("true", true)),
			withoutSelf.only(diag.Create).invalid("/anyoneCanAddSelf", just("false, written out", false))),

		ruleid.EventExtendedProperties: slices.Concat(
			properties.invalid("/extendedProperties/private/a /extendedProperties/shared/a", notTexts()...),
			properties.invalid("/extendedProperties/private /extendedProperties/shared", notMaps()...)),
		ruleid.EventExtendedPropertiesSize: {
			{name: "a key of one character more", mutate: longKey(limits.PropertyKeyMaxLength + 1)},
			{name: "a long key", mutate: longKey(10 * limits.PropertyKeyMaxLength)},
			{name: "a value of one character more", mutate: longValue(limits.PropertyValueMaxLength + 1)},
			{name: "a long value", mutate: longValue(100 * limits.PropertyValueMaxLength)},
		},
	}
}

// notTexts are values of types other than string. Null is not among them, because it removes an
// entry of a map.
func notTexts() []badValue {
	return []badValue{
		anyOf("a number", 0, -1, 1.5),
		anyOf("a boolean", true, false),
		anyOf("a list", []any{}, []any{"a"}),
		anyOf("an object", members{}, members{"a": "b"}),
	}
}

// notMaps are values of types other than object.
func notMaps() []badValue {
	return []badValue{
		anyOf("a number for the map", 0, 1e3),
		anyOf("a text for the map", "", "{}"),
		anyOf("a boolean for the map", true, false),
		anyOf("a list for the map", []any{}, []any{members{"a": "b"}}),
	}
}

func drawPropertyMap(t *rapid.T) diag.Pointer {
	return rapid.SampledFrom([]diag.Pointer{"/extendedProperties/private", "/extendedProperties/shared"}).Draw(t, "map")
}

// longKey adds a property with a key of n characters.
func longKey(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		key := padded(Text(limits.PropertyKeyMaxLength).Draw(t, "key"), n)
		path := drawPropertyMap(t).Member(key)
		put(d.body, path, Text(10).Draw(t, "value"))
		return path
	}
}

// longValue adds a property with a value of n characters.
func longValue(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := drawPropertyMap(t).Member(draw.NonEmptyText(limits.PropertyKeyMaxLength).Draw(t, "key"))
		put(d.body, path, padded(Text(limits.PropertyValueMaxLength).Draw(t, "value"), n))
		return path
	}
}

// partVariants break the rules about attendees, the gadget, reminders, the source and attachments.
func partVariants() map[string][]variant {
	attended := variant{prepare: withAttendees}
	withoutGadget := variant{prepare: edited(func(e *event.Event) { e.Gadget = nil })}
	gadget := variant{prepare: withGadget}
	overrides := variant{prepare: withOverrides}
	defaults := variant{prepare: edited(func(e *event.Event) { e.Reminders = &event.Reminders{UseDefault: new(true)} })}
	noReminders := variant{prepare: edited(func(e *event.Event) { e.Reminders = nil })}
	fewAttachments := variant{prepare: edited(func(e *event.Event) { // room for one more
		e.Attachments = e.Attachments[:min(len(e.Attachments), limits.AttachmentsMax-1)]
	})}
	reminders := []string{"reminders"}
	return map[string][]variant{
		ruleid.AttendeeEmailRequired: {
			{name: "a name alone", mutate: addWithout("/attendees", "/email", members{"displayName": "Ada"})},
			{name: "nothing", mutate: addWithout("/attendees", "/email", members{})},
			{name: "null", on: diag.Create | diag.Update, mutate: addWithout("/attendees", "/email", members{"email": nil, "optional": true})},
		},
		ruleid.AttendeeEmailAddress: attended.invalid("/attendees/*/email", notAddresses()...),
		ruleid.AttendeeDuplicate: {
			{name: "the same address", mutate: addTwins("guest@example.com", "guest@example.com")},
			{name: "a domain in capitals", mutate: addTwins("guest@example.com", "guest@EXAMPLE.com")},
			{name: "a domain literal in capitals", mutate: addTwins("guest@[IPv6:2001:db8::a]", "guest@[ipv6:2001:DB8::A]")},
		},
		ruleid.AttendeeResponseEnum: attended.unlisted("/attendees/*/responseStatus", limits.ResponseStatus.Values()),
		ruleid.AttendeeResponseNew: attended.invalid("/attendees/*/responseStatus",
			just("accepted", "accepted"), just("declined", "declined"), just("tentative", "tentative")),
		ruleid.AttendeeGuests:         attended.invalid("/attendees/*/additionalGuests", below(limits.AdditionalGuestsMin)...),
		ruleid.AttendeeAsyncOperation: attended.unlisted("/attendees/*/asyncOperation", limits.AsyncOperation.Values()),
		ruleid.AttendeeServiceAccount: {
			{name: "one attendee", mutate: invitedByServiceAccount(1)},
			{name: "many attendees", mutate: invitedByServiceAccount(200)},
		},

		ruleid.GadgetDeprecated: {
			withoutGadget.with("a whole one", addGadget),
			withoutGadget.with("an empty one", putting("/gadget", members{})),
		},
		ruleid.GadgetSize:        gadget.invalid("/gadget/width /gadget/height", below(limits.GadgetSizeMin)...),
		ruleid.GadgetDisplayEnum: gadget.unlisted("/gadget/display", limits.GadgetDisplay.Values()),
		ruleid.GadgetPreferences: slices.Concat(
			gadget.invalid("/gadget/preferences/a /gadget/preferences/b", notTexts()...),
			gadget.invalid("/gadget/preferences", notMaps()...)),

		ruleid.RemindersOverridesMax: {
			overrides.with("one too many", manyReminders(limits.ReminderOverridesMax+1)),
			overrides.with("far too many", manyReminders(100*limits.ReminderOverridesMax)),
		},
		ruleid.RemindersMethod: slices.Concat(
			overrides.missing("/reminders/overrides/*/method"),
			overrides.unlisted("/reminders/overrides/*/method", limits.ReminderMethod.Values())),
		ruleid.RemindersMinutes: slices.Concat(
			overrides.missing("/reminders/overrides/*/minutes"),
			overrides.invalid("/reminders/overrides/*/minutes", below(limits.ReminderMinutesMin)...),
			overrides.invalid("/reminders/overrides/*/minutes", above(limits.ReminderMinutesMax)...)),
		ruleid.RemindersDefaultAndOverrides: sharing(variant{whole: reminders},
			overrides.with("the defaults beside its own", within("/reminders/overrides", putting("/reminders/useDefault", true))),
			defaults.with("its own beside the defaults", equalReminders(limits.ReminderOverridesMax)),
		),
		ruleid.RemindersOverridesAlone: {
			noReminders.with("one", equalReminders(1)),
			noReminders.with("as many as there may be", equalReminders(limits.ReminderOverridesMax)),
		},

		ruleid.SourceURL: variant{prepare: withSource}.invalid("/source/url", notHTTPURLs()...),

		ruleid.AttachmentsMax: {
			{name: "one too many", mutate: manyAttachments(limits.AttachmentsMax + 1)},
			{name: "far too many", mutate: manyAttachments(100 * limits.AttachmentsMax)},
		},
		ruleid.AttachmentsFileURL: {
			fewAttachments.with("left out", addWithout("/attachments", "/fileUrl", members{"title": "Agenda"})),
			fewAttachments.with("empty", addWithout("/attachments", "/fileUrl", members{"fileUrl": ""})),
			fewAttachments.only(diag.Create|diag.Update).with("null", addWithout("/attachments", "/fileUrl", members{"fileUrl": nil})),
		},
	}
}

// addWithout returns a mutation that adds an element without a required member.
func addWithout(array, missing diag.Pointer, element members) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer { return d.add(array, cloned(element)) + missing }
}

// withAttendees gives the event at least one attendee.
func withAttendees(t *rapid.T, e *event.Event) {
	if len(e.Attendees) == 0 {
		e.Attendees = []event.Attendee{drawAttendee(t, Address().Draw(t, "address"))}
	}
}

// addTwins adds two attendees; the finding is at the second.
func addTwins(first, second string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.add("/attendees", members{"email": first})
		return d.add("/attendees", members{"email": second, "displayName": "Guest"}) + "/email"
	}
}

// invitedByServiceAccount adds attendees for a service account that acts for no user.
func invitedByServiceAccount(n int) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{ServiceAccount: new(true)}
		for i := range n {
			d.add("/attendees", members{"email": guest(i)})
		}
		return "/attendees"
	}
}

func addGadget(t *rapid.T, d *draft) diag.Pointer {
	drawn := member("gadget", &event.Event{Gadget: draw.Built(drawGadget).Draw(t, "gadget")})
	put(d.body, "/gadget", members{"title": "Cake"})
	for name, value := range drawn.(members) {
		put(d.body, diag.Pointer("/gadget").Member(name), value)
	}
	return "/gadget"
}

// withGadget gives the event a gadget that has preferences.
func withGadget(t *rapid.T, e *event.Event) {
	e.Gadget = draw.Built(drawGadget).Draw(t, "gadget")
	e.Gadget.Preferences = map[string]string{"a": "1", "b": "2"}
}

// withOverrides gives the event its own reminders.
func withOverrides(t *rapid.T, e *event.Event) {
	e.Reminders = &event.Reminders{UseDefault: new(false)}
	n := rapid.IntRange(1, limits.ReminderOverridesMax).Draw(t, "number of overrides")
	e.Reminders.Overrides = rapid.SliceOfN(override(), n, n).Draw(t, "overrides")
}

func manyReminders(n int) mutation {
	var list []any
	for i := range n {
		list = append(list, members{"method": "popup", "minutes": i % limits.ReminderMinutesMax})
	}
	return putting("/reminders/overrides", list)
}

// equalReminders sets n reminders, and does not mention the defaults.
func equalReminders(n int) mutation {
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

// notHTTPURLs are texts that are not a URL of scheme http or https with a host.
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
		one := members{"fileUrl": httpURL(freeText).Draw(t, "fileUrl")}
		put(d.body, "/attachments", slices.Repeat([]any{one}, n))
		return "/attachments"
	}
}
