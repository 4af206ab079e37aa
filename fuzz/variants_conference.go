package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
)

// meeting is a way around an event that has a conference, not one to be made.
func meeting() variant {
	return variant{prepare: withConference, whole: []string{"conferenceData"}}
}

// conferenceWays break the rules about conference data, but for those about what is stored.
func conferenceVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.ConferenceRequired: {
			meeting().with("nothing", ofNothing(putting("/conferenceData", members{}))),
			meeting().with("notes alone", ofNothing(putting("/conferenceData", members{"notes": "Dial in."}))),
			meeting().with("no way in", ofNothing(lacking("entryPoints"))),
			meeting().with("an empty list of ways in", ofNothing(after(lacking("entryPoints"), atConference(putting("/conferenceData/entryPoints", []any{}))))),
			meeting().with("no solution", ofNothing(lacking("conferenceSolution"))),
		},
		ruleid.ConferenceRequestID: append(
			variantsAt(variant{prepare: noConference}, []string{"/conferenceData/createRequest/requestId"}, just("empty", "")),
			variant{prepare: noConference}.with("left out", asked(members{})),
			variant{prepare: noConference}.with("a type alone", asked(members{"conferenceSolutionKey": members{"type": videoMeet}}))),
		ruleid.ConferenceRequestStatus: requestStatusVariants(),
		ruleid.ConferenceTypeCreate: {
			variant{prepare: noConference}.with("asked for", requestOfType(deprecated())),
			variant{prepare: noConference}.with("ready made", solutionOfType(deprecated())),
		},
		ruleid.ConferenceTypeEnum: {
			variant{prepare: noConference}.with("asked for", requestOfType(unlisted())),
			variant{prepare: noConference}.with("ready made", solutionOfType(unlisted())),
			variant{prepare: noConference}.with("empty", solutionOfType(rapid.Just(""))),
		},
		ruleid.ConferenceIDForm: {
			variant{prepare: noConference}.with("no meeting code", meetWithID),
			variant{prepare: noConference, on: diag.Response}.with("an id where there is none", videoWithID),
			variant{prepare: withVideo, on: diag.Modify, whole: meeting().whole}.with("an id for what had none", putVideoID),
		},
		ruleid.ConferenceNotes: variantsAt(meeting(), []string{"/conferenceData/notes"}, longerThan(limits.ConferenceNotesMaxLength)...),

		ruleid.ConferenceEntryType: append(missing(meeting(), "/conferenceData/entryPoints/*/entryPointType"),
			notListed(meeting(), []string{"/conferenceData/entryPoints/*/entryPointType"}, limits.EntryPointType.Values())...),
		ruleid.ConferenceEntryCardinality: {
			meeting().with("two of a type", entries([]string{video, video}, []string{video, sip, phone, sip}, []string{more, video, more})),
			meeting().with("many of a type", entries(manyOf(video), manyOf(sip), append(manyOf(more), phone))),
		},
		ruleid.ConferenceEntryOnlyMore: {
			meeting().with("in place of others", onlyMore),
			variant{prepare: noConference}.with("of a new conference", after(putting("/conferenceData/conferenceSolution/key/type", addOn), onlyMore)),
		},
		ruleid.ConferenceEntryURI: entryURIVariants(),
		ruleid.ConferenceEntryLabel: variantsAt(variant{prepare: dialIn, whole: meeting().whole},
			[]string{"/conferenceData/entryPoints/*/label"}, longerThan(limits.EntryPointLabelMaxLength)...),
		ruleid.ConferenceEntryMoreLabel: {
			meeting().with("one character", labelledMore(1)),
			meeting().with("as long as labels may be", labelledMore(limits.EntryPointLabelMaxLength)),
		},
		ruleid.ConferenceEntryCode: variantsAt(meeting(), []string{
			"/conferenceData/entryPoints/*/meetingCode",
			"/conferenceData/entryPoints/*/accessCode",
			"/conferenceData/entryPoints/*/passcode",
			"/conferenceData/entryPoints/*/password",
			"/conferenceData/entryPoints/*/pin",
		}, longerThan(limits.EntryPointCodeMaxLength)...),
	}
}

func noConference(_ *rapid.T, e *event.Event) { e.ConferenceData = nil }

// withConference gives the event a conference of a third party, whose id has no form.
func withConference(t *rapid.T, e *event.Event) {
	giveConference(t, e, addOn)
}

func giveConference(t *rapid.T, e *event.Event, typ string) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, typ)
	drawAbout(t, e.ConferenceData, typ)
}

// addOn is the type of third-party conferences.
const addOn = "addOn"

// dialIn gives the event a conference with ways in that may all have a label.
func dialIn(t *rapid.T, e *event.Event) {
	withConference(t, e)
	e.ConferenceData.EntryPoints = []conference.EntryPoint{drawEntryPoint(t, phone), drawEntryPoint(t, sip), drawEntryPoint(t, phone)}
}

// ofNothing has a patch make the conference data anew: of stored data it might leave out a part.
func ofNothing(v mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		if d.on == diag.Patch {
			remove(d.stored, "/conferenceData")
		}
		return v(t, d)
	}
}

// lacking takes a member out of the conference data.
func lacking(member string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		remove(d.body, diag.Pointer("/conferenceData").Member(member))
		return "/conferenceData"
	}
}

// atConference runs the function; the finding is about all of the conference data.
func atConference(violate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		violate(t, d)
		return "/conferenceData"
	}
}

// asked adds a request to create a conference that lacks its id.
func asked(request members) mutation {
	return then(putting("/conferenceData/createRequest", request), "/requestId")
}

var deprecated = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom(limits.DeprecatedConferenceType.Values())
})
var unlisted = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"holoDeck", "VideoMeet", "videomeet", "addon", " addOn", "addOn,videoMeet"})
})

// requestOfType asks for a conference of a type that cannot be had.
func requestOfType(types *rapid.Generator[string]) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, "/conferenceData/createRequest/requestId", draw.NonEmptyText(freeText).Draw(t, "request id"))
		const path = "/conferenceData/createRequest/conferenceSolutionKey/type"
		put(d.body, path, types.Draw(t, "type"))
		return path
	}
}

// solutionOfType adds a conference of a type that cannot be had.
func solutionOfType(types *rapid.Generator[string]) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, "/conferenceData/entryPoints", entryTree(t, video))
		const path = "/conferenceData/conferenceSolution/key/type"
		put(d.body, path, types.Draw(t, "type"))
		return path
	}
}

// entryTree draws entry points of the types.
func entryTree(t *rapid.T, types ...string) []any {
	d := new(conference.Data)
	for _, typ := range types {
		d.EntryPoints = append(d.EntryPoints, drawEntryPoint(t, typ))
	}
	tree := encodeTree(&event.Event{ConferenceData: d})
	return at(tree, "/conferenceData/entryPoints").([]any)
}

// entries replaces the entry points by a list in which a type stands once too often.
func entries(lists ...[]string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		types := rapid.SampledFrom(lists).Draw(t, "entry points")
		put(d.body, "/conferenceData/entryPoints", entryTree(t, types...))
		return diag.Pointer("/conferenceData/entryPoints").Index(repeatedAt(types))
	}
}

// repeatedAt returns the index of the first type that stood before, but for phones.
func repeatedAt(types []string) int {
	seen := map[string]bool{phone: false}
	for i, typ := range types {
		if seen[typ] {
			return i
		}
		seen[typ] = typ != phone
	}
	return -1
}

// manyOf returns twenty times the type.
func manyOf(typ string) []string { return strings.Fields(strings.Repeat(typ+" ", 20)) }

func onlyMore(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/conferenceData/entryPoints", entryTree(t, more))
	return "/conferenceData/entryPoints"
}

// labelledMore puts an entry point of the type more with a label of n characters.
func labelledMore(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := putEntries(t, d, more, video) + "/label"
		put(d.body, path, padded(draw.NonEmptyText(freeText).Draw(t, "label"), n))
		return path
	}
}

// putEntries replaces the entry points by one of each of the types, in any order, and returns
// the path of the one that is wanted.
func putEntries(t *rapid.T, d *draft, wanted string, others ...string) diag.Pointer {
	types := rapid.Permutation(append(others, wanted)).Draw(t, "entry points")
	put(d.body, "/conferenceData/entryPoints", entryTree(t, types...))
	return diag.Pointer("/conferenceData/entryPoints").Index(slices.Index(types, wanted))
}

// entryURIWays give an entry point a URI that does not go with its type, or is too long.
func entryURIVariants() []variant {
	return []variant{
		meeting().with("another scheme", entryWithURI(map[string][]string{
			video: {"tel:+15550100", "sip:a@example.com", "ftp://example.com/", "javascript:alert(1)", "httpss://example.com/"},
			phone: {"https://example.com/", "sip:a@example.com", "phone:+15550100", "mailto:a@example.com"},
			sip:   {"tel:+15550100", "https://example.com/", "sips:a@example.com", "sipx:a@example.com"},
			more:  {"tel:+15550100", "mailto:a@example.com", "ws://example.com/"},
		})),
		meeting().with("no scheme", entryWithURI(map[string][]string{
			video: {"example.com/abc", "//example.com/abc", "https:", "https://"},
			phone: {"+15550100", "tel:", "15550100"},
			sip:   {"a@example.com", "sip:"},
			more:  {"example.com", "/more"},
		})),
		meeting().with("a blank", entryWithURI(map[string][]string{
			video: {"https://example.com/a b", " https://example.com/"},
			phone: {"tel:+1 555 0100", " tel:+15550100"},
			sip:   {"sip:a b@example.com", "sip:a@example.com "},
			more:  {"https://example.com/\n"},
		})),
		meeting().with("one character over", longEntryURI(limits.EntryPointURIMaxLength+1)),
		meeting().with("far too long", longEntryURI(100*limits.EntryPointURIMaxLength)),
	}
}

var entryTypes = draw.Lazy(func() *rapid.Generator[string] { return rapid.SampledFrom([]string{video, phone, sip, more}) })

// entryWithURI adds an entry point of any type, beside one of another, with one of the URIs.
func entryWithURI(uris map[string][]string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		typ := entryTypes().Draw(t, "entry point type")
		return putEntryURI(t, d, typ, rapid.SampledFrom(uris[typ]).Draw(t, "uri"))
	}
}

// longEntryURI is the same with a URI of n characters that goes with its type.
func longEntryURI(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		typ := entryTypes().Draw(t, "entry point type")
		begin := map[string]string{video: "https://example.com/", phone: "tel:+1", sip: "sip:a@example.com;a=", more: "http://example.com/é"}[typ]
		return putEntryURI(t, d, typ, begin+strings.Repeat("5", n-len([]rune(begin))))
	}
}

func putEntryURI(t *rapid.T, d *draft, typ, uri string) diag.Pointer {
	other := phone
	if typ == phone {
		other = video
	}
	path := putEntries(t, d, typ, other) + "/uri"
	put(d.body, path, uri)
	return path
}

func meetWithID(t *rapid.T, d *draft) diag.Pointer {
	key := members{"type": videoMeet}
	if draw.Maybe(t, "ready made") {
		put(d.body, "/conferenceData/entryPoints", entryTree(t, video))
		put(d.body, "/conferenceData/conferenceSolution", members{"key": key})
	} else {
		put(d.body, "/conferenceData/createRequest", members{"requestId": "r-1", "conferenceSolutionKey": key})
	}
	put(d.body, "/conferenceData/conferenceId", rapid.SampledFrom([]string{
		"abcdefghij", "ab-cdef-ghi", "abc-defg-hijk", "abc-def-ghij", "abc_defg_hij", "abc-d3fg-hij",
		"abc-defg-hij ", " abc-defg-hij", "abc-defg-hij\n", "abc-défg-hij", "abc--defg-hij", "-", strings.Repeat("abc-", 10_000),
	}).Draw(t, "id"))
	return "/conferenceData/conferenceId"
}

func videoWithID(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/conferenceData/entryPoints", entryTree(t, video))
	put(d.body, "/conferenceData/conferenceSolution/key/type", eventVideo)
	return putVideoID(t, d)
}

func putVideoID(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/conferenceData/conferenceId", draw.NonEmptyText(freeText).Draw(t, "id"))
	return "/conferenceData/conferenceId"
}

// withVideo gives the event a conference of a type that is no longer made, and has no id.
func withVideo(t *rapid.T, e *event.Event) { giveConference(t, e, eventVideo) }

// answered is a way around a representation with a request that has been answered.
func answered() variant {
	return variant{prepare: noConference}
}

func requestStatusVariants() []variant {
	return []variant{
		answered().with("another word", func(t *rapid.T, d *draft) diag.Pointer {
			return d.answer(t, rapid.SampledFrom([]string{"done", "Success", "pending ", ""}).Draw(t, "status"), "/createRequest/status/statusCode", "entryPoints", "conferenceSolution")
		}),
		answered().with("success without a way in", func(t *rapid.T, d *draft) diag.Pointer {
			return d.answer(t, success, "/entryPoints", "conferenceSolution")
		}),
		answered().with("failure with a way in", func(t *rapid.T, d *draft) diag.Pointer {
			return d.answer(t, failure, "/entryPoints", "entryPoints")
		}),
		answered().with("failure with a solution", func(t *rapid.T, d *draft) diag.Pointer {
			return d.answer(t, failure, "/conferenceSolution", "conferenceSolution")
		}),
		answered().with("failure with a signature", func(t *rapid.T, d *draft) diag.Pointer {
			return d.answer(t, failure, "/signature", "signature")
		}),
	}
}

// answer puts a request with its status, and the members named beside it, and returns the
// place that the rest of the path says.
func (d *draft) answer(t *rapid.T, code string, path diag.Pointer, beside ...string) diag.Pointer {
	data := members{"createRequest": members{"requestId": "r-1", "status": members{"statusCode": code}}}
	for _, member := range beside {
		switch member {
		case "entryPoints":
			data[member] = entryTree(t, video, phone)
		case "conferenceSolution":
			data[member] = members{"key": members{"type": addOn}}
		default:
			data[member] = "sig"
		}
	}
	put(d.body, "/conferenceData", data)
	return "/conferenceData" + path
}
