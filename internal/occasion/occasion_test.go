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
		"acl.delete":                  occasion.ACLDelete,
		"acl.get":                     occasion.ACLGet,
		"acl.insert":                  occasion.ACLInsert,
		"acl.list":                    occasion.ACLList,
		"acl.patch":                   occasion.ACLPatch,
		"acl.update":                  occasion.ACLUpdate,
		"acl.watch":                   occasion.ACLWatch,
		"calendarList.delete":         occasion.CalendarListDelete,
		"calendarList.get":            occasion.CalendarListGet,
		"calendarList.insert":         occasion.CalendarListInsert,
		"calendarList.list":           occasion.CalendarListList,
		"calendarList.patch":          occasion.CalendarListPatch,
		"calendarList.update":         occasion.CalendarListUpdate,
		"calendarList.watch":          occasion.CalendarListWatch,
		"calendars.get":               occasion.CalendarsGet,
		"calendars.patch":             occasion.CalendarsPatch,
		"calendars.update":            occasion.CalendarsUpdate,
		"colors.get":                  occasion.ColorsGet,
		"events.watch":                occasion.EventsWatch,
		"freebusy.query":              occasion.FreebusyQuery,
		"settings.get":                occasion.SettingsGet,
		"settings.list":               occasion.SettingsList,
		"settings.watch":              occasion.SettingsWatch,
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
