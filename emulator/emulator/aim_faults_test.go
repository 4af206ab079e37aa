package emulator_test

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/internal/faults"
	"github.com/calrules/calrules/internal/aim"
)

var aimFault = flag.String("fault", "", "the name of the only fault to plant")

var aimHidden = flag.Bool("hidden", false, "plant the hidden faults alone")

var aimCount = flag.Int("aim", 0, "how many verdicts aim compares for each planted fault; by default few, of one fault in ten")

// aim finds the faults that are planted in front of the emulator. The names of the hidden ones are not told: whoever writes aim
// must not know them.
func TestAimFindsFaults(t *testing.T) {
	open, hidden := faults.Open(), faults.Hidden()
	share := 6 // of those that may be missed
	if *aimCount == 0 {
		*aimCount, share = 60, 3
		open, hidden = tenth(open), tenth(hidden)
	}
	if *aimHidden {
		open = nil
	}
	missed, missedHidden := missedFaults(t, open), missedFaults(t, hidden)
	t.Logf("of %d faults %d are missed: %s", len(open), len(missed), strings.Join(missed, " "))
	t.Logf("of %d hidden faults %d are missed", len(hidden), len(missedHidden))
	if n, all := len(missed)+len(missedHidden), len(open)+len(hidden); n > all/share {
		t.Errorf("%d of %d faults are missed", n, all)
	}
}

// tenth returns one fault in ten.
func tenth(all []faults.Fault) (some []faults.Fault) {
	for i := 0; i < len(all); i += 10 {
		some = append(some, all[i])
	}
	return some
}

// missedFaults returns the names of the faults that aim does not find.
func missedFaults(t *testing.T, all []faults.Fault) (names []string) {
	for _, f := range all {
		if *aimFault != "" && f.Name != *aimFault {
			continue
		}
		start := time.Now()
		handler := emulator.New()
		second := newDirect(t, handler).do(200, "POST", "/calendars", `{"summary":"Second"}`).text("id")
		server := httptest.NewServer(f.Handler(handler))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		report, err := aim.Run(ctx, aim.Options{
			Base: server.URL + google, Calendar: "primary", Second: second, Dialect: diag.Google, Client: http.DefaultTransport, Seed: 1, Count: *aimCount, Timeout: time.Minute, Nonce: "n", Whole: true,
		})
		cancel()
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Disagreements) == 0 {
			names = append(names, f.Name)
		}
		if testing.Verbose() && len(all) > len(faults.Hidden()) {
			t.Logf("%-40s %3d disagreements %5d requests %v", f.Name, len(report.Disagreements), report.Requests, time.Since(start).Round(time.Millisecond))
			for i, d := range report.Disagreements {
				if i < 2 {
					t.Logf("      %s %s %s: %s", d.Op, d.Fault, d.Rule, d.Message)
				}
			}
		}
	}
	return names
}
