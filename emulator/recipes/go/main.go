// Command go calls the public service with the official Go client and the machine's default credentials. No part of the command
// is specific to the emulator.
package main

import (
	"context"
	"fmt"
	"os"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	service, err := calendar.NewService(ctx, option.WithScopes(calendar.CalendarScope))
	if err != nil {
		return err
	}
	event := &calendar.Event{
		Summary: "from Go", Start: &calendar.EventDateTime{DateTime: "2026-03-11T09:00:00Z"}, End: &calendar.EventDateTime{DateTime: "2026-03-11T10:00:00Z"},
	}
	if event, err = service.Events.Insert("primary", event).Do(); err != nil {
		return err
	}
	_, err = service.Events.Get("primary", event.Id).Do()
	return err
}
