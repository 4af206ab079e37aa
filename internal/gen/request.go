package gen

import (
	"fmt"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/operation"
)

// eventRequests maps operations on events, and operation.Response, to functions that draw their requests. All other requests
// are drawn from the tables in package operation, which contain all documented facts about these requests.
var eventRequests = sync.OnceValue(func() map[operation.ID]func(t *draw.T, req *event.Request, eventType string) {
	return map[operation.ID]func(t *draw.T, req *event.Request, eventType string){
		operation.EventsInsert:    drawInsertRequest,
		operation.EventsImport:    drawImportRequest,
		operation.EventsUpdate:    drawUpdateRequest,
		operation.EventsPatch:     drawPatchRequest,
		operation.EventsMove:      drawMoveRequest,
		operation.EventsDelete:    drawDeleteRequest,
		operation.EventsGet:       drawReadRequest,
		operation.EventsList:      drawReadRequest,
		operation.EventsInstances: drawInstancesRequest,
		operation.Response:        drawResponse,
	}
})

// Request returns a generator of valid requests for an operation, in the given dialect. Request panics if the operation does
// not exist.
func Request(in diag.Dialect, op operation.ID) draw.Generator[*event.Request] {
	return requestAbout(topic{in, op, ""})
}

// topic is the subject of a request. If the event type is "", the event may have any type.
type topic struct {
	in        diag.Dialect
	op        operation.ID
	eventType string
}

// requestAbout returns a generator of valid requests. If the operation cannot be used for events of the requested type, the
// event has a different type.
var requestAbout = draw.Keyed(func(about topic) draw.Generator[*event.Request] {
	fill := eventRequests()[about.op]
	if fill == nil {
		if _, known := operation.Lookup(about.op); !known {
			panic(fmt.Sprintf("fuzz: the service has no operation %q", about.op))
		}
		fill = func(t *draw.T, req *event.Request, _ string) { drawPlainRequest(t, req) }
	}
	return draw.Built(func(t *draw.T, req *event.Request) {
		req.Op, req.Dialect = about.op, about.in
		fill(t, req, about.eventType)
		req.Dialect = diag.Documents // the body still has the documents' names
		*req = req.WithDialect(about.in)
		req.Body = inOtherForms(t, req.Body)
	})
})

// drawPlainRequest draws a request for an operation with documented parameters and caller, but an undocumented body. The public
// service requires bodies that the documents do not describe.
func drawPlainRequest(t *draw.T, req *event.Request) {
	drawParams(t, req)
	if req.Dialect == diag.Google {
		req.Body = sampleBodies()[req.Op]
	}
	if draw.Maybe(t, "caller") {
		req.Caller = drawCaller(t, req)
	}
	if draw.Maybe(t, "calendar") {
		req.Calendar = &operation.Calendar{}
		drawAddressed(t, req.Op, req.Calendar)
	}
}

// Body returns a valid body for an operation on a resource other than an event, or nil if the operation has no body.
func Body(op operation.ID) []byte {
	if body := sampleBodies()[op]; body != nil || !diag.OtherBodies.Has(OccasionOf(op)) {
		return body
	}
	return []byte("{}")
}

// sampleBodies returns bodies for the operations on other resources, taken from the examples of the rules about these
// operations.
var sampleBodies = sync.OnceValue(func() map[operation.ID][]byte {
	bodies := map[operation.ID][]byte{}
	for rule := range event.Catalogue().All() {
		good := readExample(rule.Good.Example(), diag.Google)
		if good == nil || !resource.NeedsBody.Has(operationOf(good.Op).When) {
			continue
		}
		for _, op := range OperationsOn(rule.When & resource.NeedsBody) {
			if bodies[op] == nil {
				bodies[op] = good.Body
			}
		}
	}
	return bodies
})

// drawAddressed draws a calendar on which the operation is allowed.
func drawAddressed(t *draw.T, op operation.ID, c *operation.Calendar) {
	status := anyCalendarStatus
	switch op {
	case "calendars.clear":
		c.Primary = draw.Pointer(t, "primary", draw.Just(true))
	case "calendars.delete":
		c.Primary = draw.Pointer(t, "primary", draw.Just(false))
	case "calendars.transferOwnership":
		c.Primary = draw.Pointer(t, "primary", draw.Just(false))
		status = draw.Just("active")
	default:
		c.Primary = draw.Pointer(t, "primary", draw.Bool)
	}
	c.Status = draw.Optional(t, "calendar's status", status)
}

var anyCalendarStatus = draw.Sampled("active", "disabled", "deleted")

// drawCaller draws facts about a caller who may send the request.
func drawCaller(t *draw.T, req *event.Request) *operation.Caller {
	c := &operation.Caller{
		Email:                draw.Optional(t, "caller's email", draw.Address),
		ServiceAccount:       draw.Pointer(t, "service account", draw.Bool),
		DomainWideDelegation: true, // a service account without delegation may do little
		Creator:              draw.Pointer(t, "creator", draw.Bool),
	}
	if draw.Maybe(t, "scopes") {
		c.Scopes = drawScopes(t, req)
	}
	return c
}

// drawScopes draws sufficient scopes or, if the sufficient scopes are unknown, any scopes.
func drawScopes(t *draw.T, req *event.Request) []string {
	const base = "https://scopes.example.com/"
	enough := []string{"auth/calendar"}
	if op, ok := operation.Lookup(req.Op); ok && op.Scopes != nil {
		enough = op.Scopes
	} else if ok && req.Dialect == diag.Google {
		enough = op.ObservedScopes()
	}
	scopes := []string{base + draw.One(t, "scope", enough...)}
	if draw.Maybe(t, "another scope") {
		scopes = append(scopes, base+"auth/calendar.readonly")
	}
	return scopes
}
