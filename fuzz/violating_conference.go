package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
)

// meeting is a way around an event that has a conference, not one to be made.
func meeting() way {
	return way{prepare: withConference, whole: []string{"conferenceData"}}
}

// conferenceWays break the rules about conference data, but for those about what is stored.
func conferenceWays() map[string][]way {
	return map[string][]way{
		"conference.required": {
			meeting().with("nothing", ofNothing(putting("/conferenceData", members{}))),
			meeting().with("notes alone", ofNothing(putting("/conferenceData", members{"notes": "Dial in."}))),
			meeting().with("no way in", ofNothing(lacking("entryPoints"))),
			meeting().with("an empty list of ways in", ofNothing(after(lacking("entryPoints"), atConference(putting("/conferenceData/entryPoints", []any{}))))),
			meeting().with("no solution", ofNothing(lacking("conferenceSolution"))),
		},
		"conference.request.id": append(
			leaf(way{prepare: noConference}, []string{"/conferenceData/createRequest/requestId"}, just("empty", "")),
			way{prepare: noConference}.with("left out", asked(members{})),
			way{prepare: noConference}.with("a type alone", asked(members{"conferenceSolutionKey": members{"type": videoMeet}}))),
		"conference.request.status": requestStatusWays(),
		"conference.type.create": {
			way{prepare: noConference}.with("asked for", requestOfType(deprecated())),
			way{prepare: noConference}.with("ready made", solutionOfType(deprecated())),
		},
		"conference.type.enum": {
			way{prepare: noConference}.with("asked for", requestOfType(unlisted())),
			way{prepare: noConference}.with("ready made", solutionOfType(unlisted())),
			way{prepare: noConference}.with("empty", solutionOfType(rapid.Just(""))),
		},
		"conference.id.form": {
			way{prepare: noConference}.with("no meeting code", meetWithID),
			way{prepare: noConference, on: diag.Response}.with("an id where there is none", videoWithID),
			way{prepare: withVideo, on: diag.Modify, whole: meeting().whole}.with("an id for what had none", putVideoID),
		},
		"conference.notes": leaf(meeting(), []string{"/conferenceData/notes"}, longerThan(limits.ConferenceNotesMaxLength)...),

		"conference.entry.type": append(missing(meeting(), "/conferenceData/entryPoints/*/entryPointType"),
			listed(meeting(), []string{"/conferenceData/entryPoints/*/entryPointType"}, limits.EntryPointType.Values())...),
		"conference.entry.cardinality": {
			meeting().with("two of a type", entries([]string{video, video}, []string{video, sip, phone, sip}, []string{more, video, more})),
			meeting().with("many of a type", entries(manyOf(video), manyOf(sip), append(manyOf(more), phone))),
		},
		"conference.entry.only-more": {
			meeting().with("in place of others", onlyMore),
			way{prepare: noConference}.with("of a new conference", after(putting("/conferenceData/conferenceSolution/key/type", addOn), onlyMore)),
		},
		"conference.entry.uri": entryURIWays(),
		"conference.entry.label": leaf(way{prepare: dialIn, whole: meeting().whole},
			[]string{"/conferenceData/entryPoints/*/label"}, longerThan(limits.EntryPointLabelMaxLength)...),
		"conference.entry.more-label": {
			meeting().with("one character", labelledMore(1)),
			meeting().with("as long as labels may be", labelledMore(limits.EntryPointLabelMaxLength)),
		},
		"conference.entry.code": leaf(meeting(), []string{
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
func ofNothing(v violation) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		if s.on == diag.Patch {
			remove(s.stored, "/conferenceData")
		}
		return v(t, s)
	}
}

// lacking takes a member out of the conference data.
func lacking(member string) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		remove(s.body, diag.Pointer("/conferenceData").Member(member))
		return "/conferenceData"
	}
}

// atConference runs the function; the finding is about all of the conference data.
func atConference(violate func(*rapid.T, *scene) diag.Pointer) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		violate(t, s)
		return "/conferenceData"
	}
}

// asked adds a request to create a conference that lacks its id.
func asked(request members) func(*rapid.T, *scene) diag.Pointer {
	return then(putting("/conferenceData/createRequest", request), "/requestId")
}

var deprecated = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom(limits.DeprecatedConferenceType.Values())
})
var unlisted = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"holoDeck", "VideoMeet", "videomeet", "addon", " addOn", "addOn,videoMeet"})
})

// requestOfType asks for a conference of a type that cannot be had.
func requestOfType(types *rapid.Generator[string]) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		put(s.body, "/conferenceData/createRequest/requestId", draw.NonEmptyText(freeText).Draw(t, "request id"))
		const path = "/conferenceData/createRequest/conferenceSolutionKey/type"
		put(s.body, path, types.Draw(t, "type"))
		return path
	}
}

// solutionOfType adds a conference of a type that cannot be had.
func solutionOfType(types *rapid.Generator[string]) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		put(s.body, "/conferenceData/entryPoints", entryTree(t, video))
		const path = "/conferenceData/conferenceSolution/key/type"
		put(s.body, path, types.Draw(t, "type"))
		return path
	}
}

// entryTree draws entry points of the types.
func entryTree(t *rapid.T, types ...string) []any {
	d := new(conference.Data)
	for _, typ := range types {
		d.EntryPoints = append(d.EntryPoints, drawEntryPoint(t, typ))
	}
	tree := treeOf(&event.Event{ConferenceData: d})
	return at(tree, "/conferenceData/entryPoints").([]any)
}

// entries replaces the entry points by a list in which a type stands once too often.
func entries(lists ...[]string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		types := rapid.SampledFrom(lists).Draw(t, "entry points")
		put(s.body, "/conferenceData/entryPoints", entryTree(t, types...))
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

func onlyMore(t *rapid.T, s *scene) diag.Pointer {
	put(s.body, "/conferenceData/entryPoints", entryTree(t, more))
	return "/conferenceData/entryPoints"
}

// labelledMore puts an entry point of the type more with a label of n characters.
func labelledMore(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		path := putEntries(t, s, more, video) + "/label"
		put(s.body, path, padded(draw.NonEmptyText(freeText).Draw(t, "label"), n))
		return path
	}
}

// putEntries replaces the entry points by one of each of the types, in any order, and returns
// the path of the one that is wanted.
func putEntries(t *rapid.T, s *scene, wanted string, others ...string) diag.Pointer {
	types := rapid.Permutation(append(others, wanted)).Draw(t, "entry points")
	put(s.body, "/conferenceData/entryPoints", entryTree(t, types...))
	return diag.Pointer("/conferenceData/entryPoints").Index(slices.Index(types, wanted))
}

// entryURIWays give an entry point a URI that does not go with its type, or is too long.
func entryURIWays() []way {
	return []way{
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
func entryWithURI(uris map[string][]string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		typ := entryTypes().Draw(t, "entry point type")
		return putEntryURI(t, s, typ, rapid.SampledFrom(uris[typ]).Draw(t, "uri"))
	}
}

// longEntryURI is the same with a URI of n characters that goes with its type.
func longEntryURI(n int) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		typ := entryTypes().Draw(t, "entry point type")
		begin := map[string]string{video: "https://example.com/", phone: "tel:+1", sip: "sip:a@example.com;a=", more: "http://example.com/é"}[typ]
		return putEntryURI(t, s, typ, begin+strings.Repeat("5", n-len([]rune(begin))))
	}
}

func putEntryURI(t *rapid.T, s *scene, typ, uri string) diag.Pointer {
	other := phone
	if typ == phone {
		other = video
	}
	path := putEntries(t, s, typ, other) + "/uri"
	put(s.body, path, uri)
	return path
}

func meetWithID(t *rapid.T, s *scene) diag.Pointer {
	key := members{"type": videoMeet}
	if draw.Maybe(t, "ready made") {
		put(s.body, "/conferenceData/entryPoints", entryTree(t, video))
		put(s.body, "/conferenceData/conferenceSolution", members{"key": key})
	} else {
		put(s.body, "/conferenceData/createRequest", members{"requestId": "r-1", "conferenceSolutionKey": key})
	}
	put(s.body, "/conferenceData/conferenceId", rapid.SampledFrom([]string{
		"abcdefghij", "ab-cdef-ghi", "abc-defg-hijk", "abc-def-ghij", "abc_defg_hij", "abc-d3fg-hij",
		"abc-defg-hij ", " abc-defg-hij", "abc-defg-hij\n", "abc-défg-hij", "abc--defg-hij", "-", strings.Repeat("abc-", 10_000),
	}).Draw(t, "id"))
	return "/conferenceData/conferenceId"
}

func videoWithID(t *rapid.T, s *scene) diag.Pointer {
	put(s.body, "/conferenceData/entryPoints", entryTree(t, video))
	put(s.body, "/conferenceData/conferenceSolution/key/type", eventVideo)
	return putVideoID(t, s)
}

func putVideoID(t *rapid.T, s *scene) diag.Pointer {
	put(s.body, "/conferenceData/conferenceId", draw.NonEmptyText(freeText).Draw(t, "id"))
	return "/conferenceData/conferenceId"
}

// withVideo gives the event a conference of a type that is no longer made, and has no id.
func withVideo(t *rapid.T, e *event.Event) { giveConference(t, e, eventVideo) }

// answered is a way around a representation with a request that has been answered.
func answered() way {
	return way{prepare: noConference}
}

func requestStatusWays() []way {
	return []way{
		answered().with("another word", func(t *rapid.T, s *scene) diag.Pointer {
			return s.answer(t, rapid.SampledFrom([]string{"done", "Success", "pending ", ""}).Draw(t, "status"), "/createRequest/status/statusCode", "entryPoints", "conferenceSolution")
		}),
		answered().with("success without a way in", func(t *rapid.T, s *scene) diag.Pointer {
			return s.answer(t, success, "/entryPoints", "conferenceSolution")
		}),
		answered().with("failure with a way in", func(t *rapid.T, s *scene) diag.Pointer {
			return s.answer(t, failure, "/entryPoints", "entryPoints")
		}),
		answered().with("failure with a solution", func(t *rapid.T, s *scene) diag.Pointer {
			return s.answer(t, failure, "/conferenceSolution", "conferenceSolution")
		}),
		answered().with("failure with a signature", func(t *rapid.T, s *scene) diag.Pointer {
			return s.answer(t, failure, "/signature", "signature")
		}),
	}
}

// answer puts a request with its status, and the members named beside it, and returns the
// place that the rest of the path says.
func (s *scene) answer(t *rapid.T, code string, path diag.Pointer, beside ...string) diag.Pointer {
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
	put(s.body, "/conferenceData", data)
	return "/conferenceData" + path
}
