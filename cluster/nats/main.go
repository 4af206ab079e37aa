// Command nats distributes a calrules filter over processes and machines, with JetStream as the work queue and the store for
// answers. The README describes the usage and the messages of the command.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/calrules/calrules/internal/filter"
)

const usage = `Usage:
  nats run [--workers N] [--filter NAME] [FILE]  a broker and N worker processes on this machine, and one job
  nats broker [--listen HOST:PORT] [--store DIR] a broker
  nats work [--server URL]                       a worker
  nats submit [--server URL] [--filter NAME] [FILE]
                                                 a job: answers on standard output, in order, and counts on standard error

A job answers the lines of FILE, which every worker must be able to open by the same name, in
blocks; or the lines of standard input, which travel in messages. Flags:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "nats:", err)
		os.Exit(2)
	}
}

// options contains the flags of all commands.
type options struct {
	server, listen, store string
	filter                string
	block                 int64
	window, workers       int
	ackWait               time.Duration
}

func (o *options) flags() *flag.FlagSet {
	set := flag.NewFlagSet("nats", flag.ContinueOnError)
	set.StringVar(&o.server, "server", "nats://127.0.0.1:4222", "URLs of the broker, separated by commas")
	set.StringVar(&o.listen, "listen", "127.0.0.1:4222", "where the broker listens")
	set.StringVar(&o.store, "store", "", "directory of the broker (default: a temporary one)")
	set.StringVar(&o.filter, "filter", "check", "filter: "+strings.Join(filter.Names, ", "))
	set.Int64Var(&o.block, "block", 1<<20, "bytes of a block")
	set.IntVar(&o.window, "window", 256, "tasks of a job that may be planned before their answers are collected")
	set.IntVar(&o.workers, "workers", 4, "worker processes of run")
	set.DurationVar(&o.ackWait, "ack-wait", 30*time.Second, "how long a worker may be silent before its task is given to another")
	return set
}

// run runs one command.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	var o options
	set := o.flags()
	set.SetOutput(io.Discard) // main prints the error
	if len(args) == 0 {
		return errors.New("there is no command; 'nats help' lists them")
	}
	err := set.Parse(args[1:])
	if errors.Is(err, flag.ErrHelp) || slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		io.WriteString(out, usage)
		set.SetOutput(out)
		set.PrintDefaults()
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; 'nats help' lists the flags", err)
	}
	if _, err := filter.Named(o.filter); err != nil {
		return err
	}
	if min(o.block, int64(o.window), int64(o.workers), int64(o.ackWait)) <= 0 {
		return errors.New("--block, --window, --workers and --ack-wait must be positive")
	}
	job := job{filter: o.filter, block: o.block, window: o.window, in: in}
	if job.file = set.Arg(0); set.NArg() > 1 {
		return errors.New("a job has one FILE, or standard input")
	}
	switch args[0] {
	case "broker":
		return runBroker(ctx, o, errs)
	case "work":
		return runWorker(ctx, o.server)
	case "submit":
		return submit(ctx, o.server, job, out, errs)
	case "run":
		return runAll(ctx, o, job, out, errs)
	default:
		return fmt.Errorf("%q is not a command; 'nats help' lists them", args[0])
	}
}

func runBroker(ctx context.Context, o options, errs io.Writer) error {
	b, err := startBroker(ctx, o)
	if err != nil {
		return err
	}
	defer b.stop()
	fmt.Fprintln(errs, "the broker listens at", b.url)
	<-ctx.Done()
	return nil
}

func runWorker(ctx context.Context, server string) error {
	c, err := connect(ctx, server)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.work(ctx)
}

func submit(ctx context.Context, server string, j job, out, errs io.Writer) error {
	c, err := connect(ctx, server)
	if err != nil {
		return err
	}
	defer c.Close()
	done, err := c.run(ctx, j, out)
	if err != nil {
		return err
	}
	writeReport(errs, done)
	return nil
}

func writeReport(out io.Writer, r report) {
	fmt.Fprintf(out, "%d lines, %d not accepted; %d tasks were tried again\n", r.Lines, r.Rejected, r.Retried)
	for _, rule := range sortedByCount(r.Rules) {
		fmt.Fprintf(out, "%8d %s\n", r.Rules[rule], rule)
	}
}

// sortedByCount returns the keys, most frequent first.
func sortedByCount(counts map[string]int) []string {
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return keys
}
