package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/stream"
)

// Headers of a task message. If the task has no file, the body of the message contains the lines.
const (
	filterHeader = "Calrules-Filter"
	fileHeader   = "Calrules-File"
	partHeader   = "Calrules-Part" // the part of the file, as JSON
)

// task is a unit of work for a worker: a part of a file, or a few lines.
type task struct {
	filter string
	file   string
	part   stream.Part // the part of the file
	lines  []byte      // whole lines, if there is no file
}

// message returns the message that represents a task.
func (t task) message(subject string) (*nats.Msg, error) {
	msg := nats.NewMsg(subject)
	msg.Header.Set(filterHeader, t.filter)
	msg.Data = t.lines
	if t.file == "" {
		return msg, nil
	}
	part, err := json.Marshal(t.part)
	msg.Header.Set(fileHeader, t.file)
	msg.Header.Set(partHeader, string(part))
	return msg, err
}

// readTask decodes a task from its message.
func readTask(header nats.Header, data []byte) (task, error) {
	t := task{filter: header.Get(filterHeader), file: header.Get(fileHeader), lines: data}
	if t.file == "" {
		return t, nil
	}
	if err := json.Unmarshal([]byte(header.Get(partHeader)), &t.part); err != nil {
		return t, fmt.Errorf("%s: %w", partHeader, err)
	}
	return t, nil
}

// run answers the lines of a task and returns the counts.
func (t task) run(ctx context.Context, out io.Writer) (filter.Counts, error) {
	f, err := filter.Named(t.filter)
	if err != nil {
		return filter.Counts{}, err
	}
	f, counts := filter.Counted(f)
	if t.file == "" {
		// The newline before the part keeps RunPart from skipping a byte order mark.
		lines := bytes.NewReader(append([]byte("\n"), t.lines...))
		err = f.RunPart(ctx, lines, stream.Part{From: 1, To: lines.Size()}, out)
		return *counts, err
	}
	file, err := os.Open(t.file)
	if err != nil {
		return filter.Counts{}, err
	}
	defer file.Close()
	err = f.RunPart(ctx, file, t.part, out)
	return *counts, err
}

// taskID identifies a task by the name of its job and its number. The subjects of the task consist of a prefix and the taskID.
type taskID struct {
	job    string
	number int
}

func (id taskID) subject(kind string) string { return fmt.Sprintf("%s.%s.%d", kind, id.job, id.number) }

// attempt returns the subject prefix for the answers from an attempt.
func (id taskID) attempt(name string) string { return id.subject(answerSubject) + "." + name }

// piece returns the subject for a piece of the answers.
func (id taskID) piece(attempt string, k int) string {
	return fmt.Sprintf("%s.%d", id.attempt(attempt), k)
}

// parseTaskID parses the subject of a task message.
func parseTaskID(subject string) (id taskID, err error) {
	rest, ok := strings.CutPrefix(subject, taskSubject+".")
	job, number, _ := strings.Cut(rest, ".")
	if _, err := fmt.Sscanf(number, "%d", &id.number); !ok || err != nil {
		return id, errors.New(subject + " is not the subject of a task")
	}
	id.job = job
	return id, nil
}

// outcome is the body of a message with a done subject. A task has one outcome, from the first attempt that succeeds or, if no
// attempt succeeds, from the last attempt.
type outcome struct {
	Attempt string         `json:"attempt,omitempty"`
	Pieces  int            `json:"pieces"`
	Counts  *filter.Counts `json:"counts,omitempty"`
	Tries   uint64         `json:"tries"`          // the number of deliveries of the task
	Dead    string         `json:"dead,omitempty"` // the reason not to try the task again

	number uint64 // the sequence number of the outcome's message
}
