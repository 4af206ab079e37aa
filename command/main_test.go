package command

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/calrules/calrules/internal/testing/testdepth"
)

var update = flag.Bool("update", false, "update the expected outputs in scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"calrules": func() { os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"babbler":  babblerMain,
		"certify":  certifyMain,
		"fetch":    fetchMain,
		"hold":     holdMain,
		"upstream": upstreamMain,
	})
}

// TestScripts runs the sessions in testdata/script.
func TestScripts(t *testing.T) {
	repository, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPOSITORY", repository)
			for _, name := range []string{"MUTATION_MUTANT", "MUTATION_TRACE"} { // of tools/mutation
				env.Setenv(name, os.Getenv(name))
			}
			return nil
		},
		UpdateScripts: *update,
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "full":
				return testdepth.Full(), nil
			default:
				return false, fmt.Errorf("unknown condition %s", name)
			}
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"answers": compareAnswers, "freeport": freePort},
	})
}

// compareAnswers is the script command "answers FILE". It compares the JSON lines on standard output with the file, which has a
// line for each answer and each of its findings. It does not compare messages, since their wording may change.
func compareAnswers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answers FILE")
	}
	var got strings.Builder
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile("stdout")))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line, err := summarize(lines.Bytes())
		ts.Check(err)
		got.WriteString(line)
	}
	ts.Check(lines.Err())
	if diff := cmp.Diff(ts.ReadFile(args[0]), got.String()); diff != "" {
		ts.Fatalf("answers differ (-want +got):\n%s", diff)
	}
}

// summarize returns the lines for one answer.
func summarize(answer []byte) (string, error) {
	var a struct {
		File     string
		ID       json.RawMessage
		Accepted *bool
		Error    string
		Event    json.RawMessage

		Principal, Subject, Rules, Read, Write string // of rtdb
		Findings                               []struct {
			Rule, Kind, Path string
			Line, Column     int
		}
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return "", fmt.Errorf("%s: %w", answer, err)
	}
	var b strings.Builder
	switch name := a.File + string(a.ID); {
	case a.Principal != "":
		fmt.Fprintf(&b, "%s: %s %s, rules %s, read %s, write %s\n", name, a.Principal, a.Subject, a.Rules, a.Read, a.Write)
	case a.Accepted == nil:
		return "", fmt.Errorf("%s: accepted is missing", answer)
	case a.Error != "":
		fmt.Fprintf(&b, "%s: error\n", name)
	case *a.Accepted != (a.Event != nil) || a.Findings == nil:
		return "", fmt.Errorf("%s: accepted, event and findings contradict each other", answer)
	case *a.Accepted:
		fmt.Fprintf(&b, "%s: accepted\n", name)
	default:
		fmt.Fprintf(&b, "%s: rejected\n", name)
	}
	for _, f := range a.Findings {
		fmt.Fprintf(&b, "%s %s %s", f.Kind, f.Rule, f.Path)
		if f.Line > 0 {
			fmt.Fprintf(&b, " at %d:%d", f.Line, f.Column)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
