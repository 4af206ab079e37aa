package main

import (
	"bytes"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const wantReport = `example.go:23:13: <= to <: survived: Between: return low <= x && x <= high
example.go:23:23: <= to <: survived: Between: return low <= x && x <= high
example.go:33:11: * to /: no test reaches it: Twice: return x * two
.: Sum: sum += numbers[i]: accepted, but no such mutant survives
| package | mutants | killed | accepted | survived | impossible | score |
| --- | --- | --- | --- | --- | --- | --- |
| example.go | 13 | 9 | 1 | 3 | 1 | 69.2% |
| . | 13 | 9 | 1 | 3 | 1 | 69.2% |
`

func TestExample(t *testing.T) {
	t.Chdir("testdata/example")
	t.Setenv("GOFLAGS", "-trimpath") // as other builds, so that they share a cache
	var stdout, stderr bytes.Buffer
	if err := run([]string{"-accepted", "accepted.txt", "-short", "."}, &stdout, &stderr); err == nil {
		t.Error("mutants survive, but there is no error")
	}
	if diff := cmp.Diff(wantReport, stdout.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error: %s", &stderr)
	}
}

const wantConditions = `example.go:28:10: never true: in no test: Not: return !b
| package | outcomes | seen | accepted | unseen | impossible | share |
| --- | --- | --- | --- | --- | --- | --- |
| example.go | 10 | 9 | 0 | 1 | 0 | 90.0% |
| . | 10 | 9 | 0 | 1 | 0 | 90.0% |
`

// TestConditions checks that the report lists what no test sees of a condition.

func TestConditions(t *testing.T) {
	t.Chdir("testdata/example")
	t.Setenv("GOFLAGS", "-trimpath") // as above
	var stdout, stderr bytes.Buffer
	err := run([]string{"-kinds", "conditions", "."}, &stdout, &stderr)
	if err == nil {
		t.Error("a condition is never true, but there is no error")
	}
	if diff := cmp.Diff(wantConditions, stdout.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// TestRun checks that only the tests that -run matches count.
func TestRun(t *testing.T) {
	t.Chdir("testdata/example")
	t.Setenv("GOFLAGS", "-trimpath") // as above
	var stdout, stderr bytes.Buffer
	if err := run([]string{"-run", `\.TestSum$`, "-short", "."}, &stdout, &stderr); err == nil {
		t.Error("mutants survive, but there is no error")
	}
	const want = "| . | 13 | 5 | 0 | 8 | 1 | 38.5% |\n"
	if !strings.HasSuffix(stdout.String(), want) {
		t.Errorf("got %s\nwant the end %s", &stdout, want)
	}
}

// TestSubtests checks that the subtests of a dear test run alone.
func TestSubtests(t *testing.T) {
	t.Chdir("testdata/example")
	t.Setenv("GOFLAGS", "-trimpath") // as above
	work := t.TempDir()
	source, err := prepare(target{folder: "."}, operators, work)
	if err != nil {
		t.Fatal(err)
	}
	s, err := build([]string{"."}, regexp.MustCompile(""), source.overlay, work)
	if err != nil {
		t.Fatal(err)
	}
	s.log, s.dear = t.Output(), 0
	if err := s.trace(); err != nil {
		t.Fatal(err)
	}
	reaches := map[string]bool{}
	for _, test := range s.tests {
		reaches[test.name] = len(test.reaches) > 0
	}
	want := map[string]bool{"TestLarger/first": true, "TestLarger/second": true, "TestSum": true, "TestBetween": true, "TestNot": false}
	if diff := cmp.Diff(want, reaches); diff != "" {
		t.Errorf("tests and whether they reach mutants (-want +got):\n%s", diff)
	}
}

// TestSample checks that a sample does not depend on the numbers of lines.
func TestSample(t *testing.T) {
	const n = 3
	sampled := func(above int) (changes []string) {
		s := &source{code: map[place]codeLine{}}
		for i := range 100 {
			m := mutant{number: i + 1, at: token.Position{Filename: "a.go", Line: above + i}, change: strconv.Itoa(i)}
			s.mutants = append(s.mutants, m)
			s.code[m.place()] = codeLine{"F", "x"}
		}
		s.sample(n)
		for _, m := range s.mutants {
			changes = append(changes, m.change)
		}
		return changes
	}
	got := sampled(1)
	if len(got) < 100/n/2 || len(got) > 2*100/n {
		t.Errorf("%d of 100 mutants, want about one in %d", len(got), n)
	}
	if diff := cmp.Diff(got, sampled(8)); diff != "" {
		t.Errorf("further down (-above +below):\n%s", diff)
	}
}

func TestParseTarget(t *testing.T) {
	tests := []struct {
		args []string
		want target
	}{
		{[]string{"event"}, target{folder: "./event"}},
		{[]string{"./internal/form/"}, target{folder: "./internal/form"}},
		{[]string{"event/a.go", "./event/b.go"}, target{folder: "./event", files: map[string]bool{"a.go": true, "b.go": true}}},
	}
	for _, tt := range tests {
		got, err := parseTarget(tt.args)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(target{})); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.args, diff)
		}
	}
	for _, args := range [][]string{nil, {"event", "diag"}, {"event/a.go", "diag/b.go"}} {
		if _, err := parseTarget(args); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

// TestUnneeded checks that an entry without a mutant is needed unless the report is about all mutants of the package.
func TestUnneeded(t *testing.T) {
	for _, isWhole := range []bool{false, true} {
		r := newReport(&source{isWhole: isWhole}, []accepted{{declaration: "F", text: "x"}}, nil)
		if got := len(r.unneeded()) == 1; got != isWhole {
			t.Errorf("of all mutants %v: not needed %v", isWhole, got)
		}
	}
}
