// Command go uses the official Go client of Google Calendar with the emulator. The command differs from a program for the
// public service only in the endpoint.
//
//	go run ./clients/go --url http://127.0.0.1:8085/calendar/v3/
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

func main() {
	url := flag.String("url", "http://127.0.0.1:8085/calendar/v3/", "the base `URL` of the emulator")
	flag.Parse()
	if err := wait(*url); err != nil {
		log.Fatal(err)
	}
	if err := run(context.Background(), *url, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// wait waits until the emulator, which may still be building, responds.
func wait(url string) error {
	const patience = 5 * time.Minute
	for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		resp, err := http.Get(url + "colors")
		if err == nil {
			return resp.Body.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

func run(ctx context.Context, url string, out io.Writer) error {
	service, err := calendar.NewService(ctx, option.WithEndpoint(url), option.WithoutAuthentication())
	if err != nil {
		return err
	}
	standup, err := service.Events.Insert("primary", &calendar.Event{
		Summary:    "Standup",
		Start:      &calendar.EventDateTime{DateTime: "2026-03-09T09:00:00-04:00", TimeZone: "America/New_York"},
		End:        &calendar.EventDateTime{DateTime: "2026-03-09T09:15:00-04:00", TimeZone: "America/New_York"},
		Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=3"},
	}).Do()
	if err != nil {
		return err
	}
	instances, err := service.Events.Instances("primary", standup.Id).Do()
	if err != nil {
		return err
	}
	for _, e := range instances.Items {
		fmt.Fprintln(out, e.Start.DateTime, e.Summary)
	}
	// The emulator refuses each request that the service would refuse, with the reason.
	_, err = service.Events.Patch("primary", standup.Id, &calendar.Event{Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=3;UNTIL=20260312T130000Z"}}).Do()
	var refused *googleapi.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("a recurrence that ends twice was not refused: %w", err)
	}
	fmt.Fprintln(out, refused.Code, refused.Errors[0].Reason, refused.Message)
	return service.Events.Delete("primary", standup.Id).Do()
}
