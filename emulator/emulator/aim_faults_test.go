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

var aimCount = flag.Int("aim", 500, "how many verdicts aim compares for each planted fault")

// aim finds the faults that are planted in front of the emulator. The names of the hidden ones are not told: whoever writes aim
// must not know them.
func TestAimFindsFaults(t *testing.T) {
	open, hidden := missedFaults(t, faults.Open()), missedFaults(t, faults.Hidden())
	t.Logf("of %d faults %d are missed: %s", len(faults.Open()), len(open), strings.Join(open, " "))
	t.Logf("of %d hidden faults %d are missed", len(faults.Hidden()), len(hidden))
	const mostMissed = 10
	if n := len(open) + len(hidden); n > mostMissed {
		t.Errorf("%d faults are missed", n)
	}
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
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
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
		if testing.Verbose() && len(faults.Open()) == len(all) {
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
