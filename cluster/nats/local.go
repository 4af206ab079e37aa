package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// maxRestarts is the maximum number of restarts of each worker, which exceeds the number of workers that one task can crash
// before it becomes a dead letter.
const maxRestarts = 2 * maxTries

// runAll starts a broker and worker processes on this machine, runs a job, and stops all processes.
func runAll(ctx context.Context, o options, j job, out, errs io.Writer) error {
	o.listen = "127.0.0.1:0"
	b, err := startBroker(ctx, o)
	if err != nil {
		return err
	}
	defer b.stop()
	var workers sync.WaitGroup
	defer workers.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for range o.workers {
		workers.Go(func() {
			if err := keepWorking(ctx, b.url, errs); err != nil {
				cancel(err)
			}
		})
	}
	if err := submit(ctx, b.url, j, out, errs); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	return nil
}

// keepWorking runs a worker process until the context is done, and restarts the process if it exits earlier.
func keepWorking(ctx context.Context, url string, errs io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range 1 + maxRestarts {
		worker := exec.CommandContext(ctx, self, "work", "--server", url)
		worker.Stderr = errs
		if err = worker.Start(); err != nil {
			return err
		}
		err = worker.Wait()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(retryWait):
		}
	}
	return fmt.Errorf("a worker ended %d times; the last time: %v", 1+maxRestarts, err)
}
