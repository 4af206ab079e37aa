package limits_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/calrules/calrules/limits"
)

// TestTableRows tests that every row is filled in, with a basis that exists. That the table has a
// row for every constraint of a member or a parameter is up to the generator that writes it.
func TestTableRows(t *testing.T) {
	bases := []string{"stated", "rfc", "inferred", "observed"}
	seen := map[string]bool{}
	for _, row := range limits.Table() {
		if row.Name == "" || len(row.AppliesTo) == 0 || row.Value == "" || row.Unit == "" || row.Source == "" {
			t.Errorf("%+v has an empty column", row)
		}
		if !slices.Contains(bases, row.Basis) {
			t.Errorf("%s: basis %q", row.Name, row.Basis)
		}
		if seen[row.Name] {
			t.Errorf("%s has two rows", row.Name)
		}
		seen[row.Name] = true
	}
}

// TestTableAgreesWithDocument repeats the document's own Limits section.
func TestTableAgreesWithDocument(t *testing.T) {
	want := map[string]string{
		"EventIDLength":     "5 to 1024",
		"EventIDCharacters": "a-v and 0-9",
		"Attachments":       "25",
		"ReminderOverrides": "5",
		"ReminderMinutes":   "0 to 40320",
		"FeatureVersion":    "0 to 1",
		"GadgetSize":        "1 or more",
		"EntryPointCode":    "128",
		"EntryPointLabel":   "512",
		"EntryPointURI":     "1300",
		"ConferenceNotes":   "2048",
		"PatchQuotaUnits":   "3",
	}
	checkRows(t, want, func(row limits.Limit) string { return row.Value })
}

// checkRows checks a field of the rows with the names in want.
func checkRows(t *testing.T, want map[string]string, field func(limits.Limit) string) {
	t.Helper()
	for _, row := range limits.Table() {
		if value, ok := want[row.Name]; ok && field(row) != value {
			t.Errorf("%s has %s, want %s", row.Name, field(row), value)
		}
		delete(want, row.Name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

// TestTableBasis tests limits whose basis differs from that of their rule, or could seem to.
func TestTableBasis(t *testing.T) {
	want := map[string]string{
		"MaxAttendees":     "inferred", // the document gives no minimum
		"AdditionalGuests": "inferred",
		"FeatureVersion":   "stated",
		"PropertyKey":      "observed",
	}
	checkRows(t, want, func(row limits.Limit) string { return row.Basis })
}

func TestTableIsACopy(t *testing.T) {
	first := limits.Table()[0].Name
	limits.Table()[0].Name = "changed"
	if got := limits.Table()[0].Name; got != first {
		t.Errorf("Table()[0].Name = %q after a caller changed its copy", got)
	}
}

func TestLimitJSON(t *testing.T) {
	got, err := json.Marshal(limits.Limit{Name: "N", AppliesTo: []string{"a"}, Value: "1", Unit: "u", Rules: []string{"r"}, Basis: "b", Source: "s"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"N","appliesTo":["a"],"value":"1","unit":"u","rules":["r"],"basis":"b","source":"s"}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
