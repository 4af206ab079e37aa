package occasion_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/occasion"
)

func TestNames(t *testing.T) {
	for want, when := range map[string]diag.When{
		"insert":                      occasion.Insert,
		"import":                      occasion.Import,
		"update":                      occasion.Update,
		"patch":                       occasion.Patch,
		"move":                        occasion.Move,
		"quickAdd":                    occasion.QuickAdd,
		"delete":                      occasion.Delete,
		"get":                         occasion.Get,
		"list":                        occasion.List,
		"instances":                   occasion.Instances,
		"response":                    diag.Response,
		"create":                      occasion.Insert | occasion.Import,
		"modify":                      occasion.Update | occasion.Patch,
		"calendars.clear":             occasion.CalendarsClear,
		"calendars.delete":            occasion.CalendarsDelete,
		"calendars.insert":            occasion.CalendarsInsert,
		"calendars.transferOwnership": occasion.CalendarsTransfer,
		"channels.stop":               occasion.ChannelsStop,
		"other":                       occasion.Other,
		"token":                       occasion.Token,
		"key":                         occasion.Key,
		"request":                     occasion.HTTP,
	} {
		if got := when.String(); got != want {
			t.Errorf("%b is called %q, want %q", when, got, want)
		}
	}
}

func TestAll(t *testing.T) {
	if all := occasion.HTTP<<1 - 1; all != diag.All {
		t.Errorf("all occasions are %b, and diag.All is %b", all, diag.All)
	}
}
