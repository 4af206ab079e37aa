package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/internal/visible"
)

// conformanceFlags are the flags of the conformance command.
type conformanceFlags struct {
	form    *choice
	forms   []string // the request forms with which the program is run
	timeout time.Duration
	all     bool
	format  *format
}

// formPlace is the placeholder for the request form in the arguments.
const formPlace = "{form}"

// forms lists the request forms, each named after the command that reads it.
var forms = []string{"check", "expand", "make", "rtdb"}

func newConformance(c *console) *cobra.Command {
	flags := &conformanceFlags{form: newChoice(forms...), format: newFormat(conformanceFormats)}
	command := &cobra.Command{
		Use:   "conformance [flags] -- COMMAND [ARGUMENT...]",
		Short: "Run the conformance cases through another implementation",
		Long: `Run the conformance cases through a program, and count how many it passes. The
program reads one request per line from standard input, and writes one answer per
line to standard output, in the same order; 'calrules help ndjson' describes both.
It may answer as it reads, or write all answers at the end.

There are four forms of requests: check, expand, make and rtdb. If an argument is {form},
the program runs once per form, with the form's name as the argument. Without {form}, it
runs once, for the form in --form; cases of other forms are counted as not run.

Scores are by group (a file of cases) and by rule. The exit status is 0 if every
case that ran passes, 1 if one fails or the number of answers is wrong, and 2 if the
program cannot be started.`,
		Example: `  calrules conformance -- calrules {form} --ndjson
  calrules conformance --form rtdb -- python3 decide.py`,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("conformance requires a COMMAND, after --")
			}
			if !command.Flags().Changed("form") && slices.Contains(args, formPlace) {
				flags.forms = forms
			} else {
				flags.forms = []string{flags.form.value}
			}
			if flags.timeout <= 0 {
				return fmt.Errorf("--timeout is %s; it must be positive", flags.timeout)
			}
			return conform(c, flags, args)
		},
	}
	set := command.Flags()
	set.SortFlags = false
	flags.form.add(command, "form", "form of the requests, for a program that reads one form: check, expand, make or rtdb")
	set.DurationVar(&flags.timeout, "timeout", 30*time.Second, "maximum `duration` of the wait for an answer")
	set.BoolVar(&flags.all, "all", false, "list all failed cases, not only the first twenty")
	flags.format.add(command, "output format; json contains every failed case with its request, and junit a test per case")
	return command
}

// score counts the cases that passed and failed.
type score struct {
	Name   string `json:"name"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`
	NotRun int    `json:"notRun"`
}

func (s *score) add(o outcome) {
	switch {
	case !o.ran:
		s.NotRun++
	case o.Differences == nil:
		s.Passed++
	default:
		s.Failed++
	}
}

// outcome is the result of one case.
type outcome struct {
	Name        string          `json:"name"`
	Group       string          `json:"group"`
	Request     json.RawMessage `json:"request"`
	Differences []string        `json:"differences"`

	ran bool
}

// conformanceJSON is the result of a run as JSON.
type conformanceJSON struct {
	score
	Problems []string  `json:"problems,omitempty"` // problems that do not concern a single case
	Groups   []*score  `json:"groups"`
	Rules    []*score  `json:"rules"`
	Failures []outcome `json:"failures"`
}

// conform runs the conformance cases and writes the result.
func conform(c *console, flags *conformanceFlags, command []string) error {
	all, err := cases.All()
	if err != nil {
		return failure{err}
	}
	outcomes := make([]outcome, len(all))
	result := conformanceJSON{score: score{Name: strings.Join(command, " ")}, Failures: []outcome{}}
	for i := range all {
		outcomes[i] = outcome{Name: all[i].Name, Group: all[i].Group, Request: all[i].Request}
	}
	for _, form := range flags.forms {
		run := conformanceRun{console: c, timeout: flags.timeout, form: form}
		for i := range all {
			if all[i].Form == form {
				run.cases, run.outcomes = append(run.cases, &all[i]), append(run.outcomes, &outcomes[i])
			}
		}
		problem, err := run.through(withForm(command, form))
		if err != nil {
			return failure{err}
		}
		if problem != "" {
			result.Problems = append(result.Problems, form+": "+problem)
		}
	}
	result.count(outcomes)
	switch flags.format.value {
	case formatText:
		result.write(c.out, flags.all)
	case formatJUnit:
		result.writeSubjects(newToolReport(c, c.out, formatJUnit, false), outcomes)
	default:
		flags.format.write(c.out, result)
	}
	if result.Failed > 0 || result.Problems != nil {
		return errFound
	}
	return nil
}

func withForm(command []string, form string) []string {
	command = slices.Clone(command)
	for i := range command {
		if command[i] == formPlace {
			command[i] = form
		}
	}
	return command
}

// conformanceRun is one run of a program.
type conformanceRun struct {
	*console
	timeout  time.Duration
	form     string
	cases    []*cases.Case
	outcomes []*outcome
}

// through sends the requests to a program and compares its answers with the expected answers. The problem is set if the program
// hangs or writes the wrong number of answers, and the error if the program cannot be started.
func (r *conformanceRun) through(command []string) (problem string, err error) {
	ctx, stop := untilSignal()
	defer stop()
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Stderr = r.err
	program.WaitDelay = time.Second
	ownGroup(program)
	in, errIn := program.StdinPipe()
	out, errOut := program.StdoutPipe()
	if err := errors.Join(errIn, errOut, program.Start()); err != nil {
		return "", err
	}
	go r.send(in)
	answers := make(chan []byte)
	go readAnswers(ctx, out, answers)
	problem = r.compare(answers)
	interrupted := ctx.Err() != nil
	_ = endGroup(program)
	stop()
	_ = program.Wait() // only the answers matter, not the exit status
	if interrupted {
		return "", errors.New("interrupted")
	}
	return problem, nil
}

// send writes the requests, each with its number as the id, and ignores write errors, because the answers then show that
// the program failed.
func (r *conformanceRun) send(in io.WriteCloser) {
	defer in.Close()
	w := bufio.NewWriter(in)
	defer w.Flush()
	for i, c := range r.cases {
		if _, err := fmt.Fprintf(w, "%s\n", withID(c.Request, i)); err != nil {
			return
		}
	}
}

// withID returns the request with a number as its id. A request that already has an id is unchanged.
func withID(request json.RawMessage, id int) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(request, &members) != nil || members["id"] != nil {
		return request
	}
	inner := bytes.TrimSpace(request)[1:]
	if len(members) > 0 {
		inner = append([]byte(","), inner...)
	}
	return append(fmt.Appendf(nil, `{"id":%d`, id), inner...)
}

// readAnswers sends each line of the output to the answers channel, and closes the channel at the end.
func readAnswers(ctx context.Context, out io.Reader, answers chan<- []byte) {
	defer close(answers)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, stream.DefaultMax)
	for lines.Scan() {
		select {
		case answers <- bytes.Clone(lines.Bytes()):
		case <-ctx.Done():
			return
		}
	}
}

// compare compares the answers with the expected answers of the cases.
func (r *conformanceRun) compare(answers <-chan []byte) (problem string) {
	late := time.NewTimer(r.timeout)
	defer late.Stop()
	for i := range r.cases {
		o := r.outcomes[i]
		o.ran = true
		select {
		case answer, ok := <-answers:
			if !ok {
				r.fail(i, "no answer")
				return fmt.Sprintf("the program exits after %s of %d", visible.Count(i, "answer"), len(r.cases))
			}
			o.Differences = r.differences(i, answer)
			late.Reset(r.timeout)
		case <-late.C:
			r.fail(i, "no answer in time")
			return fmt.Sprintf("the program hangs after %s of %d: no answer for %s", visible.Count(i, "answer"), len(r.cases), r.timeout)
		}
	}
	select {
	case answer, ok := <-answers:
		if ok {
			return fmt.Sprintf("the program writes more than %s; the next one is %s", visible.Count(len(r.cases), "answer"), cut(answer))
		}
	case <-late.C:
		return fmt.Sprintf("the program is still running %s after its last answer", r.timeout)
	}
	return ""
}

// fail marks the cases from the given index on as failed.
func (r *conformanceRun) fail(from int, reason string) {
	for _, o := range r.outcomes[from:] {
		o.ran, o.Differences = true, []string{reason}
	}
}

// differences returns the differences between the answer to case i and the expected answer. If the id is wrong, the answers are
// out of order, and differences returns only that difference.
func (r *conformanceRun) differences(i int, answer []byte) []string {
	var got struct{ ID json.RawMessage }
	request := withID(r.cases[i].Request, i)
	var sent struct{ ID json.RawMessage }
	_ = json.Unmarshal(request, &sent)
	if json.Unmarshal(answer, &got) == nil && got.ID != nil && string(got.ID) != "null" && !bytes.Equal(got.ID, sent.ID) {
		return []string{fmt.Sprintf("the answers are out of order: this answer has the id %s, want %s", cut(got.ID), cut(sent.ID))}
	}
	return r.cases[i].Differences(answer)
}

// count adds the outcomes to the scores.
func (r *conformanceJSON) count(outcomes []outcome) {
	groups, rules := map[string]*score{}, map[string]*score{}
	of := func(scores map[string]*score, list *[]*score, name string) *score {
		if scores[name] == nil {
			scores[name] = &score{Name: name}
			*list = append(*list, scores[name])
		}
		return scores[name]
	}
	for _, o := range outcomes {
		r.add(o)
		of(groups, &r.Groups, o.Group).add(o)
		if about, _, _ := strings.Cut(o.Name, "/"); reference.Catalogue().Lookup(about) != nil {
			of(rules, &r.Rules, about).add(o)
		}
		if o.ran && o.Differences != nil {
			r.Failures = append(r.Failures, o)
		}
	}
}

// shownFailures is the maximum number of failures to list without --all.
const shownFailures = 20

// write writes the result as text: the failures, the score of each group, and the score of each rule with failures.
func (r *conformanceJSON) write(out io.Writer, all bool) {
	shown := r.Failures
	if !all {
		shown = shown[:min(len(shown), shownFailures)]
	}
	for _, o := range shown {
		for _, difference := range o.Differences {
			fmt.Fprintf(out, "%s: %s: %s\n", o.Group, visible.Text(o.Name), visible.Text(difference))
		}
	}
	if rest := len(r.Failures) - len(shown); rest > 0 {
		fmt.Fprintf(out, "%d more failed; --all lists them\n", rest)
	}
	for _, problem := range r.Problems {
		fmt.Fprintln(out, problem)
	}
	writeScores(out, "GROUP", r.Groups)
	failing := slices.DeleteFunc(slices.Clone(r.Rules), func(s *score) bool { return s.Failed == 0 })
	if len(failing) > 0 {
		writeScores(out, "RULE", failing)
	}
	fmt.Fprintf(out, "%s: %d passed, %d failed, %d not run\n", visible.Count(r.Passed+r.Failed+r.NotRun, "case"), r.Passed, r.Failed, r.NotRun)
}

// writeSubjects writes each case that was run, in a format for tools.
func (r *conformanceJSON) writeSubjects(out toolReport, outcomes []outcome) {
	for _, o := range outcomes {
		if !o.ran {
			continue
		}
		s := subject{file: "<conformance>", name: o.Name}
		for _, difference := range o.Differences {
			s.findings = append(s.findings, located{id: o.Group, kind: diag.Reject, message: difference})
		}
		out.subject(s)
	}
	for _, problem := range r.Problems {
		out.unread(errors.New(problem))
	}
	out.end(nil)
}

func writeScores(out io.Writer, head string, scores []*score) {
	rows := [][]string{{head, "PASSED", "FAILED", "NOT RUN"}}
	for _, s := range scores {
		rows = append(rows, []string{s.Name, fmt.Sprint(s.Passed), fmt.Sprint(s.Failed), fmt.Sprint(s.NotRun)})
	}
	writeTable(out, rows)
}
