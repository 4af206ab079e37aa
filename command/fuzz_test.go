package command

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz"
)

var (
	lines = flag.Int("lines", 1000, "how many requests TestFuzzAgrees puts through each filter")
	seeds = flag.Int("seeds", 1, "with how many seeds")
)

// TestFuzzAgrees is `calrules fuzz | calrules check --ndjson`: every line that was written is
// answered as its verdict says, whatever dialect is the filter's. `.ci/deep agreement` asks for many lines.
func TestFuzzAgrees(t *testing.T) {
	for seed := range *seeds {
		number := strconv.Itoa(seed + 1)
		t.Run("documents/"+number, func(t *testing.T) {
			checkAgreement(t, *lines, []string{"check", "--dialect", "google"}, "--seed", number)
		})
		t.Run("google/"+number, func(t *testing.T) {
			checkAgreement(t, *lines, []string{"check"}, "--seed", number, "--dialect", "google")
		})
		t.Run("rtdb/"+number, func(t *testing.T) {
			checkAgreement(t, *lines/5, []string{"rtdb"}, "--seed", number, "--op", opRTDB)
		})
	}
}

func checkAgreement(t *testing.T, n int, filter []string, args ...string) {
	requests, written := io.Pipe()
	answers, answered := io.Pipe()
	go func() {
		args := append([]string{"fuzz", "-n", strconv.Itoa(n)}, args...)
		run(args, streams{strings.NewReader(""), written, os.Stderr}, noEnv)
		written.Close()
	}()
	go func() {
		run(append(filter, "--ndjson"), streams{requests, answered, os.Stderr}, noEnv)
		answered.Close()
	}()
	seen := 0
	for r := bufio.NewReader(answers); ; seen++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		checkAnswer(t, seen, line)
	}
	if seen != n {
		t.Errorf("there are %d answers to %d requests", seen, n)
	}
}

// payloadID is the id of a request: its number and its verdict.
type payloadID struct {
	N int
	fuzz.Verdict
}

// fuzzAnswer is what the two filters answer, with the verdict in the id.
type fuzzAnswer struct {
	ID        payloadID
	Accepted  *bool // of rtdb, none
	Principal string
	Error     string
	Findings  []struct {
		Rule string
		Kind diag.Kind
		Path diag.Pointer
	}
}

// checkAnswer holds one answer to its verdict: of the findings that reject there is the one
// that was expected, and of the others the one that was expected at least. Credentials that
// contradict each other are told of at each of their places, of which the first counts.
func checkAnswer(t *testing.T, n int, line []byte) {
	t.Helper()
	var answer fuzzAnswer
	if err := json.Unmarshal(line, &answer); err != nil || answer.Error != "" || answer.ID.N != n {
		t.Fatalf("line %d is answered %.300s, %v", n, line, err)
	}
	want := answer.ID.Verdict
	accepted := answer.Principal != "rejected"
	if answer.Accepted != nil {
		accepted = *answer.Accepted
	}
	rejects, raised := []string{}, want.Rule == ""
	for _, f := range answer.Findings {
		again := f.Rule == "rtdb.one-credential" && len(rejects) > 0
		if f.Kind == diag.Reject && !again {
			rejects = append(rejects, string(f.Path)+" "+f.Rule)
		}
		raised = raised || f.Rule == want.Rule && f.Path == want.Path && f.Kind == want.Kind
	}
	wantRejects := []string{}
	if want.Kind == diag.Reject {
		wantRejects = []string{string(want.Path) + " " + want.Rule}
	}
	if diff := cmp.Diff(wantRejects, rejects); diff != "" || !raised || accepted != want.Accepted {
		t.Errorf("want %+v (-want +got):\n%s\n%.2000s", want, diff, line)
	}
}

// TestFuzzIsReproducible: the same flags give the same bytes, here by a digest, whatever the number of processors.
func TestFuzzIsReproducible(t *testing.T) {
	for name, args := range map[string][]string{
		"calendar": {"fuzz", "-n", "400", "--seed", "1"},
		"rtdb":     {"fuzz", "-n", "400", "--seed", "1", "--op", opRTDB},
	} {
		t.Run(name, func(t *testing.T) {
			status, first, stderr := runWith("", args...)
			if status != exitClean || stderr != "" {
				t.Fatalf("exit status is %d: %s", status, stderr)
			}
			if _, again, _ := runWith("", args...); again != first {
				t.Error("the second run writes other bytes")
			}
			sum := sha256.Sum256([]byte(first))
			golden := filepath.Join("testdata", "fuzz-"+name+".sha256")
			got := hex.EncodeToString(sum[:]) + "\n"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("other requests are drawn than before (-want +got); say so in the changelog, and run the test with -update:\n%s", diff)
			}
		})
	}
}

// TestFuzzFlags: what is asked for is what is drawn.
func TestFuzzFlags(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		ok   func(op string, id payloadID) bool
	}{
		{"valid alone", []string{"--invalid-share", "0"}, func(_ string, id payloadID) bool { return id.Accepted && id.Rule == "" }},
		{"broken alone", []string{"--invalid-share", "1"}, func(_ string, id payloadID) bool { return id.Rule != "" }},
		{"one operation", []string{"--op", "events.patch"}, func(op string, _ payloadID) bool { return op == "events.patch" }},
		{"two operations", []string{"--op", "response", "--op", "events.move"}, func(op string, _ payloadID) bool { return op == "response" || op == "events.move" }},
		{"one rule", []string{"--rule", "time.order", "--invalid-share", "1"}, func(_ string, id payloadID) bool { return id.Rule == "time.order" }},
		{"a rule of the realtime database", []string{"--rule", "rtdb.bearer", "--invalid-share", "1"}, func(op string, _ payloadID) bool { return op == "" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, stdout, stderr := runWith("", append([]string{"fuzz", "-n", "50"}, test.args...)...)
			if status != exitClean {
				t.Fatalf("exit status is %d: %s", status, stderr)
			}
			n := 0
			for line := range strings.Lines(stdout) {
				var request struct {
					ID payloadID
					Op string
				}
				if err := json.Unmarshal([]byte(line), &request); err != nil || request.ID.N != n || !test.ok(request.Op, request.ID) {
					t.Errorf("line %d is %.300s, %v", n, line, err)
				}
				n++
			}
			if n != 50 {
				t.Errorf("there are %d lines", n)
			}
		})
	}
}
