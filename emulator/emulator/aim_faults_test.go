package emulator_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/internal/faults"
	"github.com/calrules/calrules/internal/aim"
)

var (
	aimFault  = flag.String("fault", "", "the name of the only fault to plant")
	aimHidden = flag.Bool("hidden", false, "plant the hidden faults alone")
	aimCount  = flag.Int("aim", 0, "how many verdicts aim compares, for each planted fault; by default few, of one fault in ten")
	aimSeed   = flag.Uint64("seed", 1, "of what aim draws")
	aimTable  = flag.Bool("table", false, "write "+foundFile)
)

// foundFile shows what aim finds first of each open fault.
const foundFile = "../internal/faults/found.md"

// aim finds the faults that are planted in front of the emulator. The names of the hidden ones are not told: whoever writes aim
// must not know them.
func TestAimFindsFaults(t *testing.T) {
	open, hidden := faults.Open(), faults.Hidden()
	count, share := *aimCount, 6 // of those that may be missed
	if count == 0 {
		count, share = 60, 3
		open, hidden = tenth(open), tenth(hidden)
	}
	if *aimHidden {
		open = nil
	}
	missed, missedHidden := 0, 0
	rows := fmt.Sprintf(foundHead, count)
	for _, f := range chosen(open) {
		report := aimAt(t, f, count)
		rows += row(f, report)
		if len(report.Disagreements) == 0 {
			missed++
			t.Logf("missed: %s", f.Name)
		}
	}
	for _, f := range chosen(hidden) {
		if len(aimAt(t, f, count).Disagreements) == 0 {
			missedHidden++
		}
	}
	t.Logf("of %d faults %d are missed", len(open), missed)
	t.Logf("of %d hidden faults %d are missed", len(hidden), missedHidden)
	if n, all := missed+missedHidden, len(open)+len(hidden); n > all/share {
		t.Errorf("%d of %d faults are missed", n, all)
	}
	if *aimTable {
		if err := os.WriteFile(foundFile, []byte(rows), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tenth returns one fault in ten.
func tenth(all []faults.Fault) (some []faults.Fault) {
	for i := 0; i < len(all); i += 10 {
		some = append(some, all[i])
	}
	return some
}

// chosen returns the faults to plant.
func chosen(all []faults.Fault) (some []faults.Fault) {
	for _, f := range all {
		if *aimFault == "" || f.Name == *aimFault {
			some = append(some, f)
		}
	}
	return some
}

// aimAt aims at a server with a fault, until the fault is found.
func aimAt(t *testing.T, f faults.Fault, count int) *aim.Report {
	handler := emulator.New()
	second := newDirect(t, handler).do(200, "POST", "/calendars", `{"summary":"Second"}`).text("id")
	report, err := aim.Run(t.Context(), aim.Options{
		Base: "http://emulator.example" + google, Calendar: "primary", Second: second, Dialect: diag.Google, Client: direct{f.Handler(handler)}, Seed: *aimSeed, Count: count, Timeout: time.Minute, Nonce: "n", First: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Each fault about moves and times of updates is found by a life that is made for it, in both variants.
func TestLivesFindFaults(t *testing.T) {
	stories := map[string][]string{
		"": {"life:0", "life:5", "life:8", "life:13"}, "move-leaves-source": {"life:5", "life:13"}, "move-loses-event": {"life:5", "life:13"}, "updated-stays": {"life:0", "life:8"},
	}
	for _, f := range append(faults.Open(), faults.Fault{}) {
		for _, story := range stories[f.Name] {
			handler := emulator.New()
			second := newDirect(t, handler).do(200, "POST", "/calendars", `{"summary":"Second"}`).text("id")
			client, want := direct{handler}, 0
			if f.Name != "" {
				client, want = direct{f.Handler(handler)}, 1
			}
			report, err := aim.Run(t.Context(), aim.Options{
				Base: "http://emulator.example" + google, Calendar: "primary", Second: second, Dialect: diag.Google, Client: client, Timeout: time.Minute, Nonce: "n", First: true, Story: story,
			})
			if err != nil {
				t.Fatal(err)
			}
			if report.Stories != 1 || len(report.Disagreements) != want {
				t.Errorf("%s of a server with the fault %q: %+v", story, f.Name, report)
			}
		}
	}
}

// The table has each open fault, in order, and docs/aim.md names those that are not found.
func TestFound(t *testing.T) {
	table, err := os.ReadFile(foundFile)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/aim.md")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z-]+) \| .* \| (.*) \| [0-9]+ \|$`).FindAllStringSubmatch(string(table), -1) {
		got = append(got, row[1])
		if row[2] == notFound && !strings.Contains(string(page), "`"+row[1]+"`") {
			t.Errorf("%s is not found, and docs/aim.md does not name it", row[1])
		}
	}
	for _, f := range faults.Open() {
		want = append(want, f.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table differs (-want +got); run .ci/deep faults\n%s", diff)
	}
}

// notFound is what the table says of a fault that is not found.
const notFound = "(not found)"

// foundHead is the beginning of the table of what is found.
const foundHead = `# What aim finds

For each fault that may be known, the first disagreement that ` + "`calrules aim -n %d`" + ` reports, and after how many requests.
` + "`.ci/deep faults`" + ` writes this page.

| fault | what the server does | found as | requests |
| --- | --- | --- | --: |
`

// row returns the row of a fault.
func row(f faults.Fault, report *aim.Report) string {
	found := notFound
	if len(report.Disagreements) > 0 {
		d := report.Disagreements[0]
		found = strings.TrimSpace(fmt.Sprintf("%s: `%s` %s %s", d.Op, d.Fault, d.Rule, d.Place))
	}
	return fmt.Sprintf("| %s | %s | %s | %d |\n", f.Name, f.Says, found, report.Requests)
}
