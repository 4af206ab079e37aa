//go:build ignore

// This program does the same as client.ts, with the client that oapi-codegen generates from the OpenAPI document. The program
// is compiled together with the generated client. The argument is the address of the service.
package main

import (
	"context"
	"log"
	"os"
	"time"
)

const calendar = "primary"

func main() {
	ctx, client := context.Background(), must(NewClientWithResponses(os.Args[1]))
	day := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	start, end := day.Add(9*time.Hour), day.Add(10*time.Hour)

	inserted := must(client.EventsInsertWithResponse(ctx, calendar, nil, EventInsert{
		Summary:   new("Planning"),
		Start:     TimeInsert{DateTime: new(start.Format(time.RFC3339))},
		End:       TimeInsert{DateTime: new(end.Format(time.RFC3339))},
		Attendees: &[]AttendeeInsert{{Email: "ada@example.com"}},
	}))
	expect(inserted.JSON200 != nil, "insert", inserted.Body)
	id := *inserted.JSON200.Id

	list := must(client.EventsListWithResponse(ctx, calendar, &EventsListParams{TimeMin: &day, SingleEvents: new(true)}))
	expect(isOne(list.JSON200, func(e Event) bool { return *e.Id == id }), "list", list.Body)
	full := must(client.EventsListWithResponse(ctx, calendar, nil))
	expect(full.JSON200 != nil, "list", full.Body)

	patched := must(client.EventsPatchWithResponse(ctx, calendar, id, nil, EventPatch{Location: new("Room 4")}))
	expect(patched.JSON200 != nil && *patched.JSON200.Location == "Room 4", "patch", patched.Body)

	changes := must(client.EventsListWithResponse(ctx, calendar, &EventsListParams{SyncToken: full.JSON200.NextSyncToken}))
	expect(isOne(changes.JSON200, func(e Event) bool { return *e.Location == "Room 4" }), "synchronize", changes.Body)

	times := must(client.FreebusyQueryWithResponse(ctx, nil, FreeBusyQuery{
		TimeMin: day, TimeMax: day.AddDate(0, 0, 1), Items: &[]FreeBusyItemQuery{{Id: calendar}},
	}))
	expect(times.JSON200 != nil, "query free/busy information", times.Body)
	busy := *(*times.JSON200.Calendars)[calendar].Busy
	expect(len(busy) == 1 && busy[0].Start.Equal(start) && busy[0].End.Equal(end), "query free/busy information", times.Body)

	refused := must(client.EventsInsertWithResponse(ctx, calendar, nil, EventInsert{}))
	expect(refused.JSONDefault != nil && *refused.JSONDefault.Error.Code == 400, "insert nothing", refused.Body)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func expect(holds bool, what string, answer []byte) {
	if !holds {
		log.Fatalf("%s: the answer is %s", what, answer)
	}
}

// isOne reports whether a list has exactly one event, and holds reports true for it.
func isOne(list *Events, holds func(Event) bool) bool {
	return list != nil && list.Items != nil && len(*list.Items) == 1 && holds((*list.Items)[0])
}
