package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The streams and the prefixes of their subjects. After the prefix, a subject contains the job name and the task number.
const (
	tasksStream   = "CALRULES_TASKS"
	answersStream = "CALRULES_ANSWERS"
	consumerName  = "workers"

	taskSubject   = "calrules.task"   // a task that is not done yet
	doneSubject   = "calrules.done"   // the outcome of a task
	answerSubject = "calrules.answer" // the subject also contains the attempt and the number of the piece
)

// Durations for waiting and retrying.
const (
	pause      = 20 * time.Millisecond // between retries
	replan     = time.Second           // until a missing task is planned again
	reach      = 10 * time.Second      // for the first contact with a broker
	patience   = 2 * time.Minute       // for a broker that has become unreachable
	keepAnswer = 24 * time.Hour        // for uncollected answers
)

// client is a connection to the broker that survives restarts of the broker.
type client struct {
	*nats.Conn
	js      jetstream.JetStream
	tasks   jetstream.Stream
	answers jetstream.Stream
}

// dial connects to a broker. Unless the broker refuses the user, dial waits up to the given time for the broker to start.
func dial(ctx context.Context, urls string, wait time.Duration) (*client, error) {
	var conn *nats.Conn
	err := persist(ctx, wait, func() (err error) {
		conn, err = nats.Connect(urls, nats.MaxReconnects(-1), nats.ReconnectWait(pause))
		return err
	})
	if bad, ok := errors.AsType[*url.Error](err); ok {
		err = bad.Err // without the URL, which may contain a password
	}
	if err != nil {
		return nil, fmt.Errorf("cannot connect to %s: %w", redact(urls), err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &client{Conn: conn, js: js}, nil
}

// redact returns URLs without their passwords.
func redact(urls string) string {
	list := strings.Split(urls, ",")
	for i, text := range list {
		if u, err := url.Parse(strings.TrimSpace(text)); err == nil {
			list[i] = u.Redacted()
		} else {
			list[i] = "a URL that is not valid"
		}
	}
	return strings.Join(list, ", ")
}

// connect connects to a broker and waits for its queue to be set up.
func connect(ctx context.Context, urls string) (*client, error) {
	c, err := dial(ctx, urls, reach)
	if err != nil {
		return nil, err
	}
	err = persist(ctx, reach, func() error {
		if c.tasks, err = c.js.Stream(ctx, tasksStream); err != nil {
			return err
		}
		if _, err = c.tasks.Consumer(ctx, consumerName); err != nil {
			return err
		}
		c.answers, err = c.js.Stream(ctx, answersStream)
		return err
	})
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("%s has no queue for calrules: %w", redact(urls), err)
	}
	return c, nil
}

func (c *client) setUp(ctx context.Context, ackWait time.Duration) error {
	return persist(ctx, patience, func() error {
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

// persist calls do until do succeeds or fails permanently, or the time is up, because a broker may be temporarily unreachable.
func persist(ctx context.Context, wait time.Duration, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		err := do()
		if err == nil || final(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// final reports whether an error is permanent, in which case retrying is pointless.
func final(err error) bool {
	for _, target := range []error{nats.ErrMaxPayload, nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrConnectionClosed} {
		if errors.Is(err, target) {
			return true
		}
	}
	_, badURL := errors.AsType[*url.Error](err)
	return badURL
}

// publishOnce publishes a message unless the stream already contains a message with the same subject, so retries do not
// duplicate messages.
func (c *client) publishOnce(ctx context.Context, msg *nats.Msg) error {
	return persist(ctx, patience, func() error {
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
	err = persist(ctx, patience, func() error {
		msg, err = c.answers.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return msg, err
}

// remove removes the messages with a matching subject from the stream of answers.
func (c *client) remove(ctx context.Context, subject string) error {
	return persist(ctx, patience, func() error { return c.answers.Purge(ctx, jetstream.WithPurgeSubject(subject)) })
}

// removeUntil removes the messages with a subject from the stream of answers, up to and including the given sequence number.
func (c *client) removeUntil(ctx context.Context, subject string, number uint64) error {
	return persist(ctx, patience, func() error {
		return c.answers.Purge(ctx, jetstream.WithPurgeSubject(subject), jetstream.WithPurgeSequence(number+1))
	})
}

// removeTask removes a task, even if a worker is processing it.
func (c *client) removeTask(ctx context.Context, id taskID) error {
	return persist(ctx, patience, func() error {
		return c.tasks.Purge(ctx, jetstream.WithPurgeSubject(id.subject(taskSubject)))
	})
}

// isTask reports whether the task with the given sequence number still exists. The task exists until an outcome is collected.
func (c *client) isTask(ctx context.Context, number uint64) (there bool, err error) {
	err = persist(ctx, patience, func() error {
		_, err := c.tasks.GetMsg(ctx, number)
		if there = err == nil; errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return there, err
}
