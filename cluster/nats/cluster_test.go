//go:build unix

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// asCommand makes the test program run as the command, so that tests can start processes.
const asCommand = "CALRULES_NATS_COMMAND"

// Values of asCommand: all workers end at once, or the first one does and makes a directory with the name that follows.
const (
	workersEnd      = "workers end"
	firstWorkerEnds = "first worker ends: "
)

func TestMain(m *testing.M) {
	switch mode := os.Getenv(asCommand); {
	case mode == "":
	case mode == workersEnd && os.Args[1] == "work":
		os.Exit(3)
	case strings.HasPrefix(mode, firstWorkerEnds) && os.Args[1] == "work" && os.Mkdir(mode[len(firstWorkerEnds):], 0o700) == nil:
		os.Exit(3)
	default:
		main()
		return
	}
	os.Exit(m.Run())
}

// start starts a process of the command.
func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

// kill ends a process as kill -9 does.
func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// requests writes a number of requests with different ids to a file. They are short, so that a million of them fit.
func requests(t *testing.T, lines int) (name string) {
	t.Helper()
	const different, short = 300, 800
	payload, err := fuzz.Mix{InvalidShare: 0.5}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	var drawn [][]byte
	for n := 0; len(drawn) < min(lines, different); n++ {
		if line := payload(n).Line(); len(line) < short {
			drawn = append(drawn, line[1:])
		}
	}
	name = filepath.Join(t.TempDir(), "requests.ndjson")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	w.WriteString("\ufeff")
	for i := range lines {
		fmt.Fprintf(w, `{"id":%d,%s`+"\n", i, drawn[i%len(drawn)])
	}
	if err := errors.Join(w.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

// answers are the length and the hash of answers, and their counts.
type answers struct {
	Bytes int
	Hash  string
	filter.Counts
}

// plain returns the answers of the plain filter to a file.
func plain(t *testing.T, name string) answers {
	t.Helper()
	f, err := filter.Named("check")
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, counts := filter.Counted(f)
	out := &output{}
	if err := f.Run(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	return out.answers(*counts)
}

// output is a writer that hashes what is written, and calls functions at certain numbers of bytes.
type output struct {
	hash  hash.Hash
	bytes int
	at    []int
	do    []func()
}

func (o *output) Write(text []byte) (int, error) {
	if o.hash == nil {
		o.hash = sha256.New()
	}
	o.bytes += len(text)
	for len(o.at) > 0 && o.bytes >= o.at[0] {
		o.do[0]()
		o.at, o.do = o.at[1:], o.do[1:]
	}
	return o.hash.Write(text)
}

func (o *output) answers(counts filter.Counts) answers {
	return answers{Bytes: o.bytes, Hash: fmt.Sprintf("%x", o.hash.Sum(nil)), Counts: counts}
}

// freeAddress returns an address on which no server listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Workers and the broker stop and start during the work, and the answers are those of the plain filter.
func TestProcesses(t *testing.T) {
	const tasks, workers = 60, 4
	name := requests(t, testdepth.Draws(20_000, 1_000_000))
	want := plain(t, name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	address, store := freeAddress(t), t.TempDir()
	brokerArgs := []string{"broker", "--listen", address, "--store", store, "--ack-wait", "2s"}
	broker := start(t, brokerArgs...)
	url := "nats://" + address
	work := func() *exec.Cmd { return start(t, "work", "--server", url) }
	first := work()
	for range workers - 1 {
		work()
	}
	c, err := connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	waitForWorkers(t, c, workers)
	// The first worker has asked for a task, so it gets one, and never answers.
	if err := first.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	out := &output{
		at: []int{1, want.Bytes / 4, want.Bytes / 2},
		do: []func(){
			func() { kill(first) },
			func() { work() }, // late
			func() { kill(broker); start(t, brokerArgs...) },
		},
	}
	done, err := c.run(t.Context(), job{filter: "check", file: name, block: info.Size()/tasks + 1, window: 12}, out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.answers(done.Counts)); diff != "" {
		t.Errorf("(-plain +cluster):\n%s", diff)
	}
	if len(out.at) > 0 || done.Retried == 0 {
		t.Errorf("%d events did not happen, and %d tasks were tried again", len(out.at), done.Retried)
	}
	t.Logf("%d lines, %d bytes; %d tasks were tried again", done.Lines, info.Size(), done.Retried)
	expectEmpty(t, c)
}

// waitForWorkers waits until so many workers ask for tasks.
func waitForWorkers(t *testing.T, c *client, workers int) {
	t.Helper()
	const looks = 1_000
	for range looks {
		if consumerInfo(t, c).NumWaiting == workers {
			return
		}
		time.Sleep(pause)
	}
	t.Fatal("the workers do not start")
}

func consumerInfo(t *testing.T, c *client) *jetstream.ConsumerInfo {
	t.Helper()
	consumer, err := c.tasks.Consumer(t.Context(), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	return consumer.CachedInfo()
}

// expectEmpty expects that no message of a job remains: each task was done, and each answer collected, once.
func expectEmpty(t *testing.T, c *client) {
	t.Helper()
	for _, name := range []string{tasksStream, answersStream} {
		s, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		// A worker may be about to acknowledge its last task.
		for range 500 {
			if info, err := s.Info(t.Context()); err != nil || info.State.Msgs == 0 {
				break
			}
			time.Sleep(pause)
		}
		if info, err := s.Info(t.Context()); err != nil || info.State.Msgs > 0 {
			t.Errorf("%d messages remain in %s, %v", info.State.Msgs, name, err)
		}
	}
}

// local starts a broker and a number of workers in this process.
func local(t *testing.T, workers int) *client {
	t.Helper()
	b, err := startBroker(t.Context(), options{listen: "127.0.0.1:0", store: t.TempDir(), ackWait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.stop)
	c, err := connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for range workers {
		go c.work(t.Context())
	}
	return c
}

// A stream of events travels in messages, and its answers are in order too.
func TestInlineLines(t *testing.T) {
	c := local(t, 3)
	name := requests(t, 300)
	want := plain(t, name)
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	expectAnswers(t, c, job{filter: "check", block: 20_000, window: 4, in: in}, want)
}

// expectAnswers runs a job, and expects its answers, and that no message is left.
func expectAnswers(t *testing.T, c *client, j job, want answers) {
	t.Helper()
	out := &output{}
	done, err := c.run(t.Context(), j, out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.answers(done.Counts)); diff != "" {
		t.Errorf("(-plain +cluster):\n%s", diff)
	}
	expectEmpty(t, c)
}

// A line that is typed is answered before the next one is.
func TestInlineLinesArePrompt(t *testing.T) {
	c := local(t, 1)
	in, typed := io.Pipe()
	seen, out := io.Pipe()
	go func() {
		_, err := c.run(t.Context(), job{filter: "check", block: 1 << 20, window: 1, in: in}, out)
		out.CloseWithError(err)
	}()
	for id := range 5 {
		fmt.Fprintf(typed, "{\"id\":%d}\n", id)
		var answer struct{ ID int }
		if err := json.NewDecoder(io.LimitReader(seen, int64(len(wantAnswer(id))))).Decode(&answer); err != nil || answer.ID != id {
			t.Fatalf("answer %d is %+v, %v", id, answer, err)
		}
	}
	typed.Close()
	if rest, err := io.ReadAll(seen); err != nil || len(rest) > 0 {
		t.Errorf("after the answers: %q, %v", rest, err)
	}
}

func wantAnswer(id int) []byte {
	f, _ := filter.Named("check")
	return append(f.Handle(fmt.Appendf(nil, `{"id":%d}`, id), nil), '\n')
}

// Planning a job twice, even while it is running, plans each task once; an interrupted job continues.
func TestPlanTwice(t *testing.T) {
	c := local(t, 0)
	name := requests(t, 200)
	want := plain(t, name)
	j, err := job{filter: "check", file: name, block: 2_000, window: 1000}.prepare()
	if err != nil {
		t.Fatal(err)
	}
	var tasks uint64
	for range 3 {
		planned := make(chan plannedTask, 1000)
		if err := c.plan(t.Context(), j, planned); err != nil {
			t.Fatal(err)
		}
		tasks = uint64(len(planned))
	}
	s, err := c.js.Stream(t.Context(), tasksStream)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Msgs; n != tasks || n < 10 {
		t.Errorf("there are %d messages for %d tasks", n, tasks)
	}
	go c.work(t.Context())
	expectAnswers(t, c, j, want)
}

// Two runs of a job at once both get all answers, although each removes what it has collected.
func TestRunTwiceAtOnce(t *testing.T) {
	c := local(t, 2)
	name := requests(t, 200)
	want := plain(t, name)
	j := job{filter: "check", file: name, block: 10_000, window: 4}
	second := make(chan error)
	var secondOut output
	var secondReport report
	// The second run begins when the first has answers.
	out := &output{at: []int{1}, do: []func(){func() {
		go func() {
			var err error
			secondReport, err = c.run(t.Context(), j, &secondOut)
			second <- err
		}()
	}}}
	done, err := c.run(t.Context(), j, out)
	if err := errors.Join(err, <-second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.answers(done.Counts)); diff != "" {
		t.Errorf("first (-plain +cluster):\n%s", diff)
	}
	if diff := cmp.Diff(want, secondOut.answers(secondReport.Counts)); diff != "" {
		t.Errorf("second (-plain +cluster):\n%s", diff)
	}
}

// A task is done again if its outcome, or a piece of its answers, was removed by another run.
func TestRemovedByAnother(t *testing.T) {
	c := local(t, 1)
	name := requests(t, 20)
	want := plain(t, name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	for removed, remove := range map[string]func(id taskID) error{
		"outcome": func(id taskID) error { return c.remove(t.Context(), id.subject(doneSubject)) },
		"answers": func(id taskID) error { return c.remove(t.Context(), id.subject(answerSubject)+".>") },
	} {
		t.Run(removed, func(t *testing.T) {
			p := plannedTask{taskID{removed, 0}, task{filter: "check", file: name, part: stream.Part{To: info.Size()}}}
			if err := c.planTask(t.Context(), p.taskID, p.task); err != nil {
				t.Fatal(err)
			}
			if _, err := c.await(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if err := remove(p.taskID); err != nil {
				t.Fatal(err)
			}
			out := &output{}
			done, err := c.collect(t.Context(), p, out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, out.answers(*done.Counts)); diff != "" {
				t.Errorf("(-plain +cluster):\n%s", diff)
			}
		})
	}
}

// A worker that is so slow that another one has done its task, and the answers are collected, leaves nothing behind.
func TestSlowWorker(t *testing.T) {
	c := local(t, 0)
	p := plannedTask{taskID{"slow", 0}, task{filter: "check", lines: []byte("{}\n")}}
	if err := c.planTask(t.Context(), p.taskID, p.task); err != nil {
		t.Fatal(err)
	}
	slow := nextTask(t, c)
	if err := slow.Nak(); err != nil { // as if its time were up
		t.Fatal(err)
	}
	go c.work(t.Context())
	if _, err := c.collect(t.Context(), p, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := c.do(t.Context(), slow); err != nil {
		t.Fatal(err)
	}
	expectEmpty(t, c)
}

func nextTask(t *testing.T, c *client) jetstream.Msg {
	t.Helper()
	consumer, err := c.tasks.Consumer(t.Context(), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := consumer.Next(jetstream.FetchMaxWait(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// A task that always fails, or ends its workers, becomes a dead letter, and the others go on.
func TestDeadLetters(t *testing.T) {
	c := local(t, 0)
	dead := func(id taskID, task task) string {
		t.Helper()
		if err := c.planTask(t.Context(), id, task); err != nil {
			t.Fatal(err)
		}
		go c.work(t.Context())
		_, err := c.collect(t.Context(), plannedTask{id, task}, io.Discard)
		if err == nil {
			t.Fatal("the task did not fail")
		}
		return err.Error()
	}
	crashing := taskID{"crashing", 0}
	if err := c.planTask(t.Context(), crashing, task{filter: "check", lines: []byte("{}\n")}); err != nil {
		t.Fatal(err)
	}
	for range maxTries { // workers that die silently
		if err := nextTask(t, c).Nak(); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		id   taskID
		task task
		want string
	}{
		{crashing, task{}, "5 workers ended without an answer"},
		{taskID{"missing", 3}, task{filter: "check", file: filepath.Join(t.TempDir(), "missing")}, "calrules.task.missing.3: open "},
		{taskID{"unknown", 0}, task{filter: "chek", lines: []byte("{}\n")}, `"chek" is not a filter`},
	} {
		if got := dead(test.id, test.task); !strings.Contains(got, test.want) {
			t.Errorf("%v: %s, want %s", test.id, got, test.want)
		}
	}
}

// The command answers a file with processes of its own.
func TestRunCommand(t *testing.T) {
	name := requests(t, 100)
	want := plain(t, name)
	for _, mode := range []string{"1", firstWorkerEnds + filepath.Join(t.TempDir(), "ended")} {
		out, errs, err := runCommand(mode, "--workers", "1", "--block", "20000", name)
		if err != nil {
			t.Fatalf("%s: %v: %s", mode, err, errs)
		}
		if diff := cmp.Diff(want, out.answers(want.Counts)); diff != "" {
			t.Errorf("%s (-plain +cluster):\n%s", mode, diff)
		}
		if !strings.HasPrefix(errs, "100 lines, ") {
			t.Errorf("%s: the counts are %s", mode, errs)
		}
	}
}

// The command does not wait for workers that always end.
func TestRunCommandWithoutWorkers(t *testing.T) {
	_, errs, err := runCommand(workersEnd, "--workers", "1", requests(t, 1))
	if err == nil || !strings.Contains(errs, "a worker ended 11 times; the last time: exit status 3") {
		t.Errorf("%v: %s", err, errs)
	}
}

// runCommand runs the command run with a value of asCommand.
func runCommand(mode string, args ...string) (out *output, errs string, err error) {
	cmd := exec.Command(os.Args[0], append([]string{"run"}, args...)...)
	cmd.Env = append(os.Environ(), asCommand+"="+mode)
	var text strings.Builder
	out = &output{}
	cmd.Stdout, cmd.Stderr = out, &text
	err = cmd.Run()
	return out, text.String(), err
}

// A broker that is not there, that refuses the user or that has no queue is named, without the password.
func TestNoBroker(t *testing.T) {
	guarded, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Username: "ada", Password: "right", NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	go guarded.Start()
	defer guarded.Shutdown()
	if !guarded.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	away := freeAddress(t)
	for url, want := range map[string]string{
		"nats://" + away: "cannot connect to nats://" + away + ": nats: no servers available",
		strings.Replace(guarded.ClientURL(), "//", "//ada:wrong@", 1): "nats: Authorization Violation",
		"nats://ada:wrong@%zz": "cannot connect to a URL that is not valid",
	} {
		wait := time.Hour // a refusal is reported at once
		if strings.HasSuffix(url, away) {
			wait = 3 * pause
		}
		_, err := dial(t.Context(), url, wait)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s: error is %v, want %s", url, err, want)
		}
	}
}

// Errors say what is wrong with the arguments.
func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                          "no command",
		"work --servers x":          "not defined: -servers; 'nats help' lists the flags",
		"fly":                       `"fly" is not a command`,
		"work --filter chek":        `"chek" is not a filter`,
		"submit --block 0":          "must be positive",
		"submit a b":                "one FILE",
		"broker --listen 127.0.0.1": "missing port",
	} {
		if err := run(t.Context(), strings.Fields(args), nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %s", args, err, want)
		}
	}
	for _, args := range []string{"help", "--help", "broker -h"} {
		var out strings.Builder
		if err := run(t.Context(), strings.Fields(args), nil, &out, io.Discard); err != nil || !strings.Contains(out.String(), "-ack-wait") {
			t.Errorf("%s: %v, and it writes %q", args, err, out.String())
		}
	}
}
