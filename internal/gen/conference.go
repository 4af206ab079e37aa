package gen

import (
	"slices"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// conferenceOn returns the generator of conference data as sent by a client or, in a representation, as returned by a server.
func conferenceOn(on diag.When) draw.Generator[*conference.Data] {
	if on == diag.Response {
		return representedConference
	}
	return Conference
}

// Conference draws conference data that a client may add to an event: a request to create a
// conference, an existing conference with its entry points, or both.
var Conference = draw.Built(func(t *draw.T, d *conference.Data) {
	typ := textOf("conferenceData.conferenceSolution.key.type").Draw(t, "type")
	if draw.Maybe(t, "ready made") {
		drawReady(t, d, typ)
	}
	if d.Solution == nil || draw.Seldom(t, "request beside it") {
		d.CreateRequest = drawRequest(t, typ)
	}
	drawAbout(t, d, typ)
})

// drawRequest draws a request to create a conference of the given type or, at first, of no specified type.
func drawRequest(t *draw.T, typ string) *conference.CreateRequest {
	r := &conference.CreateRequest{RequestID: textOf("conferenceData.createRequest.requestId").Draw(t, "request id")}
	if draw.Maybe(t, "key of the request") {
		r.SolutionKey = &conference.Key{Type: typ}
	}
	return r
}

func drawReady(t *draw.T, d *conference.Data, typ string) {
	solution := filled[conference.Solution](t, "conferenceData.conferenceSolution", diag.Insert)
	solution.Key = &conference.Key{Type: typ}
	d.Solution, d.EntryPoints = &solution, drawEntryPoints(t)
}

// drawAbout draws the other members of a conference, which has the given type.
func drawAbout(t *draw.T, d *conference.Data, typ string) {
	if typ != constraint.ConferenceEventVideo && draw.Maybe(t, "conference id") {
		d.ID = conferenceID(typ).Draw(t, "conference id")
	}
	d.Signature = draw.Optional(t, "signature", draw.Name)
	d.Notes = draw.Optional(t, "notes", textOf("conferenceData.notes"))
}

// conferenceID draws an id that is valid for the type.
func conferenceID(typ string) draw.Generator[string] {
	if typ == constraint.ConferenceVideoMeet {
		return meetingCode
	}
	return draw.NonEmptyText(freeText)
}

var meetingCode = draw.Matching(`[a-c]{3}-[a-zA-Z]{4}-[a-zA-Z]{3}`)

// drawEntryPoints draws entry points in any order: at most one of type video, one of type sip and one of type more, and any
// number of type phone. An entry point of type more is never the only one.
func drawEntryPoints(t *draw.T) []conference.EntryPoint {
	seen := map[string]bool{}
	points := slices.DeleteFunc(someEntryPoints.Draw(t, "entry points"), func(p conference.EntryPoint) bool {
		again := seen[p.Type] && p.Type != constraint.EntryPhone
		seen[p.Type] = true
		return again
	})
	if len(points) == 1 && points[0].Type == constraint.EntryMore {
		points = append(points, drawEntryPoint(t, constraint.EntryVideo))
	}
	return points
}

// someEntryPoints draws entry points, from which duplicates are then removed, and sometimes draws many, because otherwise few
// conferences would have several phone numbers.
var someEntryPoints = draw.OneOf(draw.SliceOfN(anyEntryPoint, 1, 3), draw.SliceOfN(anyEntryPoint, 1, 3), draw.SliceOfN(anyEntryPoint, 1, 8))

var anyEntryPoint = draw.Custom(func(t *draw.T) conference.EntryPoint {
	return drawEntryPoint(t, draw.One(t, "type", constraint.EntryVideo, constraint.EntryPhone, constraint.EntrySIP, constraint.EntryMore, constraint.EntryPhone))
})

func drawEntryPoint(t *draw.T, typ string) conference.EntryPoint {
	p := filled[conference.EntryPoint](t, "conferenceData.entryPoints", diag.Insert)
	p.Type, p.URI = typ, entryURI(typ).Draw(t, "uri")
	if typ == constraint.EntryMore {
		p.Label = "" // should be absent
	}
	return p
}

// entryURI draws a URI with a scheme that the entry point type requires.
func entryURI(typ string) draw.Generator[string] {
	switch typ {
	case constraint.EntryPhone:
		return uri(constraint.EntryPointURIMaxLength, "tel:+15550100", "TEL:+1-555-0100,,,1234%23", "tel:5;ext=1")
	case constraint.EntrySIP:
		return uri(constraint.EntryPointURIMaxLength, "sip:a@example.com", "SIP:user:pw@example.com;transport=tcp")
	default:
		return httpURL(constraint.EntryPointURIMaxLength)
	}
}

// representedConference draws conference data as returned by a server: of any type, including old, unknown and empty types,
// and with a create request in any of its states.
var representedConference = draw.Built(func(t *draw.T, d *conference.Data) {
	types := append(constraint.ConferenceType.Values(), "holoDeck", "")
	typ := draw.One(t, "type", types...)
	status := draw.Optional(t, "status", textOf("conferenceData.createRequest.status.statusCode"))
	if status != "" {
		d.CreateRequest = drawRequest(t, typ)
		d.CreateRequest.Status = &conference.Status{Code: status}
	}
	switch {
	case status == constraint.RequestFailure:
		return // the conference does not exist
	case status == "" || status == constraint.RequestSuccess || draw.Maybe(t, "ready"):
		drawReady(t, d, typ)
		if typ == "" && draw.Maybe(t, "no key") {
			d.Solution.Key = nil
		}
	}
	drawAbout(t, d, typ)
})
