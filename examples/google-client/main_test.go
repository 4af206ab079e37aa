package main

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func meeting() *calendar.Event {
	return &calendar.Event{
		Id:          "standup2026",
		Summary:     "Standup",
		Start:       &calendar.EventDateTime{DateTime: "2026-03-10T09:00:00-04:00", TimeZone: "America/New_York"},
		End:         &calendar.EventDateTime{DateTime: "2026-03-10T09:15:00-04:00", TimeZone: "America/New_York"},
		HangoutLink: "https://meet.google.com/abc-mnop-xyz",
		ConferenceData: &calendar.ConferenceData{
			ConferenceId:       "abc-mnop-xyz",
			ConferenceSolution: &calendar.ConferenceSolution{Key: &calendar.ConferenceSolutionKey{Type: "hangoutsMeet"}, Name: "Google Meet"},
			EntryPoints:        []*calendar.EntryPoint{{EntryPointType: "video", Uri: "https://meet.google.com/abc-mnop-xyz"}},
		},
	}
}

// An event of the client is patched, answered and read back as one.
func TestPatch(t *testing.T) {
	got, err := preflight(operation.EventsPatch, meeting(), &calendar.Event{Summary: "Daily", ColorId: "5"})
	if err != nil {
		t.Fatal(err)
	}
	want := meeting()
	want.Summary, want.ColorId, want.Status = "Daily", "5", "confirmed"
	if a, b := text(t, want), text(t, got); a != b {
		t.Errorf("got  %s\nwant %s", b, a)
	}
}

func text(t *testing.T, e *calendar.Event) string {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the service would refuse is refused, with the names that the client uses.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(e *calendar.Event)
		rule   string
		path   diag.Pointer
	}{
		{"type", func(e *calendar.Event) { e.EventType = "fromGmail" }, ruleid.EventTypeFromMail, "/eventType"},
		{"type-of-the-documents", func(e *calendar.Event) { e.EventType = "fromMail" }, ruleid.EventTypeEnum, "/eventType"},
		{"deprecated", func(e *calendar.Event) {
			e.ConferenceData.ConferenceSolution.Key.Type = "eventHangout"
			e.ConferenceData.ConferenceId = ""
		},
			ruleid.ConferenceTypeCreate, "/conferenceData/conferenceSolution/key/type"},
		{"meeting-code", func(e *calendar.Event) { e.ConferenceData.ConferenceId = "abc" }, ruleid.ConferenceIDForm, "/conferenceData/conferenceId"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := meeting()
			test.change(e)
			_, err := preflight(operation.EventsInsert, nil, e)
			var refused *diag.Error
			if !errors.As(err, &refused) {
				t.Fatalf("the error is %v", err)
			}
			if !slices.ContainsFunc(refused.Findings, func(f diag.Finding) bool {
				return f.Kind == diag.Reject && f.Rule.ID == test.rule && f.Path == test.path
			}) {
				t.Errorf("%v, want %s at %s", refused.Findings, test.rule, test.path)
			}
		})
	}
}

// others are members of the client's events that the documents do not describe.
var others = []string{
	"conferenceData.parameters", "conferenceData.parameters.addOnParameters", "conferenceData.parameters.addOnParameters.parameters",
	"conferenceData.entryPoints[].entryPointFeatures", "conferenceData.entryPoints[].regionCode",
}

// Every member of the client's events is one of the dialect, and every member of the dialect one of the client's.
func TestMembers(t *testing.T) {
	clients := members(reflect.TypeFor[calendar.Event](), "")
	for _, f := range event.Fields() {
		path := diag.Google.Name(f.Path)
		if i := slices.Index(clients, path); i >= 0 {
			clients = slices.Delete(clients, i, i+1)
		} else {
			t.Errorf("the client has no member %s", path)
		}
	}
	slices.Sort(clients)
	if want := slices.Sorted(slices.Values(others)); !slices.Equal(clients, want) {
		t.Errorf("the dialect lacks %q, want %q", clients, want)
	}
}

// members returns the paths of the members of a struct of the client.
func members(s reflect.Type, prefix string) (paths []string) {
	for f := range s.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		path, inner := prefix+name, f.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			if inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Pointer {
				path += "[]"
			}
			inner = inner.Elem()
		}
		paths = append(paths, prefix+name)
		if inner.Kind() == reflect.Struct {
			paths = append(paths, members(inner, path+".")...)
		}
	}
	return paths
}
