package event_test

import (
	"testing"
	"time"

	"github.com/calrules/calrules/event"
)

func TestAt(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	moment := time.Date(2026, 3, 10, 9, 0, 0, 500_000_000, time.UTC)
	for want, at := range map[string]time.Time{
		"2026-03-10T09:00:00.5Z UTC":                moment,
		"2026-03-10T10:00:00.5+01:00 Europe/Berlin": moment.In(berlin),
		"2026-03-10T14:30:00.5+05:30":               moment.In(time.FixedZone("", 5*3600+1800)),
		"2026-03-10T11:00:00.5+02:00":               moment.In(time.FixedZone("Europe/Berlin", 7200)), // not the offset of the zone
		"1799-12-31T23:06:32Z Europe/Berlin":        time.Date(1800, 1, 1, 0, 0, 0, 0, berlin),        // local mean time
	} {
		got := event.TimeAt(at)
		if got.String() != want {
			t.Errorf("At(%v) = %v, want %s", at, got, want)
		}
		if back, err := got.Instant(nil); err != nil || !back.Equal(at) {
			t.Errorf("the instant of %v is %v, %v, want %v", got, back, err, at)
		}
	}
	if got := event.Date(2026, 3, 32).String(); got != "2026-04-01" {
		t.Errorf("the day after March is %s", got)
	}
}

func TestInstant(t *testing.T) {
	tokyo := time.FixedZone("", 9*3600)
	for _, test := range []struct {
		t    *event.Time
		in   *time.Location
		want string // empty for an error
	}{
		{&event.Time{Date: "2026-03-10"}, nil, "2026-03-10T00:00:00Z"},
		{&event.Time{Date: "2026-03-10"}, tokyo, "2026-03-10T00:00:00+09:00"},
		{&event.Time{DateTime: "2026-03-10T09:00:00"}, tokyo, "2026-03-10T09:00:00+09:00"},
		{&event.Time{DateTime: "2026-03-10T09:00:00-04:00"}, tokyo, "2026-03-10T09:00:00-04:00"},
		{&event.Time{DateTime: "2026-03-10T09:00:00", TimeZone: "Europe/Berlin"}, tokyo, "2026-03-10T09:00:00+01:00"},
		{&event.Time{DateTime: "2026-03-10T09:00:00Z", TimeZone: "Europe/Berlin"}, tokyo, "2026-03-10T10:00:00+01:00"},
		{nil, nil, ""},
		{new(event.Time), nil, ""},
		{&event.Time{Date: "2026-03-10", DateTime: "2026-03-10T09:00:00Z"}, nil, ""},
		{&event.Time{Date: "2026-02-30"}, nil, ""},
		{&event.Time{DateTime: "noon"}, nil, ""},
		{&event.Time{DateTime: "2026-03-10T09:00:00", TimeZone: "Mars"}, nil, ""},
	} {
		got, err := test.t.Instant(test.in)
		if (err != nil) != (test.want == "") || err == nil && got.Format(time.RFC3339) != test.want {
			t.Errorf("the instant of %v in %v is %v, %v, want %q", test.t, test.in, got, err, test.want)
		}
	}
}

func TestLength(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := &event.Event{Start: event.Date(2026, 3, 29), End: event.Date(2026, 3, 30)} // clocks change
	for in, want := range map[*time.Location]time.Duration{nil: 24 * time.Hour, berlin: 23 * time.Hour} {
		if got, err := day.Length(in); got != want || err != nil {
			t.Errorf("the length in %v is %v, %v, want %v", in, got, err, want)
		}
	}
	for _, e := range []*event.Event{{}, {Start: day.Start}, {End: day.End}} {
		if got, err := e.Length(nil); err == nil {
			t.Errorf("%v has the length %v", e, got)
		}
	}
}
