package emulator

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/calrules/calrules/emulator/internal/state"
)

// change calls f to change the state, and then notifies the channels that watch the changed lists.
func (s *Server) change(f func(*state.Tx) error) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	var keys []state.Key
	err := s.state.Change(func(tx *state.Tx) error {
		err := f(tx)
		keys = tx.Changed()
		return err
	})
	if err == nil {
		s.announce(keys)
	}
	return err
}

// announce notifies all new channels, and all channels that watch a list with one of the keys, notifying each channel only
// once.
func (s *Server) announce(keys []state.Key) {
	now, v := s.now(), s.state.View()
	told := map[*channel]bool{}
	for _, k := range keys {
		if k.Kind == state.Channels {
			if ch := s.channels.update(v, k.ID); ch != nil {
				s.send(ch, "sync", firstMessage)
				told[ch] = true
			}
		}
	}
	for _, k := range keys {
		for ch := range s.channels.watching(v, k) {
			if !told[ch] && !ch.ended(now) {
				s.send(ch, "exists", firstMessage+int64(v.Revision()))
				told[ch] = true
			}
		}
	}
}

// firstMessage is the number of the first notification on a channel. Later notifications have greater numbers, which
// increase with every change, even after a restart.
const firstMessage = 1

// send sends a notification without a body, and does not wait for a response. If sending fails, the notification is lost.
func (s *Server) send(ch *channel, what string, number int64) {
	r, err := http.NewRequest(http.MethodPost, ch.Address, http.NoBody)
	if err != nil {
		return // watch refuses such addresses
	}
	for name, value := range map[string]string{
		"X-Goog-Channel-ID": ch.ID, "X-Goog-Channel-Token": ch.Token, "X-Goog-Channel-Expiration": ch.expires().UTC().Format(http.TimeFormat),
		"X-Goog-Resource-ID": ch.ResourceID, "X-Goog-Resource-URI": ch.ResourceURI, "X-Goog-Resource-State": what,
		"X-Goog-Message-Number": strconv.FormatInt(number, 10),
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	s.notifier.add(ch.ID, r)
}

// sameOrigin returns a copy of c that does not follow redirects to other origins, which would learn the channel's token.
func sameOrigin(c *http.Client) *http.Client {
	client := *c
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if first := via[0].URL; r.URL.Scheme != first.Scheme || r.URL.Host != first.Host {
			return http.ErrUseLastResponse
		}
		if c.CheckRedirect != nil {
			return c.CheckRedirect(r, via)
		}
		if len(via) == maxRedirects {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &client
}

// maxRedirects is the maximum number of redirects for a notification, equal to the default in net/http.
const maxRedirects = 10

// maxWaiting is the maximum number of notifications waiting on a channel. Further notifications are lost.
const maxWaiting = 100

// notifier sends the notifications of each channel one at a time. The zero value is ready to use.
type notifier struct {
	client *http.Client

	mu      sync.Mutex
	waiting map[string][]*http.Request // maps a channel to queued notifications; has an entry while notifications are being sent
	closed  bool
	sending sync.WaitGroup
}

func (n *notifier) add(channel string, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	queue, isSending := n.waiting[channel]
	if n.closed || len(queue) == maxWaiting {
		return
	}
	if n.waiting == nil {
		n.waiting = map[string][]*http.Request{}
	}
	n.waiting[channel] = append(queue, r)
	if !isSending {
		n.sending.Go(func() { n.serve(channel) })
	}
}

// serve sends the notifications on a channel until none are waiting.
func (n *notifier) serve(channel string) {
	for r := n.next(channel); r != nil; r = n.next(channel) {
		if resp, err := n.client.Do(r); err == nil {
			resp.Body.Close()
		}
	}
}

// next returns the next notification of a channel, or nil if there is none.
func (n *notifier) next(channel string) *http.Request {
	n.mu.Lock()
	defer n.mu.Unlock()
	queue := n.waiting[channel]
	if n.closed || len(queue) == 0 {
		delete(n.waiting, channel)
		return nil
	}
	n.waiting[channel] = queue[1:]
	return queue[0]
}

// close waits for the notifications that are being sent. Queued notifications are lost.
func (n *notifier) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.sending.Wait()
}
