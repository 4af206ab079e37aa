package main

import (
	"context"
	"errors"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// maxPayload is the maximum length of a message in the embedded broker, which suffices for a line of the maximum length and its
// headers.
const maxPayload = 17 << 20

// broker is a NATS server with JetStream that runs in this process.
type broker struct {
	server *server.Server
	url    string
	remove string // a temporary directory to remove, or ""
}

// startBroker starts a broker and sets up the queue. With --store, the state survives restarts.
func startBroker(ctx context.Context, o options) (*broker, error) {
	host, text, err := net.SplitHostPort(o.listen)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	b := &broker{}
	if o.store == "" {
		if o.store, err = os.MkdirTemp("", "calrules-nats-"); err != nil {
			return nil, err
		}
		b.remove = o.store
	}
	b.server, err = server.NewServer(&server.Options{
		Host: host, Port: port, JetStream: true, StoreDir: o.store, MaxPayload: maxPayload, NoSigs: true, NoLog: true,
	})
	if err != nil {
		b.stop()
		return nil, err
	}
	go b.server.Start()
	const patience = time.Minute // enough to recover a large store
	if !b.server.ReadyForConnections(patience) {
		b.stop()
		return nil, errors.New("the broker does not start")
	}
	b.url = b.server.ClientURL()
	if err := setUp(ctx, b.url, o.ackWait); err != nil {
		b.stop()
		return nil, err
	}
	return b, nil
}

func (b *broker) stop() {
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
	if b.remove != "" {
		os.RemoveAll(b.remove)
	}
}

// setUp creates or updates the streams and the consumer.
func setUp(ctx context.Context, url string, ackWait time.Duration) error {
	c, err := dial(ctx, url, reach)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.setUp(ctx, ackWait)
}
