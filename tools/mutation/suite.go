package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A suite contains the tests of some packages, compiled with all mutants.
type suite struct {
	tests []*test
	first []*test // the tests that killed the last mutants, most recent first
	trail string  // the file to which tests write the numbers of reached mutants
	short bool
	dear  time.Duration // the cost above which the subtests of a test run individually
	log   io.Writer
}

// A test is a test function, a subtest, an example, or a fuzz target with its seeds.
type test struct {
	binary  string
	folder  string        // its working directory
	name    string        // for a subtest, "Test/subtest"
	reaches map[int]bool  // by mutant number
	cost    time.Duration // CPU time
}

// build compiles the tests of packages, with mutants in the first package. The other packages may belong to other modules. Only
// tests whose names match counts are kept.
func build(folders []string, counts *regexp.Regexp, overlay, work string) (*suite, error) {
	s := &suite{trail: filepath.Join(work, "trail"), dear: time.Second}
	for i, folder := range folders {
		binary := filepath.Join(work, strconv.Itoa(i)+".test")
		folder = local(folder)
		cmd := exec.Command("go", "-C", folder, "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", overlay, "-o", binary, ".")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w\n%s", cmd, err, out)
		}
		if _, err := os.Stat(binary); err != nil {
			continue // the package has no tests
		}
		list := exec.Command(binary, "-test.list", ".")
		list.Dir = folder
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("%v: %w", list, err)
		}
		for name := range strings.Lines(string(out)) {
			name = strings.TrimSpace(name)
			if !strings.HasPrefix(name, "Benchmark") && counts.MatchString(folder[2:]+"."+name) {
				s.tests = append(s.tests, &test{binary: binary, folder: folder, name: name})
			}
		}
	}
	return s, nil
}

// trace runs each test alone, without a mutant, and drops tests that fail. An allocation test may fail because the added code
// allocates.
func (s *suite) trace() error {
	var all []*test
	for _, t := range s.tests {
		subtests, passed := s.runAlone(t)
		if !passed {
			fmt.Fprintf(s.log, "%s of %s fails without a mutant, and does not count\n", t.name, t.folder)
			continue
		}
		if len(subtests) > 0 && t.cost > s.dear {
			all = append(all, s.divide(t, subtests)...)
		} else {
			all = append(all, t)
		}
	}
	s.tests = all
	slices.SortStableFunc(s.tests, func(a, b *test) int { return cmp.Compare(a.cost, b.cost) })
	if len(s.tests) == 0 {
		return fmt.Errorf("no test passes")
	}
	return nil
}

// divide returns the subtests of a test, which reach fewer mutants and cost less. If a subtest fails when run alone, divide
// returns the test itself.
func (s *suite) divide(t *test, names []string) []*test {
	var subtests []*test
	for _, name := range names {
		subtest := &test{binary: t.binary, folder: t.folder, name: name}
		if _, passed := s.runAlone(subtest); !passed {
			return []*test{t}
		}
		subtests = append(subtests, subtest)
	}
	return subtests
}

var passedSubtest = regexp.MustCompile(`(?m)^    --- PASS: (\S+)`)

// runAlone records the cost of a test and the mutants that it reaches, and returns the names of its subtests.
func (s *suite) runAlone(t *test) (subtests []string, passed bool) {
	os.Remove(s.trail) // may not exist: the last test may have reached nothing
	o := s.start([]*test{t}, s.short, "MUTATION_TRACE="+s.trail, 10*time.Minute, "-test.v")
	t.cost, t.reaches = o.cost, s.readTrail()
	for _, match := range passedSubtest.FindAllSubmatch(o.output, -1) {
		subtests = append(subtests, string(match[1]))
	}
	return subtests, o.passed
}

func (s *suite) readTrail() map[int]bool {
	reached := map[int]bool{}
	text, _ := os.ReadFile(s.trail) // may not exist
	for line := range strings.Lines(string(text)) {
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			panic(err) // nothing else writes to the file
		}
		reached[n] = true
	}
	return reached
}

// An outcome is the result of a test run.
type outcome struct {
	passed bool
	cost   time.Duration // CPU time
	output []byte
}

// start runs tests in one binary. The limit is mainly on CPU time, because elapsed time depends on the load of the machine.
// Tests that exceed the limit fail.
func (s *suite) start(tests []*test, short bool, environment string, limit time.Duration, flags ...string) outcome {
	// Memory is limited because an endless loop may append forever. In addition to the limit on CPU time, there is a timeout,
	// because a mutant may block forever.
	script := fmt.Sprintf(`ulimit -t %d -v 8388608; exec "$@"`, int(limit.Seconds())+1)
	cmd := exec.Command("bash", append([]string{"-c", script, "-", tests[0].binary, "-test.failfast",
		"-test.timeout=" + (30*time.Second + 20*limit).String(),
		"-test.short=" + strconv.FormatBool(short), "-test.run=" + pattern(tests)}, flags...)...)
	cmd.Dir = tests[0].folder
	cmd.Env = append(os.Environ(), environment)
	cmd.WaitDelay = time.Second // a child process may keep the output open
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		panic(err) // the tests did not start
	}
	return outcome{passed: err == nil, cost: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), output: out}
}

// runAll runs all tests in the binary that contains a test, even after a failure, and records the mutants that they reach.
func (s *suite) runAll(of *test) {
	cmd := exec.Command(of.binary, "-test.timeout=60m", "-test.short="+strconv.FormatBool(s.short))
	cmd.Dir = of.folder
	cmd.Env = append(os.Environ(), "MUTATION_TRACE="+s.trail)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		panic(err) // the tests did not start
	}
	for _, match := range failure.FindAllSubmatch(out, -1) {
		fmt.Fprintf(s.log, "%s of %s fails, and counts\n", match[1], of.folder)
	}
}

// pattern returns the -test.run pattern that matches the given tests.
func pattern(tests []*test) string {
	var names []string
	for _, t := range tests {
		var levels []string
		for level := range strings.SplitSeq(t.name, "/") {
			levels = append(levels, "^"+regexp.QuoteMeta(level)+"$")
		}
		names = append(names, strings.Join(levels, "/"))
	}
	return strings.Join(names, "|")
}

// try runs the tests for each mutant, and calls found with each surviving mutant and the outcome.
func (s *suite) try(mutants []mutant, found func(m mutant, fate string)) {
	survived := 0
	begin := time.Now()
	for _, m := range mutants {
		reach := slices.DeleteFunc(slices.Clone(s.tests), func(t *test) bool { return !t.reaches[m.number] })
		switch {
		case len(reach) == 0:
			survived++
			found(m, "no test reaches it")
		case !s.kill(m, reach, true) && (s.short || !s.kill(m, reach, false)):
			survived++
			found(m, "survived")
		}
		if m.number%100 == 0 {
			fmt.Fprintf(s.log, "%d of %d mutants, %d survived, %v\n", m.number, len(mutants), survived, time.Since(begin).Round(time.Second))
		}
	}
}

// kill reports whether a test fails for a mutant. Adjacent mutants are often killed by the same test, so kill first tries the
// tests that killed the preceding mutants.
func (s *suite) kill(m mutant, tests []*test, short bool) bool {
	isFirst := func(t *test) bool { return slices.Contains(s.first, t) }
	others := slices.DeleteFunc(slices.Clone(tests), isFirst)
	first := slices.DeleteFunc(slices.Clone(s.first), func(t *test) bool { return !slices.Contains(tests, t) })
	for _, batch := range append(byBinary(first), batches(others)...) {
		limit := time.Second
		for _, t := range batch {
			limit += 4 * t.cost
		}
		o := s.start(batch, short, "MUTATION_MUTANT="+strconv.Itoa(m.number), limit)
		if !o.passed {
			s.remember(batch, o.output)
			return true
		}
	}
	return false
}

var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// remember records the test in a batch that failed, unless it is expensive.
func (s *suite) remember(batch []*test, output []byte) {
	const most = 3
	var failed []string // the test and its subtests
	for _, match := range failure.FindAllSubmatch(output, -1) {
		failed = append(failed, string(match[1]))
	}
	i := slices.IndexFunc(batch, func(t *test) bool { return slices.Contains(failed, t.name) && t.cost < time.Second })
	if i < 0 {
		return
	}
	others := slices.DeleteFunc(s.first, func(t *test) bool { return t == batch[i] })
	s.first = append([]*test{batch[i]}, others[:min(most-1, len(others))]...)
}

// batches divides tests, which are sorted by cost, into runs of increasing cost. All tests in a run are from one binary. Most
// mutants do not survive the first run.
func batches(tests []*test) [][]*test {
	var all [][]*test
	budget := 200 * time.Millisecond
	for len(tests) > 0 {
		n, cost := 0, time.Duration(0)
		for n == 0 || n < len(tests) && cost+tests[n].cost <= budget {
			cost += tests[n].cost
			n++
		}
		all = append(all, byBinary(tests[:n])...)
		tests = tests[n:]
		budget *= 5
	}
	return all
}

func byBinary(tests []*test) [][]*test {
	groups := map[string][]*test{}
	for _, t := range tests {
		groups[t.binary] = append(groups[t.binary], t)
	}
	var all [][]*test
	for _, binary := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groups[binary])
	}
	return all
}
