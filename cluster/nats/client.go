package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The streams, and the subjects in them. A subject continues with the name of the job and the number of the task.
const (
	tasksStream   = "CALRULES_TASKS"
	answersStream = "CALRULES_ANSWERS"
	consumerName  = "workers"

	taskSubject   = "calrules.task"   // work, until a worker has done it
	doneSubject   = "calrules.done"   // the outcome of a task
	answerSubject = "calrules.answer" // continues with the attempt and the number of the piece
)

// Times of waiting for the broker.
const (
	pause      = 20 * time.Millisecond // before asking again
	patience   = 2 * time.Minute       // with an unreachable broker
	keepAnswer = 24 * time.Hour        // answers that were not collected
)

// client is a connection to the broker that survives its restarts.
type client struct {
	*nats.Conn
	js      jetstream.JetStream
	answers jetstream.Stream
}

func dial(url string) (*client, error) {
	conn, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(pause), nats.RetryOnFailedConnect(true))
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &client{Conn: conn, js: js}, nil
}

// connect connects to a broker and waits until its queue is set up.
func connect(ctx context.Context, url string) (*client, error) {
	c, err := dial(url)
	if err != nil {
		return nil, err
	}
	err = persist(ctx, func() error {
		if _, err := c.js.Consumer(ctx, tasksStream, consumerName); err != nil {
			return err
		}
		c.answers, err = c.js.Stream(ctx, answersStream)
		return err
	})
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return c, nil
}

func (c *client) setUp(ctx context.Context, ackWait time.Duration) error {
	return persist(ctx, func() error {
		_, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: tasksStream, Subjects: []string{taskSubject + ".>"}, Retention: jetstream.WorkQueuePolicy,
		})
		if err != nil {
			return err
		}
		_, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: answersStream, Subjects: []string{doneSubject + ".>", answerSubject + ".>"}, MaxAge: keepAnswer, AllowDirect: true,
		})
		if err != nil {
			return err
		}
		_, err = c.js.CreateOrUpdateConsumer(ctx, tasksStream, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: -1,
		})
		return err
	})
}

// persist calls do until it succeeds, because a broker may be unreachable for a while.
func persist(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := do()
		if err == nil || errors.Is(err, nats.ErrMaxPayload) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// publishOnce publishes a message unless there is one with its subject, so retries do not duplicate it.
func (c *client) publishOnce(ctx context.Context, msg *nats.Msg) error {
	return persist(ctx, func() error {
		_, err := c.js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequencePerSubject(0))
		if refused, ok := errors.AsType[*jetstream.APIError](err); ok {
			switch refused.ErrorCode {
			case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
				return nil
			}
		}
		return err
	})
}

// stored returns the last message with the subject, or nil if there is none.
func (c *client) stored(ctx context.Context, subject string) (msg *jetstream.RawStreamMsg, err error) {
	err = persist(ctx, func() error {
		msg, err = c.answers.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return msg, err
}

// remove removes the messages about answers whose subject matches.
func (c *client) remove(ctx context.Context, subject string) error {
	return persist(ctx, func() error { return c.answers.Purge(ctx, jetstream.WithPurgeSubject(subject)) })
}
