package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/teambition/rrule-go"
)

func Example() {
	main()
	// Output:
	// 2026-03-10 09:00:00 +0100 CET
	// 2026-04-14 09:00:00 +0200 CEST
	// 2026-05-12 09:00:00 +0200 CEST
}

// drawRule returns a rule that rrule-go reads, without the parts in which it differs: see docs/readings.md.
func drawRule(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	freq := pick("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
	parts := []string{"FREQ=" + freq, fmt.Sprintf("INTERVAL=%d", 1+r.IntN(3)), fmt.Sprintf("COUNT=%d", 1+r.IntN(12))}
	if r.IntN(2) == 0 {
		days := pick("MO", "TU,TH", "MO,TU,WE,TH,FR", "SA,SU")
		if freq == "MONTHLY" && r.IntN(2) == 0 {
			days = pick("1MO", "-1FR", "2TU,4TU")
		}
		parts = append(parts, "BYDAY="+days)
	} else if freq == "YEARLY" && r.IntN(2) == 0 {
		return strings.Join(append(parts, "BYWEEKNO="+pick("20", "1", "-1,10")), ";")
	} else if freq == "MONTHLY" || freq == "YEARLY" {
		parts = append(parts, "BYMONTHDAY="+pick("1", "15", "-1", "10,20"))
	}
	if r.IntN(3) == 0 {
		parts = append(parts, "BYMONTH="+pick("1", "3,6", "12"))
	}
	if r.IntN(3) == 0 {
		parts = append(parts, "BYHOUR="+pick("9", "8,17"))
	}
	return strings.Join(parts, ";")
}

// A thousand rules have the same instances as in rrule-go.
func TestAgainstRRuleGo(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 49))
	for range 1000 {
		start := time.Date(2020+random.IntN(10), time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), 0, 0, 0, time.UTC)
		text := "DTSTART:" + start.Format("20060102T150405Z") + "\nRRULE:" + drawRule(random)
		theirs, err := rrule.StrToRRuleSet(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		ours, err := StrToRRule(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		all, own := theirs.All(), ours.All()
		if len(all)+len(own) == 0 {
			continue
		}
		if diff := cmp.Diff(all, own); diff != "" {
			t.Errorf("%s (-rrule-go +recurrence):\n%s", text, diff)
			continue
		}
		at := all[random.IntN(len(all))]
		for name, pair := range map[string][2]any{
			"between": {theirs.Between(at, at.AddDate(1, 0, 0), true), ours.Between(at, at.AddDate(1, 0, 0), true)},
			"after":   {theirs.After(at, false), ours.After(at, false)},
			"before":  {theirs.Before(at, true), ours.Before(at, true)},
		} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Errorf("%s, %s %s (-rrule-go +recurrence):\n%s", text, name, at, diff)
			}
		}
	}
}
