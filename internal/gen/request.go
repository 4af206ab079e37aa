package gen

import (
	"fmt"
	"sync"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// eventRequests draw the requests of operations on events, and representations. For other
// operations, the tables of package operation contain all that is documented about their
// requests.
var eventRequests = sync.OnceValue(func() map[operation.ID]func(*draw.T, *event.Request) {
	return map[operation.ID]func(*draw.T, *event.Request){
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

// Request draws valid requests for an operation. It panics if the service does not have the operation.
func Request(op operation.ID) draw.Generator[*event.Request] { return requestFor(op) }

var requestFor = draw.Keyed(func(op operation.ID) draw.Generator[*event.Request] {
	fill := eventRequests()[op]
	if fill == nil {
		if _, known := operation.Lookup(op); !known {
			panic(fmt.Sprintf("fuzz: the service has no operation %q", op))
		}
		fill = drawPlainRequest
	}
	return draw.Built(func(t *draw.T, req *event.Request) {
		req.Op = op
		fill(t, req)
	})
})

// drawPlainRequest draws a request about which only the parameters and the caller are
// documented.
func drawPlainRequest(t *draw.T, req *event.Request) {
	drawParams(t, req)
	if draw.Maybe(t, "caller") {
		req.Caller = drawCaller(t, req.Op)
	}
	if draw.Maybe(t, "calendar") {
		req.Calendar = &operation.Calendar{}
		drawAddressed(t, req.Op, req.Calendar)
	}
}

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

// drawCaller draws facts about a caller who may send a request for the operation.
func drawCaller(t *draw.T, op operation.ID) *operation.Caller {
	c := &operation.Caller{
		Email:                draw.Optional(t, "caller's email", draw.Address),
		ServiceAccount:       draw.Pointer(t, "service account", draw.Bool),
		DomainWideDelegation: true, // a service account without it may do little
		Creator:              draw.Pointer(t, "creator", draw.Bool),
	}
	if draw.Maybe(t, "scopes") {
		c.Scopes = drawScopes(t, op)
	}
	return c
}

// drawScopes draws sufficient scopes or, if they are not documented, any.
func drawScopes(t *draw.T, op operation.ID) []string {
	const base = "https://scopes.example.com/"
	enough := []string{"auth/calendar"}
	if o, ok := operation.Lookup(op); ok && o.Scopes != nil {
		enough = o.Scopes
	}
	scopes := []string{base + draw.One(t, "scope", enough...)}
	if draw.Maybe(t, "another scope") {
		scopes = append(scopes, base+"auth/calendar.readonly")
	}
	return scopes
}
