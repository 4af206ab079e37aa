package event_test

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/surface"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"At": event.At, "Catalogue": event.Catalogue, "ChangesUpdated": event.ChangesUpdated, "Check": event.Check,
		"Day": event.Day, "Decode": event.Decode, "Diff": event.Diff, "Expand": event.Expand,
		"Fields": event.Fields, "Findings": event.Findings, "InstanceByID": event.InstanceByID, "Instances": event.Instances,
		"MakePatch": event.MakePatch, "MergeJSON": event.MergeJSON, "NewID": event.NewID, "Patch": event.Patch,
		"PathIn": event.PathIn, "Update": event.Update,
	}, event.Attachment{}, event.Attendee{}, event.Birthday{}, event.Checker{}, event.CustomLocation{},
		event.Event{}, event.ExpandRequest{}, event.ExtendedProperties{}, event.FocusTime{}, event.Gadget{},
		event.OfficeLocation{}, event.OutOfOffice{}, event.Person{}, event.Reminder{}, event.Reminders{},
		event.Request{}, event.Result{}, event.Source{}, event.Stamp{}, event.Time{}, event.Window{}, event.WorkingLocation{})
}
