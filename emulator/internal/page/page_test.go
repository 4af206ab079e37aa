package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/emulator/internal/page"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

func TestMain(m *testing.M) { testdepth.Main(m, 100) }

// The weeks of a month have each of its days once, in order, with the events of the day.
func TestWeeks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := time.Date(rapid.IntRange(1, 9998).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 1, 0, 0, 0, 0, time.UTC)
		e := page.Event{Title: "A", From: first.AddDate(0, 0, rapid.IntRange(-60, 60).Draw(t, "from"))}
		e.To = e.From.AddDate(0, 0, rapid.IntRange(0, 100_000).Draw(t, "length"))
		weeks := page.Month{First: first, Events: []page.Event{e}}.Weeks()
		next := weeks[0][0].Date
		if next.After(first) || !weeks[0][6].Date.AddDate(0, 0, 1).After(first) || weeks[len(weeks)-1][6].Date.Before(first.AddDate(0, 1, -1)) {
			t.Fatalf("the weeks are from %s to %s", next, weeks[len(weeks)-1][6].Date)
		}
		for _, week := range weeks {
			if len(week) != 7 || week[0].Date.Weekday() != time.Monday {
				t.Fatalf("a week is %v", week)
			}
			for _, day := range week {
				isInMonth := !day.Date.Before(first) && day.Date.Before(first.AddDate(0, 1, 0))
				has := !day.Date.Before(e.From) && !day.Date.After(e.To)
				if !day.Date.Equal(next) || day.IsOther == isInMonth || len(day.Events) == 1 != has {
					t.Fatalf("%s instead of %s, %+v", day.Date, next, day)
				}
				next = next.AddDate(0, 0, 1)
			}
		}
	})
}

// The policy of a page allows its style, and no other.
func TestPolicyAllowsStyle(t *testing.T) {
	for _, what := range []any{page.Month{First: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}, page.Details{}, page.Message{}} {
		w := httptest.NewRecorder()
		page.Write(w, 200, what)
		_, rest, _ := strings.Cut(w.Body.String(), "<style>")
		style, _, _ := strings.Cut(rest, "</style>")
		sum := sha256.Sum256([]byte(style))
		if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; style == "" || !strings.Contains(w.Header().Get("Content-Security-Policy"), want) {
			t.Errorf("the policy %q lacks %s", w.Header().Get("Content-Security-Policy"), want)
		}
	}
}
