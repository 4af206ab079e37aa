package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nuid"

	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/stream"
)

// job is a filter with the lines to answer, from a file or, if there is no file, from a reader.
type job struct {
	name   string
	filter string
	file   string
	block  int64 // the number of bytes in a task
	window int   // the maximum number of planned tasks with uncollected answers
	in     io.Reader
}

// report is the result of a job: its counts, and the number of tasks that were delivered more than once.
type report struct {
	filter.Counts
	Retried int
}

// run plans a job, writes its answers in order, and returns a report. An interrupted job on a file can be run again; run does
// not plan tasks that are still queued or whose answers have not been collected. Two concurrent runs each get all answers,
// because a task whose answers one run has collected is planned again for the other run.
func (c *client) run(ctx context.Context, j job, out io.Writer) (total report, err error) {
	if j, err = j.prepare(); err != nil {
		return total, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	planned := make(chan plannedTask, j.window)
	go func() {
		defer close(planned)
		if err := c.plan(ctx, j, planned); err != nil {
			cancel(err)
		}
	}()
	for t := range planned {
		done, err := c.collect(ctx, t, out)
		if err != nil {
			return total, err
		}
		total.Add(*done.Counts)
		if done.Tries > 1 {
			total.Retried++
		}
	}
	if err := context.Cause(ctx); err != nil {
		return total, err
	}
	// A worker that crashed during a task may have left some answers behind.
	return total, errors.Join(c.remove(ctx, doneSubject+"."+j.name+".>"), c.remove(ctx, answerSubject+"."+j.name+".>"))
}

// prepare names the job. The name of a job on a file is derived from everything that affects its answers, so a later run of the
// same job has the same name.
func (j job) prepare() (job, error) {
	if j.file == "" {
		j.name = nuid.Next()
		return j, nil
	}
	path, err := filepath.Abs(j.file)
	if err != nil {
		return j, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return j, err
	}
	if !info.Mode().IsRegular() {
		return j, fmt.Errorf("%s: not a regular file", path)
	}
	j.file = path
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %d %s", path, info.Size(), info.ModTime().UnixNano(), j.block, j.filter))
	j.name = hex.EncodeToString(sum[:12])
	return j, nil
}

// plannedTask is a task whose answers are awaited. Lines are not kept, because tasks with lines are never planned again: a job
// with lines is run only once.
type plannedTask struct {
	taskID
	task
}

// plan publishes the tasks of a job, except tasks that are done or already queued.
func (c *client) plan(ctx context.Context, j job, planned chan<- plannedTask) error {
	number := 0
	for t, err := range j.tasks(int(c.MaxPayload())) {
		if err != nil {
			return err
		}
		id := taskID{j.name, number}
		number++
		if err := c.planTask(ctx, id, t); err != nil {
			return err
		}
		t.lines = nil
		select {
		case planned <- plannedTask{id, t}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (c *client) planTask(ctx context.Context, id taskID, t task) error {
	done, err := c.stored(ctx, id.subject(doneSubject))
	if err != nil {
		return err
	}
	if done != nil {
		return nil
	}
	msg, err := t.message(id.subject(taskSubject))
	if err != nil {
		return err
	}
	return c.publishOnce(ctx, msg)
}

// tasks yields the tasks of a job in line order.
func (j job) tasks(maxPayload int) iter.Seq2[task, error] {
	if j.file == "" {
		return j.inlineTasks(maxPayload)
	}
	return func(yield func(task, error) bool) {
		info, err := os.Stat(j.file)
		if err != nil {
			yield(task{}, err)
			return
		}
		for from := int64(0); from < info.Size(); from += j.block {
			part := stream.Part{From: from, To: min(from+j.block, info.Size())}
			if !yield(task{filter: j.filter, file: j.file, part: part}, nil) {
				return
			}
		}
	}
}

// inlineTasks yields tasks as soon as it has read whole lines; the input may be endless.
func (j job) inlineTasks(maxPayload int) iter.Seq2[task, error] {
	return func(yield func(task, error) bool) {
		const headers = 1 << 10
		most := maxPayload - headers
		var text []byte
		buf := make([]byte, min(int(j.block), most/2))
		for first := true; ; {
			n, err := j.in.Read(buf)
			text = append(text, buf[:n]...)
			end := bytes.LastIndexByte(text, '\n') + 1
			if err != nil {
				end = len(text)
			}
			lines := text[:end]
			if first && end > 0 {
				first, lines = false, bytes.TrimPrefix(lines, []byte("\ufeff"))
			}
			switch {
			case len(text) > most:
				yield(task{}, fmt.Errorf("a line is longer than the %d bytes of a message", most))
				return
			case len(lines) > 0 && !yield(task{filter: j.filter, lines: bytes.Clone(lines)}, nil):
				return
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(task{}, err)
				return
			}
			text = append([]byte(nil), text[end:]...)
		}
	}
}

// collect waits for the outcome of a task, writes its answers, and removes all of its messages. For a dead letter, collect
// returns an error and removes nothing.
func (c *client) collect(ctx context.Context, t plannedTask, out io.Writer) (outcome, error) {
	id := t.taskID
	for {
		done, err := c.await(ctx, t)
		if err != nil {
			return done, err
		}
		if done.Dead != "" {
			return done, fmt.Errorf("%s: %s", id.subject(taskSubject), done.Dead)
		}
		answers, err := c.read(ctx, id, done)
		if errors.Is(err, errLost) && t.file != "" {
			// Another run has removed the answers. The outcome must also be removed; otherwise, the task would not be performed again.
			if err := c.removeUntil(ctx, id.subject(doneSubject), done.number); err != nil {
				return done, err
			}
			continue
		}
		if err != nil {
			return done, err
		}
		if _, err := out.Write(answers); err != nil {
			return done, err
		}
		// Remove the task first, to keep workers from performing it again. Keep answers from other attempts, which another run may be
		// awaiting.
		err = errors.Join(c.removeTask(ctx, id), c.remove(ctx, id.subject(doneSubject)), c.remove(ctx, id.attempt(done.Attempt)+".>"))
		return done, err
	}
}

var errLost = errors.New("is lost")

// read returns the answers to which an outcome refers.
func (c *client) read(ctx context.Context, id taskID, done outcome) (answers []byte, err error) {
	for k := range done.Pieces {
		piece, err := c.stored(ctx, id.piece(done.Attempt, k))
		if err != nil {
			return nil, err
		}
		if piece == nil {
			return nil, fmt.Errorf("%s %w", id.piece(done.Attempt, k), errLost)
		}
		answers = append(answers, piece.Data...)
	}
	return answers, nil
}

// await waits for the outcome of a task and returns it. Another run of the job may have removed the task and its outcome,
// so await plans a task from a file again and again. Planning has no effect while the task or its outcome exists.
func (c *client) await(ctx context.Context, t plannedTask) (done outcome, err error) {
	for planned := time.Now(); ; {
		msg, err := c.stored(ctx, t.subject(doneSubject))
		if err != nil {
			return done, err
		}
		if msg != nil {
			done.number = msg.Sequence
			err = json.Unmarshal(msg.Data, &done)
			return done, err
		}
		if t.file != "" && time.Since(planned) > replan {
			if err := c.planTask(ctx, t.taskID, t.task); err != nil {
				return done, err
			}
			planned = time.Now()
		}
		select {
		case <-ctx.Done():
			return done, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
