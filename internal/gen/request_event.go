package gen

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

func drawInsertRequest(t *draw.T, req *event.Request, eventType string) {
	if !constraint.NewEventType.Has(eventType) {
		eventType = ""
	}
	e := Event(eventType).Draw(t, "event")
	if eventType == constraint.TypeDefault && draw.Maybe(t, "type left out") {
		e.EventType = ""
	}
	drawWrite(t, req, e, e.AppendJSON(nil))
}

// drawImportRequest draws an import. The imported event has type default and keeps its organizer.
func drawImportRequest(t *draw.T, req *event.Request, eventType string) {
	e := &event.Event{EventType: eventType}
	if eventType == "" {
		e.EventType = importedType.Draw(t, "event type")
	}
	drawTimes(t, e)
	drawMembers(t, e, diag.Import)
	e.ICalUID = textOf("iCalUID").Draw(t, "iCalUID")
	e = written(t, e, writable())
	drawWrite(t, req, e, e.AppendJSON(nil))
}

var importedType = draw.Lazy(func() draw.Generator[string] {
	return draw.OneOf(draw.Sampled("", constraint.TypeDefault), oneOf(constraint.EventType))
})

// drawUpdateRequest draws an update of a stored event. The body is a new event or, as from a client that gets and modifies an
// event, the stored event with a few changes.
func drawUpdateRequest(t *draw.T, req *event.Request, eventType string) {
	if draw.Seldom(t, "nothing is known of the event") {
		drawInsertRequest(t, req, eventType)
		return
	}
	stored := drawExisting(t, eventType)
	req.Existing = stored
	drawCondition(t, req)
	if canWriteAnew(stored) && (stored.Start == nil || draw.Maybe(t, "written anew")) {
		e := drawAnew(t, stored, req.Dialect)
		drawWrite(t, req, e, e.AppendJSON(nil))
	} else {
		after := drawChanged(t, stored, encodeTree(stored))
		drawWrite(t, req, decodeEvent(after), bodyText(after))
	}
}

// canWriteAnew reports whether a client may replace all client-written members of a stored event.
func canWriteAnew(stored *event.Event) bool {
	return stored.EventType != constraint.TypeFromMail && !stored.Locked && canChange(stored.ConferenceData)
}

// drawAnew draws an event that replaces a stored event. The new event has the same type as the stored event, and its immutable
// members are unchanged or omitted.
func drawAnew(t *draw.T, stored *event.Event, in diag.Dialect) *event.Event {
	e := &event.Event{EventType: stored.EventType}
	drawInsert(t, e)
	e.ID = draw.Optional(t, "id", draw.Just(stored.ID))
	e.PrivateCopy = stored.PrivateCopy
	e.BirthdayProperties = nil
	mustSend := in == diag.Google && stored.EventType != constraint.TypeDefault // an absent type means default
	if draw.Maybe(t, "type left out") && !mustSend {
		e.EventType = ""
	}
	if stored.RecurringEventID != "" {
		e.Recurrence = nil
	}
	return e
}

// drawPatchRequest draws a patch to a stored event or, rarely, to an unknown event.
func drawPatchRequest(t *draw.T, req *event.Request, eventType string) {
	stored := new(event.Event)
	if !draw.Seldom(t, "nothing is known of the event") {
		stored = drawExisting(t, eventType)
		req.Existing = stored
		drawCondition(t, req)
	}
	before := encodeTree(stored)
	after := drawChanged(t, stored, before)
	patch := drawPatch(t, before, after)
	req.Body = bodyText(patch)
	req.Params = operation.Params{}
	needParams(req.Params, func(name string) bool { _, ok := patch[name]; return ok })
	drawAround(t, req, func() *event.Event { return decodeEvent(after) })
}

// drawWrite sets the body to an event, and draws the remaining parts of the request.
func drawWrite(t *draw.T, req *event.Request, e *event.Event, body json.RawMessage) {
	req.Body = body
	stored := req.Existing
	if stored == nil {
		stored = new(event.Event)
	}
	req.Params = operation.Params{}
	needParams(req.Params, func(name string) bool {
		switch name {
		case "conferenceData":
			return e.ConferenceData != nil
		case "attachments":
			return len(e.Attachments)+len(stored.Attachments) > 0
		case "eventLabelId":
			return e.EventLabelID != nil && *e.EventLabelID != labelOf(stored)
		default:
			return e.ColorID != stored.ColorID
		}
	})
	drawAround(t, req, func() *event.Event { return e })
}

func labelOf(e *event.Event) string {
	if e.EventLabelID == nil {
		return ""
	}
	return *e.EventLabelID
}

// drawCondition sometimes makes a request conditional on the entity tag of the stored event, unless the request already has a
// condition.
func drawCondition(t *draw.T, req *event.Request) {
	const anyTag = "*" // matches every event that exists
	if req.IfMatch == "" && draw.Maybe(t, "ifMatch") {
		req.IfMatch = draw.One(t, "ifMatch", req.Existing.ETag, anyTag)
	}
}

// drawAround draws the remaining parts of a request. The function made returns the event that results from the request.
func drawAround(t *draw.T, req *event.Request, made func() *event.Event) {
	drawParams(t, req)
	if req.Caller == nil && draw.Maybe(t, "caller") {
		req.Caller = drawCaller(t, req)
	}
	if req.Calendar == nil && draw.Maybe(t, "calendar") {
		req.Calendar = drawCalendar(t, made())
		drawAddressed(t, req.Op, req.Calendar)
	}
	if req.Series == nil && req.Existing != nil && req.Existing.OriginalStartTime != nil && draw.Maybe(t, "series") {
		req.Series = seriesOf(req.Existing)
	}
}

// seriesOf returns a series whose first instance is the given event.
func seriesOf(instance *event.Event) *event.Event {
	start := *instance.OriginalStartTime
	if start.TimeZone == "" {
		start.TimeZone = "UTC"
	}
	end := start
	return &event.Event{
		ID: instance.RecurringEventID, Status: constraint.StatusConfirmed, ICalUID: instance.ICalUID,
		Start: &start, End: &end, Recurrence: []string{"RRULE:FREQ=DAILY"},
	}
}

// drawCalendar draws facts about a calendar that may contain the event.
func drawCalendar(t *draw.T, e *event.Event) *operation.Calendar {
	c := new(operation.Calendar)
	if draw.Maybe(t, "known ids") {
		c.IDs = operation.IDList{"taken0"}
		if e.ID == "taken0" {
			c.IDs = operation.IDList{}
		}
	}
	if draw.Maybe(t, "known colors") {
		c.Colors = operation.IDList{"1", e.ColorID}
	}
	if draw.Maybe(t, "known labels") {
		labels := operation.IDList{"1"}
		if e.EventLabelID != nil {
			labels = append(labels, *e.EventLabelID)
		}
		c.Labels = labels
	}
	if w := e.WorkingLocationProperties; draw.Maybe(t, "known buildings") && w != nil && w.OfficeLocation != nil {
		c.Buildings = operation.IDList{"1", w.OfficeLocation.BuildingID}
	}
	return c
}

// drawExisting draws a stored event of the given type or, if it is "", of any type. The event may be cancelled.
func drawExisting(t *draw.T, eventType string) *event.Event {
	e := &event.Event{EventType: eventType}
	if draw.Seldom(t, "cancelled") {
		drawCancelled(t, e)
	} else {
		drawStored(t, e)
	}
	return e
}

// drawMoveRequest draws the move of an event, which must have type default. The public service does not move instances of
// a series.
func drawMoveRequest(t *draw.T, req *event.Request, _ string) {
	req.Existing = drawExisting(t, constraint.TypeDefault)
	req.Existing.RecurringEventID, req.Existing.OriginalStartTime = "", nil
	drawAround(t, req, func() *event.Event { return req.Existing })
}

// drawDeleteRequest draws the deletion of a confirmed or tentative event.
func drawDeleteRequest(t *draw.T, req *event.Request, eventType string) {
	req.Existing = &event.Event{EventType: eventType}
	drawStored(t, req.Existing)
	if b := req.Existing.BirthdayProperties; b != nil {
		*b = event.Birthday{Type: constraint.TypeBirthday} // the birthday of a contact cannot be deleted
	}
	drawCondition(t, req)
	drawAround(t, req, func() *event.Event { return req.Existing })
}

// drawReadRequest draws a request for a stored event or, rarely, for an unknown event.
func drawReadRequest(t *draw.T, req *event.Request, eventType string) {
	if draw.Seldom(t, "nothing is known of the event") {
		drawPlainRequest(t, req)
		return
	}
	req.Existing = drawExisting(t, eventType)
	drawAround(t, req, func() *event.Event { return req.Existing })
	if req.Params["iCalUID"] != nil && draw.Maybe(t, "the event's own iCalUID") {
		req.Params["iCalUID"] = []string{req.Existing.ICalUID}
	}
}

func drawInstancesRequest(t *draw.T, req *event.Request, eventType string) {
	e := &event.Event{EventType: eventType}
	drawStored(t, e)
	if len(e.Recurrence) == 0 {
		e.RecurringEventID, e.OriginalStartTime, e.ICalUID = "", nil, e.ID+uidSuffix
		drawSeries(t, e, drawForm(t, e.EventType))
	}
	req.Existing = e
	drawAround(t, req, func() *event.Event { return e })
}

// drawResponse draws a representation to check.
func drawResponse(t *draw.T, req *event.Request, eventType string) {
	req.Body = drawRepresentation(t, eventType).AppendJSON(nil)
	drawParams(t, req)
}
