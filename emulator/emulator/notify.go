package emulator

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/operation"
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

// announce notifies the channels that watch a list with one of the keys, and the new channels.
func (s *Server) announce(keys []state.Key) {
	now := s.now()
	s.state.Read(func(v *state.View) error { // never fails
		for _, r := range v.All(state.Channels, "") {
			channel := decode(r.Value)
			switch isNew := slices.Contains(keys, state.Key{Kind: state.Channels, ID: r.ID}); {
			case isNew:
				s.send(channel, "sync", firstMessage)
			case !ended(channel, now) && watches(v, channel, keys):
				s.send(channel, "exists", firstMessage+int64(v.Revision()))
			}
		}
		return nil
	})
}

// watches reports whether a channel watches a list with one of the keys. A calendar is in the calendar lists that
// have it.
func watches(v *state.View, channel resource, keys []state.Key) bool {
	list := channel.text("watched")
	for _, k := range keys {
		var is bool
		switch operation.ID(channel.text("operation")) {
		case operation.EventsWatch:
			is = k.Kind == state.Event && k.Owner == list
		case "acl.watch":
			is = k.Kind == state.ACL && k.Owner == list
		case "calendarList.watch":
			if is = k.Kind == state.List && k.Owner == list; k.Kind == state.Calendars {
				_, is = v.Get(state.List, list, k.ID)
			}
		}
		if is {
			return true
		}
	}
	return false
}

// expiration returns when a channel ends.
func expiration(channel resource) time.Time {
	at, _ := strconv.ParseInt(channel.text("expiration"), 10, 64) // watch has written it
	return time.UnixMilli(at)
}

func ended(channel resource, now time.Time) bool { return now.After(expiration(channel)) }

// firstMessage is the number of the first notification of a channel. The others have greater numbers, which increase with
// every change, even after a restart.
const firstMessage = 1

// send sends a notification, without a body, and does not wait for the answer. If sending fails, the
// notification is lost.
func (s *Server) send(channel resource, what string, number int64) {
	r, err := http.NewRequest(http.MethodPost, channel.text("address"), http.NoBody)
	if err != nil {
		return // watch has refused such an address
	}
	for name, value := range map[string]string{
		"X-Goog-Channel-ID": channel.text("id"), "X-Goog-Channel-Token": channel.text("token"),
		"X-Goog-Channel-Expiration": expiration(channel).UTC().Format(http.TimeFormat),
		"X-Goog-Resource-ID":        channel.text("resourceId"), "X-Goog-Resource-URI": channel.text("resourceUri"), "X-Goog-Resource-State": what,
		"X-Goog-Message-Number": strconv.FormatInt(number, 10),
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	s.notifier.add(channel.text("id"), r)
}

// sameOrigin returns a client that follows no redirect to another origin, which would learn the token of the channel.
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

// maxRedirects is how many redirects of a notification are followed, as net/http does by default.
const maxRedirects = 10

// maxWaiting is the maximum number of notifications of a channel that wait. Further ones are lost.
const maxWaiting = 100

// notifier sends the notifications of each channel one after the other. The zero value is ready to use.
type notifier struct {
	client *http.Client

	mu      sync.Mutex
	waiting map[string][]*http.Request // by channel; a channel whose notifications are being sent has an entry
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

// serve sends the notifications of a channel until none waits.
func (n *notifier) serve(channel string) {
	for r := n.next(channel); r != nil; r = n.next(channel) {
		if resp, err := n.client.Do(r); err == nil {
			resp.Body.Close()
		}
	}
}

// next returns the next notification of a channel, or nil.
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

// close waits for the notifications that are being sent. Notifications that wait are lost.
func (n *notifier) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.sending.Wait()
}
