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
	return map[string][]variant{
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

// notOfIDs are ids with a character that is not in the alphabet.
func notOfIDs() []badValue {
	return []badValue{
		drawnAs("the letters after v", idWith('w', 'x', 'y', 'z')),
		drawnAs("a capital", idWith('A', 'K', 'V', 'W')),
		drawnAs("the signs of server ids", idWith('_', '-', '@', '.')),
		drawnAs("a blank or a control character", idWith(' ', '\t', '\n', '\x00')),
		drawnAs("a letter or a digit of another script", idWith('é', 'а', '１', '٣', '🎂')),
	}
}

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
		d.calendar = &operation.Calendar{IDs: operation.IDList(append(others[:len(others):len(others)], id))}
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
	return map[string][]variant{
		ruleid.EventVisibilityConfidential: slices.Concat(
			variant{prepare: edited(func(e *event.Event) { e.Visibility = "public" })}.invalid("/visibility", just("for another", "confidential")),
			variant{prepare: edited(func(e *event.Event) { e.Visibility = "" })}.invalid("/visibility", just("for none", "confidential"))),
		ruleid.EventAnyoneCanAddSelfDeprecated: slices.Concat(
			withoutSelf.invalid("/anyoneCanAddSelf", just("true", true)),
			withoutSelf.only(diag.Create).invalid("/anyoneCanAddSelf", just("false, written out", false))),
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

// withProperties gives the event extended properties.
func withProperties(_ *rapid.T, e *event.Event) {
	e.ExtendedProperties = &event.ExtendedProperties{Private: map[string]string{"a": "1", "b": ""}, Shared: map[string]string{"a": "1"}}
}

// partVariants break the rules about attendees, the gadget, reminders, the source and attachments.
func partVariants() map[string][]variant {
	attended := variant{prepare: withAttendees}
	withoutGadget := variant{prepare: edited(func(e *event.Event) { e.Gadget = nil })}
	overrides := variant{prepare: withOverrides}
	defaults := variant{prepare: edited(func(e *event.Event) { e.Reminders = &event.Reminders{UseDefault: new(true)} })}
	noReminders := variant{prepare: edited(func(e *event.Event) { e.Reminders = nil })}
	reminders := []string{"reminders"}
	return map[string][]variant{
		ruleid.AttendeeDuplicate: {
			{name: "the same address", mutate: addTwins("guest@example.com", "guest@example.com")},
			{name: "a domain in capitals", mutate: addTwins("guest@example.com", "guest@EXAMPLE.com")},
			{name: "a domain literal in capitals", mutate: addTwins("guest@[IPv6:2001:db8::a]", "guest@[ipv6:2001:DB8::A]")},
		},
		ruleid.AttendeeResponseNew: attended.invalid("/attendees/*/responseStatus",
			just("accepted", "accepted"), just("declined", "declined"), just("tentative", "tentative")),
		ruleid.AttendeeServiceAccount: {
			{name: "one attendee", mutate: invitedByServiceAccount(1)},
			{name: "many attendees", mutate: invitedByServiceAccount(200)},
		},

		ruleid.GadgetDeprecated: {
			withoutGadget.with("a whole one", addGadget),
			withoutGadget.with("an empty one", putting("/gadget", members{})),
		},
		ruleid.RemindersDefaultAndOverrides: sharing(variant{whole: reminders},
			overrides.with("the defaults beside its own", within("/reminders/overrides", putting("/reminders/useDefault", true))),
			defaults.with("its own beside the defaults", equalReminders(limits.ReminderOverridesMax)),
		),
		ruleid.RemindersOverridesAlone: {
			noReminders.with("one", equalReminders(1)),
			noReminders.with("as many as there may be", equalReminders(limits.ReminderOverridesMax)),
		},
		ruleid.SourceURLForm: variant{prepare: withSource}.only(diag.Write).invalid("/source/url",
			anyOf("no host", "https://", "http:", "https:///a", "http://?a", "https://:443/", "https:example.com"),
			anyOf("a blank", "https://example.com/ ", "https://exa mple.com/", "https://example.com/a b"),
			anyOf("a control character", "https://example.com/\n", "https://example.com/\x00"),
			anyOf("half an escape", "https://example.com/%", "https://example.com/%zz", "https://example.com/?a=%2"),
		),
	}
}

// withAttendees gives the event at least one attendee.
func withAttendees(t *rapid.T, e *event.Event) {
	if len(e.Attendees) == 0 {
		e.Attendees = []event.Attendee{drawAttendee(t, Address().Draw(t, "address"))}
	}
}

// withAttachment gives the event at least one attachment, and room for one more.
func withAttachment(t *rapid.T, e *event.Event) {
	e.Attachments = e.Attachments[:min(len(e.Attachments), limits.AttachmentsMax-1)]
	if len(e.Attachments) == 0 {
		e.Attachments = []event.Attachment{drawAttachment(t)}
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

// notHTTPSchemes are texts that do not begin with the scheme http or https.
func notHTTPSchemes() []badValue {
	return []badValue{
		anyOf("another scheme", "ftp://example.com/", "javascript:alert(1)", "tel:+15550100", "file:///etc/hosts", "httpx://example.com/"),
		anyOf("no scheme", "example.com", "//example.com/", "/a", "www.example.com/a"),
		anyOf("a blank", " https://example.com/", "https ://example.com/"),
		anyOf("a control character", "\nhttps://example.com/", "java\nscript:https://example.com/"),
		just("long, and of another scheme", "ftp://example.com/"+strings.Repeat("a", 100_000)),
	}
}
