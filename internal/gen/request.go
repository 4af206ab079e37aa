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

// eventRequests draw the requests of operations on events, and representations. For other
// operations, the tables of package operation contain all that is documented about their
// requests.
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

// Request draws valid requests for an operation, in a dialect. It panics if the service does not have the operation.
func Request(in diag.Dialect, op operation.ID) draw.Generator[*event.Request] {
	return requestAbout(topic{in, op, ""})
}

// topic is the subject of a request. If the event type is empty, the event is of any type.
type topic struct {
	in        diag.Dialect
	op        operation.ID
	eventType string
}

// requestAbout draws valid requests. The event is of another type if no request for the operation is about one of that type.
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
		req.Dialect = diag.Documents // whose names the body has until now
		*req = req.WithDialect(about.in)
		req.Body = inOtherForms(t, req.Body)
	})
})

// drawPlainRequest draws a request about which only the parameters and the caller are
// documented. The public service requires bodies that the documents do not show.
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

// Body returns a valid body of an operation on another resource than an event, or nil if it has none.
func Body(op operation.ID) []byte {
	if body := sampleBodies()[op]; body != nil || !diag.OtherBodies.Has(OccasionOf(op)) {
		return body
	}
	return []byte("{}")
}

// sampleBodies are bodies of the operations on other resources that need one, from the examples of the rules about them.
var sampleBodies = sync.OnceValue(func() map[operation.ID][]byte {
	bodies := map[operation.ID][]byte{}
	for rule := range event.Catalogue().All() {
		good := readExample(rule.Good, diag.Google)
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
		DomainWideDelegation: true, // a service account without it may do little
		Creator:              draw.Pointer(t, "creator", draw.Bool),
	}
	if draw.Maybe(t, "scopes") {
		c.Scopes = drawScopes(t, req)
	}
	return c
}

// drawScopes draws sufficient scopes or, if they are not known, any.
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
