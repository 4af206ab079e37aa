package recurrence_test

import (
	"slices"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

type namedRule struct{ name, rule string }

// canonical are the rules of the benchmarks.
var canonical = []namedRule{
	{"daily", "FREQ=DAILY"},
	{"weekly-MO-WE-FR", "FREQ=WEEKLY;BYDAY=MO,WE,FR"},
	{"monthly-last-day", "FREQ=MONTHLY;BYMONTHDAY=-1"},
	{"monthly-2TU", "FREQ=MONTHLY;BYDAY=2TU"},
	{"yearly-4TH-november", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"},
	{"friday-13th", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"},
	{"last-workday", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
	{"minutely-office", "FREQ=MINUTELY;INTERVAL=15;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,10,11,12,13,14,15,16"},
	{"secondly-minute", "FREQ=SECONDLY;INTERVAL=10;BYMINUTE=30"},
}

var benchZones = []string{"UTC", "America/New_York"}

// occurrences is how many instances one iteration of BenchmarkExpand takes: about as many as rrule-go has before its end.
const occurrences = 250

func seriesOf(t rapid.TB, start recurrence.Start, lines ...string) *recurrence.Series {
	set, err := recurrence.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, set, start)
}

// BenchmarkExpand measures an instance of a compiled series, compared with rrule-go.
func BenchmarkExpand(b *testing.B) {
	for _, zone := range benchZones {
		start := time.Date(1997, 9, 2, 9, 0, 0, 0, load(zone))
		for _, c := range canonical {
			b.Run(c.name+"/"+zone+"/calrules", func(b *testing.B) {
				s := seriesOf(b, recurrence.StartTime(start), "RRULE:"+c.rule)
				b.ReportAllocs()
				for b.Loop() {
					n := 0
					for range s.All() {
						if n++; n == occurrences {
							break
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*occurrences), "ns/occurrence")
			})
			b.Run(c.name+"/"+zone+"/rrule-go", func(b *testing.B) {
				opt, err := rrule.StrToROption(c.rule)
				if err != nil {
					b.Fatal(err)
				}
				opt.Dtstart = start
				r, err := rrule.NewRRule(*opt)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					next := r.Iterator()
					for range occurrences {
						next()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*occurrences), "ns/occurrence")
			})
		}
	}
}

// BenchmarkFarWeek measures a window of one week 30 years after the start.
func BenchmarkFarWeek(b *testing.B) {
	far := append(slices.Clone(canonical), namedRule{"biweekly", "FREQ=WEEKLY;INTERVAL=2"})
	for _, zone := range benchZones {
		start := time.Date(1997, 9, 2, 9, 0, 0, 0, load(zone))
		from := start.AddDate(30, 0, 0)
		to := from.AddDate(0, 0, 7)
		for _, c := range far {
			for _, count := range []string{"", ";COUNT=2000000"} { // a COUNT that might end before the window has to be counted
				b.Run(c.name+count+"/"+zone, func(b *testing.B) {
					s := seriesOf(b, recurrence.StartTime(start), "RRULE:"+c.rule+count)
					b.ReportAllocs()
					for b.Loop() {
						for _, err := range s.Between(from, to) {
							if err != nil {
								b.Fatal(err)
							}
						}
					}
				})
			}
		}
	}
}

// BenchmarkContains measures Contains for an instance after 30 years.
func BenchmarkContains(b *testing.B) {
	for _, zone := range benchZones {
		start := time.Date(1997, 9, 2, 9, 0, 0, 0, load(zone))
		for _, c := range canonical {
			b.Run(c.name+"/"+zone, func(b *testing.B) {
				s := seriesOf(b, recurrence.StartTime(start), "RRULE:"+c.rule)
				at, _, err := s.Next(start.AddDate(30, 0, 0))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if ok, err := s.Contains(at); !ok || err != nil {
						b.Fatal(ok, err)
					}
				}
			})
		}
	}
}

// BenchmarkCheck measures Check for common lines.
func BenchmarkCheck(b *testing.B) {
	for name, lines := range map[string][]string{
		"rule":             {"RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10"},
		"rule and exdates": {"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20271231T235959Z", "EXDATE;TZID=America/New_York:20260317T090000,20260324T090000"},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found := (recurrence.Lines{Texts: lines, Start: timed}).Check().Findings; len(found) > 0 {
					b.Fatal(found)
				}
			}
		})
	}
}
