package fuzz

import (
	"fmt"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// requests are the operations that [Request] knows, each with how its requests are drawn.
var requests = map[operation.ID]func(*rapid.T, *event.Request){
	operation.EventsInsert: drawInsertRequest,
	operation.Response:     drawResponse,
}

// Request draws valid requests for an operation: the query parameters that the body asks for
// and others, the body as JSON in Body, and at times what is known of the caller and the
// calendar. It knows events.insert and, for representations as servers return them,
// [operation.Response].
//
// Request panics where it does not know the operation.
func Request(op operation.ID) *rapid.Generator[*event.Request] {
	draw := requests[op]
	if draw == nil {
		panic(fmt.Sprintf("fuzz: there are no requests for the operation %q yet", op))
	}
	return built(func(t *rapid.T, req *event.Request) {
		req.Op = op
		draw(t, req)
	})
}

func drawInsertRequest(t *rapid.T, req *event.Request) {
	e := Event(Options{}).Draw(t, "event")
	req.Body = e.AppendJSON(nil)
	req.Params = drawInsertParams(t, e)
	if maybe(t, "caller") {
		req.Caller = drawCaller(t)
	}
	if maybe(t, "calendar") {
		req.Calendar = drawCalendar(t, e)
	}
}

// neededParams returns the parameters without which the event would be refused, or a part of
// it ignored.
func neededParams(e *event.Event) operation.Params {
	params := operation.Params{}
	if e.ConferenceData != nil {
		params["conferenceDataVersion"] = []string{"1"}
	}
	if e.EventLabelID != nil && *e.EventLabelID != "" {
		params["eventLabelVersion"] = []string{"1"}
	} else if e.ColorID != "" {
		params["eventLabelVersion"] = []string{"0"}
	}
	if len(e.Attachments) > 0 {
		params["supportsAttachments"] = []string{"true"}
	}
	return params
}

// insertParams are the parameters of an insert, with the values that each may have.
var insertParams = []struct {
	name  string
	value *rapid.Generator[string]
}{
	{"conferenceDataVersion", version},
	{"eventLabelVersion", version},
	{"supportsAttachments", boolean},
	{"maxAttendees", maxAttendees},
	{"sendUpdates", oneOf(limits.SendUpdates)},
	{"sendNotifications", boolean},
}

var (
	version      = rapid.Map(rapid.IntRange(limits.FeatureVersionMin, limits.FeatureVersionMax), strconv.Itoa)
	boolean      = rapid.SampledFrom([]string{"false", "true"})
	maxAttendees = rapid.Map(around(limits.MaxAttendeesMin, 1<<31-1), strconv.Itoa)
)

// drawInsertParams draws the query: the parameters that the event needs, and others that make
// no difference to whether it is accepted.
func drawInsertParams(t *rapid.T, e *event.Event) operation.Params {
	params := neededParams(e)
	for _, p := range insertParams {
		if params[p.name] == nil && maybe(t, p.name) {
			params[p.name] = []string{p.value.Draw(t, p.name)}
		}
	}
	return params
}

// drawCaller draws what is known of somebody who may insert an event.
func drawCaller(t *rapid.T) *operation.Caller {
	c := &operation.Caller{
		Email:                optional(t, "caller's email", Address()),
		ServiceAccount:       pointer(t, "service account", rapid.Bool()),
		DomainWideDelegation: true, // without it a service account lists no attendees
	}
	if maybe(t, "scopes") {
		op, _ := operation.Lookup(operation.EventsInsert)
		c.Scopes = []string{"https://scopes.example.com/" + rapid.SampledFrom(op.Scopes).Draw(t, "scope")}
		if maybe(t, "another scope") {
			c.Scopes = slices.Insert(c.Scopes, 0, "https://scopes.example.com/auth/calendar.readonly")
		}
	}
	return c
}

// drawCalendar draws what is known of a calendar that the event fits into.
func drawCalendar(t *rapid.T, e *event.Event) *operation.Calendar {
	c := &operation.Calendar{Primary: pointer(t, "primary", rapid.Bool())}
	if maybe(t, "known ids") {
		c.IDs = []string{"taken0"}
		if e.ID == "taken0" {
			c.IDs = []string{}
		}
	}
	if maybe(t, "known colors") {
		c.Colors = []string{"1", e.ColorID}
	}
	if maybe(t, "known labels") {
		c.Labels = []string{"1"}
		if e.EventLabelID != nil {
			c.Labels = append(c.Labels, *e.EventLabelID)
		}
	}
	if w := e.WorkingLocationProperties; maybe(t, "known buildings") && w != nil && w.OfficeLocation != nil {
		c.Buildings = []string{"1", w.OfficeLocation.BuildingID}
	}
	return c
}

func drawResponse(t *rapid.T, req *event.Request) {
	req.Body = representation().Draw(t, "representation").AppendJSON(nil)
	if maybe(t, "maxAttendees") {
		req.Params = operation.Params{"maxAttendees": {maxAttendees.Draw(t, "maxAttendees")}}
	}
}
