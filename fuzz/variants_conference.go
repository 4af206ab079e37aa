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

// The places of parts of a conference, and of all its entry points.
const (
	conferencePath = "/conferenceData"
	entriesPath    = conferencePath + "/entryPoints"
	entryPath      = entriesPath + "/*"
	solutionPath   = conferencePath + "/conferenceSolution"
	requestPath    = conferencePath + "/createRequest"
	requestIDPath  = requestPath + "/requestId"
)

// conferenceVariants break the rules about conference data, except those about the stored one.
func conferenceVariants() map[string][]variant {
	meeting := variant{prepare: withConference, whole: []string{"conferenceData"}}
	none := variant{prepare: noConference}
	old := meeting
	old.prepare = withVideo
	return map[string][]variant{
		ruleid.ConferenceRequired: {
			meeting.with("nothing", anew(putting(conferencePath, members{}))),
			meeting.with("notes alone", anew(putting(conferencePath, members{"notes": "Dial in."}))),
			meeting.with("no entry points", anew(cleared(entriesPath))),
			meeting.with("an empty list of entry points", anew(putting(entriesPath, []any{}))),
			meeting.with("no solution", anew(cleared(solutionPath))),
		},
		ruleid.ConferenceRequestID: append(
			none.invalid(requestIDPath, just("empty", "")),
			none.with("left out", within(requestIDPath, putting(requestPath, members{}))),
			none.with("a type alone", within(requestIDPath, putting(requestPath, members{"conferenceSolutionKey": members{"type": videoMeet}})))),
		ruleid.ConferenceRequestStatus: {
			none.with("another word", func(t *rapid.T, d *draft) diag.Pointer {
				code := rapid.SampledFrom([]string{"done", "Success", "pending ", ""}).Draw(t, "status")
				return d.answer(t, code, "/createRequest/status/statusCode", "entryPoints", "conferenceSolution")
			}),
			none.with("success without entry points", answered(success, "/entryPoints", "conferenceSolution")),
			none.with("failure with entry points", answered(failure, "/entryPoints", "entryPoints")),
			none.with("failure with a solution", answered(failure, "/conferenceSolution", "conferenceSolution")),
			none.with("failure with a signature", answered(failure, "/signature", "signature")),
		},
		ruleid.ConferenceTypeCreate: {
			none.with("asked for", requestOfType(limits.DeprecatedConferenceType.Values()...)),
			none.with("ready made", solutionOfType(limits.DeprecatedConferenceType.Values()...)),
		},
		ruleid.ConferenceTypeEnum: {
			none.with("asked for", requestOfType(unknownTypes...)),
			none.with("ready made", solutionOfType(unknownTypes...)),
			none.with("empty", solutionOfType("")),
		},
		ruleid.ConferenceIDForm: {
			none.with("no meeting code", meetWithID),
			none.only(diag.Response).with("an id for a type without one", func(t *rapid.T, d *draft) diag.Pointer {
				put(d.body, entriesPath, entryTree(t, video))
				put(d.body, solutionPath+"/key/type", eventVideo)
				return putConferenceID(t, d)
			}),
			old.only(diag.Modify).with("an id for what had none", putConferenceID),
		},

		ruleid.ConferenceEntryCardinality: {
			meeting.with("two of a type", entries("video video", "video sip phone sip", "more video more")),
			meeting.with("many of a type", entries(strings.Repeat("video ", 20), strings.Repeat("sip ", 20), strings.Repeat("more ", 20)+"phone")),
		},
		ruleid.ConferenceEntryOnlyMore: {
			meeting.with("in place of others", onlyMore),
			none.with("of a new conference", func(t *rapid.T, d *draft) diag.Pointer {
				put(d.body, solutionPath+"/key/type", addOn)
				return onlyMore(t, d)
			}),
		},
		ruleid.ConferenceEntryURI: entryURIs(meeting),
		ruleid.ConferenceEntryURIForm: {
			meeting.with("of the right scheme", withEntryURI(malformedURIs)),
			meeting.with("of the right scheme and long", withEntryURI(func(t *rapid.T, typ string) string {
				return malformedURIs(t, typ) + strings.Repeat(" ", limits.EntryPointURIMaxLength/2)
			})),
		},
		ruleid.ConferenceEntryMoreLabel: {
			meeting.with("one character", labelledMore(1)),
			meeting.with("as long as labels may be", labelledMore(limits.EntryPointLabelMaxLength)),
		},
	}
}

// noConference removes the conference.
func noConference(_ *rapid.T, e *event.Event) { e.ConferenceData = nil }

// withConference gives the event a third-party conference, whose id may be any text.
func withConference(t *rapid.T, e *event.Event) { giveConference(t, e, addOn) }

// withVideo gives the event a conference of a type that can no longer be created, and has no id.
func withVideo(t *rapid.T, e *event.Event) { giveConference(t, e, eventVideo) }

// withLabels gives the event a conference with entry points that may all have a label.
func withLabels(t *rapid.T, e *event.Event) {
	withConference(t, e)
	e.ConferenceData.EntryPoints = []conference.EntryPoint{drawEntryPoint(t, phone), drawEntryPoint(t, sip), drawEntryPoint(t, phone)}
}

func giveConference(t *rapid.T, e *event.Event, typ string) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, typ)
	drawAbout(t, e.ConferenceData, typ)
}

// anew makes a patch send all of the conference data. Otherwise it would omit what is stored.
func anew(mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		if d.on == diag.Patch {
			remove(d.stored, conferencePath)
		}
		mutate(t, d)
		return conferencePath
	}
}

var unknownTypes = []string{"holoDeck", "VideoMeet", "videomeet", "addon", " addOn", "addOn,videoMeet"}

// requestOfType asks for a conference of one of the types, which cannot be created.
func requestOfType(types ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, requestIDPath, draw.NonEmptyText(freeText).Draw(t, "request id"))
		const path = requestPath + "/conferenceSolutionKey/type"
		put(d.body, path, rapid.SampledFrom(types).Draw(t, "type"))
		return path
	}
}

// solutionOfType adds a conference of one of the types, which cannot be created.
func solutionOfType(types ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, entriesPath, entryTree(t, video))
		const path = solutionPath + "/key/type"
		put(d.body, path, rapid.SampledFrom(types).Draw(t, "type"))
		return path
	}
}

// entryTree draws entry points of the types.
func entryTree(t *rapid.T, types ...string) []any {
	d := new(conference.Data)
	for _, typ := range types {
		d.EntryPoints = append(d.EntryPoints, drawEntryPoint(t, typ))
	}
	return at(encodeTree(&event.Event{ConferenceData: d}), entriesPath).([]any)
}

// entries replaces the entry points by those of one of the lists, in which a type is repeated that
// may occur only once. The types in a list are separated by spaces.
func entries(lists ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		types := strings.Fields(rapid.SampledFrom(lists).Draw(t, "entry points"))
		put(d.body, entriesPath, entryTree(t, types...))
		seen := map[string]bool{}
		return diag.Pointer(entriesPath).Index(slices.IndexFunc(types, func(typ string) bool {
			again := seen[typ]
			seen[typ] = typ != phone
			return again
		}))
	}
}

func onlyMore(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, entriesPath, entryTree(t, more))
	return entriesPath
}

// labelledMore adds an entry point of type more with a label of n characters.
func labelledMore(n int) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := putEntries(t, d, more, video) + "/label"
		put(d.body, path, padded(draw.NonEmptyText(freeText).Draw(t, "label"), n))
		return path
	}
}

// putEntries replaces the entry points by one of each of two types, in any order, and returns the
// path of the wanted one.
func putEntries(t *rapid.T, d *draft, wanted, other string) diag.Pointer {
	types := rapid.Permutation([]string{other, wanted}).Draw(t, "entry points")
	put(d.body, entriesPath, entryTree(t, types...))
	return diag.Pointer(entriesPath).Index(slices.Index(types, wanted))
}

// malformedURIs give an entry point a URI of the scheme of its type that is not well-formed.
func malformedURIs(t *rapid.T, typ string) string {
	return rapid.SampledFrom(map[string][]string{
		video: {"https://", "http:", "https:///abc", "https://example.com/a b", "https://example.com/%"},
		phone: {"tel:", "tel:+1 555 0100", "TEL:+15550100 "},
		sip:   {"sip:", "sip:a b@example.com", "sip:<a@example.com>"},
		more:  {"https://example.com/\n", "http://[::1", "https://exa mple.com/"},
	}[typ]).Draw(t, "uri")
}

// entryURIs give an entry point a URI that does not fit its type, or is too long.
func entryURIs(meeting variant) []variant {
	anyURI := func(uris map[string][]string) mutation {
		return withEntryURI(func(t *rapid.T, typ string) string { return rapid.SampledFrom(uris[typ]).Draw(t, "uri") })
	}
	long := func(n int) mutation {
		prefixes := map[string]string{video: "https://example.com/", phone: "tel:+1", sip: "sip:a@example.com;a=", more: "http://example.com/é"}
		return withEntryURI(func(_ *rapid.T, typ string) string {
			return prefixes[typ] + strings.Repeat("5", n-len([]rune(prefixes[typ])))
		})
	}
	return []variant{
		meeting.with("another scheme", anyURI(map[string][]string{
			video: {"tel:+15550100", "sip:a@example.com", "ftp://example.com/", "javascript:alert(1)", "httpss://example.com/"},
			phone: {"https://example.com/", "sip:a@example.com", "phone:+15550100", "mailto:a@example.com"},
			sip:   {"tel:+15550100", "https://example.com/", "sips:a@example.com", "sipx:a@example.com"},
			more:  {"tel:+15550100", "mailto:a@example.com", "ws://example.com/"},
		})),
		meeting.with("no scheme", anyURI(map[string][]string{
			video: {"example.com/abc", "//example.com/abc", "https"},
			phone: {"+15550100", "tel", "15550100"},
			sip:   {"a@example.com", "sip"},
			more:  {"example.com", "/more"},
		})),
		meeting.with("a blank before the scheme", anyURI(map[string][]string{
			video: {" https://example.com/"},
			phone: {" tel:+15550100", "tel :+15550100"},
			sip:   {"\tsip:a@example.com"},
			more:  {"\nhttps://example.com/"},
		})),
		meeting.with("one character over", long(limits.EntryPointURIMaxLength+1)),
		meeting.with("far too long", long(100*limits.EntryPointURIMaxLength)),
	}
}

// withEntryURI adds an entry point of any type with a URI, beside one of another type.
func withEntryURI(uri func(t *rapid.T, typ string) string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		typ := rapid.SampledFrom([]string{video, phone, sip, more}).Draw(t, "entry point type")
		text := uri(t, typ)
		other := phone
		if typ == phone {
			other = video
		}
		path := putEntries(t, d, typ, other) + "/uri"
		put(d.body, path, text)
		return path
	}
}

func meetWithID(t *rapid.T, d *draft) diag.Pointer {
	key := members{"type": videoMeet}
	if draw.Maybe(t, "ready made") {
		put(d.body, entriesPath, entryTree(t, video))
		put(d.body, solutionPath, members{"key": key})
	} else {
		put(d.body, requestPath, members{"requestId": "r-1", "conferenceSolutionKey": key})
	}
	put(d.body, conferencePath+"/conferenceId", rapid.SampledFrom([]string{
		"abcdefghij", "ab-cdef-ghi", "abc-defg-hijk", "abc-def-ghij", "abc_defg_hij", "abc-d3fg-hij",
		"abc-defg-hij ", " abc-defg-hij", "abc-defg-hij\n", "abc-défg-hij", "abc--defg-hij", "-", strings.Repeat("abc-", 10_000),
	}).Draw(t, "id"))
	return conferencePath + "/conferenceId"
}

func putConferenceID(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, conferencePath+"/conferenceId", draw.NonEmptyText(freeText).Draw(t, "id"))
	return conferencePath + "/conferenceId"
}

func answered(code string, path diag.Pointer, beside ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer { return d.answer(t, code, path, beside...) }
}

// answer puts a create request with a status code and other members into the body, and returns
// the path within the conference data.
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
	put(d.body, conferencePath, data)
	return conferencePath + path
}
