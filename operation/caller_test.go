package operation_test

import (
	"testing"

	"github.com/calrules/calrules/operation"
)

func TestCalendarValidate(t *testing.T) {
	for _, c := range []struct {
		calendar *operation.Calendar
		want     string
	}{
		{nil, ""},
		{&operation.Calendar{}, ""},
		{&operation.Calendar{Status: "active", TimeZone: "Europe/Berlin"}, ""},
		{&operation.Calendar{Status: "disabled"}, ""},
		{&operation.Calendar{Status: "deleted"}, ""},
		{&operation.Calendar{Status: "Active"}, `calendar.status is "Active"; it must be active, disabled or deleted`},
		{&operation.Calendar{TimeZone: "Berlin"}, `calendar.timeZone is "Berlin"; it must be in the IANA Time Zone Database, such as Europe/Berlin`},
	} {
		got := ""
		if err := c.calendar.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: the error is %q, want %q", c.calendar, got, c.want)
		}
	}
}
