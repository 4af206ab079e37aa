package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

const (
	maxTries  = 5                      // after more deliveries, a task becomes a dead letter
	pieceSize = 512 << 10              // the maximum number of bytes of answers in a message
	idle      = time.Second            // the maximum wait for a task in one request
	retryWait = 200 * time.Millisecond // after a failure
)

// work performs tasks until the context is done or the broker refuses the user.
func (c *client) work(ctx context.Context) error {
	consumer, err := c.js.Consumer(ctx, tasksStream, consumerName)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		msg, err := consumer.Next(jetstream.FetchMaxWait(idle))
		switch {
		case err == nil:
			c.handle(ctx, msg, consumer.CachedInfo().Config.AckWait)
		case c.IsClosed():
			return errors.Join(err, c.LastError())
		case !errors.Is(err, nats.ErrTimeout):
			time.Sleep(pause) // the broker is unreachable
		}
	}
	return nil
}

// handle performs one task, and regularly informs the broker that the task is in progress. If anything fails, the broker
// delivers the task again.
func (c *client) handle(ctx context.Context, msg jetstream.Msg, ackWait time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for tick := time.NewTicker(ackWait / 4); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				_ = msg.InProgress() // if this fails, another worker gets the task too
			}
		}
	}()
	if err := c.do(ctx, msg); err != nil {
		_ = msg.NakWithDelay(retryWait)
		return
	}
	_ = msg.DoubleAck(ctx)
}

// do performs a task and stores the outcome, unless the task is already done.
func (c *client) do(ctx context.Context, msg jetstream.Msg) error {
	id, err := parseTaskID(msg.Subject())
	if err != nil {
		return msg.Term()
	}
	done, err := c.stored(ctx, id.subject(doneSubject))
	if err != nil || done != nil {
		return err
	}
	about, err := msg.Metadata()
	if err != nil {
		return err
	}
	out := outcome{Attempt: nuid.Next(), Tries: about.NumDelivered}
	if about.NumDelivered > maxTries {
		out.Dead = fmt.Sprintf("%d workers ended without an answer", maxTries)
	} else if err := c.answer(ctx, id, msg, &out); err != nil {
		if about.NumDelivered < maxTries {
			return errors.Join(err, c.remove(ctx, id.attempt(out.Attempt)+".>"))
		}
		out = outcome{Attempt: out.Attempt, Tries: out.Tries, Dead: err.Error()}
	}
	return c.finish(ctx, id, about.Sequence.Stream, out)
}

// finish stores the outcome of an attempt if the task has no outcome. Otherwise, finish removes the answers from the attempt,
// because several workers may perform the same task. The number is the sequence number of the task's message.
func (c *client) finish(ctx context.Context, id taskID, number uint64, out outcome) error {
	// If the task no longer exists, the job has collected the outcome of another attempt, and would never read this outcome.
	wanted, err := c.isTask(ctx, number)
	if err != nil {
		return err
	}
	if wanted {
		text, err := json.Marshal(out)
		if err != nil {
			return err
		}
		if err := c.publishOnce(ctx, &nats.Msg{Subject: id.subject(doneSubject), Data: text}); err != nil {
			return err
		}
		msg, err := c.stored(ctx, id.subject(doneSubject))
		if err != nil || msg != nil && bytes.Equal(msg.Data, text) && out.Dead == "" {
			return err
		}
	}
	return c.remove(ctx, id.attempt(out.Attempt)+".>")
}

// answer performs a task and stores the answers.
func (c *client) answer(ctx context.Context, id taskID, msg jetstream.Msg, out *outcome) error {
	t, err := readTask(msg.Headers(), msg.Data())
	if err != nil {
		return err
	}
	w := &pieces{size: min(pieceSize, int(c.MaxPayload())/2), store: func(piece []byte) error {
		subject := id.piece(out.Attempt, out.Pieces)
		out.Pieces++
		return c.publishOnce(ctx, &nats.Msg{Subject: subject, Data: piece})
	}}
	counts, err := t.run(ctx, w)
	out.Counts = &counts
	return errors.Join(err, w.flush())
}

// pieces is a writer that divides its input into messages.
type pieces struct {
	size  int
	text  []byte
	store func(piece []byte) error
}

func (p *pieces) Write(text []byte) (int, error) {
	p.text = append(p.text, text...)
	for len(p.text) > p.size {
		if err := p.store(p.text[:p.size]); err != nil {
			return 0, err
		}
		p.text = p.text[p.size:]
	}
	return len(text), nil
}

func (p *pieces) flush() error {
	if len(p.text) == 0 {
		return nil
	}
	return p.store(p.text)
}
