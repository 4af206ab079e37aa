package schematest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// The published schemas mean the same to Python's jsonschema as to the validator that [TestBodies] compares with the rules: both
// accept and refuse the same bodies.
func TestPython(t *testing.T) {
	if out, err := exec.Command("python3", "-c", "import jsonschema").CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	lines, want := drawBodies(t, testdepth.Draws(300, 20_000))
	validate := exec.Command("python3", "testdata/validate.py")
	validate.Stdin, validate.Stderr = bytes.NewReader(bytes.Join(lines, []byte("\n"))), os.Stderr
	out, err := validate.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	if len(got) != len(want) {
		t.Fatalf("there are %d verdicts about %d bodies", len(got), len(want))
	}
	for i := range want {
		if (got[i] == "true") != want[i] {
			t.Errorf("Python says %s, not %t, of %.1000s", got[i], want[i], lines[i])
		}
	}
}

// drawBodies returns lines about bodies in each dialect, as validate.py reads them, and whether their schemas accept them.
func drawBodies(t *testing.T, count int) (lines [][]byte, want []bool) {
	t.Helper()
	for _, d := range []diag.Dialect{diag.Documents, diag.Google} {
		compiled := map[string]*jsonschema.Schema{}
		payload, err := fuzz.Mix{Dialect: d, Operations: schema.Operations(d), InvalidShare: 0.7}.Payloads(11)
		if err != nil {
			t.Fatal(err)
		}
		accepted := 0
		for i := range count {
			req := payload(i).Event
			if bytes.Contains(req.Body, []byte(`\n"`)) {
				continue // in Python, $ matches before a newline at the end too
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(req.Body))
			if err != nil {
				continue // not JSON
			}
			file, err := filepath.Abs(filepath.Join("../../../docs/schemas", d.String(), string(req.Op)+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if compiled[file] == nil {
				if compiled[file], err = jsonschema.NewCompiler().Compile(file); err != nil {
					t.Fatal(err)
				}
			}
			line, err := json.Marshal(map[string]string{"schema": file, "body": string(req.Body)})
			if err != nil {
				t.Fatal(err)
			}
			isValid := compiled[file].Validate(value) == nil
			lines, want = append(lines, line), append(want, isValid)
			if isValid {
				accepted++
			}
		}
		if accepted < count/10 || accepted > count*9/10 {
			t.Errorf("%s: of %d bodies, %d are accepted", d, count, accepted)
		}
	}
	return lines, want
}
