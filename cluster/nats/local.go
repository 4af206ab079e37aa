package main

import (
	"context"
	"io"
	"os"
	"os/exec"
)

// runAll starts a broker and worker processes on this machine, runs a job and stops them.
func runAll(ctx context.Context, o options, j job, out, errs io.Writer) error {
	o.listen = "127.0.0.1:0"
	b, err := startBroker(ctx, o)
	if err != nil {
		return err
	}
	defer b.stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range o.workers {
		worker := exec.CommandContext(ctx, self, "work", "--server", b.url)
		worker.Stderr = errs
		if err := worker.Start(); err != nil {
			return err
		}
		defer func() { _ = worker.Process.Kill(); _ = worker.Wait() }()
	}
	return submit(ctx, b.url, j, out, errs)
}
