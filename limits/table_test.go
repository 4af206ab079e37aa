package limits_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/limits"
)

// TestTableIsComplete holds that no exported constant, enumeration or predicate of form is
// missing from the table, and that the table names nothing else.
func TestTableIsComplete(t *testing.T) {
	var got []string
	for _, row := range limits.Table() {
		got = append(got, row.Name)
	}
	slices.Sort(got)
	if want := exportedLimits(t); !slices.Equal(got, want) {
		t.Errorf("Table() has\n%v\nthe package exports\n%v", got, want)
	}
}

// exportedLimits returns the identifiers of this package that are limits, sorted.
func exportedLimits(t *testing.T) (names []string) {
	notLimits := []string{
		"ZoneRelease", // a part of IsZone
		"IsEventID",   // alphabet and lengths together
	}
	for _, file := range packageFiles(t) {
		for _, decl := range file.Decls {
			for _, name := range declared(decl) {
				if ast.IsExported(name) && !slices.Contains(notLimits, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// packageFiles parses the package, its tests excluded.
func packageFiles(t *testing.T) (files []*ast.File) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// declared returns the constants and variables of a declaration, and the functions that say
// what form a string has.
func declared(decl ast.Decl) (names []string) {
	switch decl := decl.(type) {
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if values, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range values.Names {
					names = append(names, name.Name)
				}
			}
		}
	case *ast.FuncDecl:
		name := decl.Name.Name
		if decl.Recv == nil && (strings.HasPrefix(name, "Is") || strings.HasSuffix(name, "Alphabet")) {
			names = append(names, name)
		}
	}
	return names
}

// TestTableRows holds every row to be filled in, under a basis that exists.
func TestTableRows(t *testing.T) {
	bases := []string{"stated", "rfc", "inferred", "observed"}
	seen := map[string]bool{}
	for _, row := range limits.Table() {
		if row.Name == "" || row.AppliesTo == "" || row.Value == "" || row.Unit == "" || row.Source == "" {
			t.Errorf("%+v has an empty column", row)
		}
		if !slices.Contains(bases, row.Basis) {
			t.Errorf("%s: basis %q", row.Name, row.Basis)
		}
		if seen[row.Name] {
			t.Errorf("%s stands twice", row.Name)
		}
		seen[row.Name] = true
	}
}

// TestTableAgreesWithDocument writes out the document's own Limits section.
func TestTableAgreesWithDocument(t *testing.T) {
	want := map[string]string{
		"EventIDMinLength":         "5",
		"EventIDMaxLength":         "1024",
		"EventIDAlphabet":          "a-v and 0-9",
		"AttachmentsMax":           "25",
		"ReminderOverridesMax":     "5",
		"ReminderMinutesMin":       "0",
		"ReminderMinutesMax":       "40320",
		"FeatureVersionMin":        "0",
		"FeatureVersionMax":        "1",
		"GadgetSizeMin":            "1",
		"EntryPointCodeMaxLength":  "128",
		"EntryPointLabelMaxLength": "512",
		"EntryPointURIMaxLength":   "1300",
		"ConferenceNotesMaxLength": "2048",
		"PatchQuotaUnits":          "3",
	}
	for _, row := range limits.Table() {
		if value, ok := want[row.Name]; ok && row.Value != value {
			t.Errorf("%s = %s, the document says %s", row.Name, row.Value, value)
		}
		delete(want, row.Name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

func TestTableIsTheCallersOwn(t *testing.T) {
	limits.Table()[0].Name = "changed"
	if got := limits.Table()[0].Name; got != "EventKind" {
		t.Errorf("Table()[0].Name = %q after a caller changed its copy", got)
	}
}

func TestLimitJSON(t *testing.T) {
	got, err := json.Marshal(limits.Limit{Name: "N", AppliesTo: "a", Value: "1", Unit: "u", Basis: "b", Source: "s"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"N","appliesTo":"a","value":"1","unit":"u","basis":"b","source":"s"}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
