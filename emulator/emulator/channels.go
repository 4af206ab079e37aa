package emulator

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/operation"
)

// The documents mention channels but not their form, which is that of the public service.

// channelLife is how long a channel lives if its request does not say.
const channelLife = 7 * 24 * time.Hour

// watch answers the operations that watch a list.
func (s *Server) watch(c *call) (answer reply, err error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	body, err := c.body()
	if err != nil {
		return reply{}, err
	}
	for _, name := range []string{"id", "type", "address"} {
		if err := body.require(name); err != nil {
			return reply{}, err
		}
	}
	if kind := body.text("type"); kind != "web_hook" && kind != "webhook" {
		return reply{}, refused(http.StatusBadRequest, "invalid", "/type: The type is %q; it must be web_hook.", kind)
	}
	var channel resource
	watched := c.token.Email
	err = s.state.Change(func(tx *state.Tx) error {
		if c.param("calendarId") != "" {
			cal, err := s.open(tx.View, c, reader)
			if err != nil {
				return err
			}
			watched = cal.id
		}
		if _, taken := tx.Get(state.Channels, "", body.text("id")); taken {
			return refused(http.StatusBadRequest, "channelIdNotUnique", "/id: There is a channel with the id %q.", body.text("id"))
		}
		channel = s.newChannel(c, body, watched)
		tx.Put(state.Channels, "", body.text("id"), encode(channel))
		shown := resource{}
		for _, name := range []string{"id", "token", "expiration", "resourceId", "resourceUri"} {
			if channel[name] != nil {
				shown[name] = channel[name]
			}
		}
		shown["kind"] = "api#channel"
		answer = reply{body: encode(shown)}
		return nil
	})
	if err == nil {
		s.send(channel, "sync")
	}
	return answer, err
}

// newChannel returns the channel that a body describes.
func (s *Server) newChannel(c *call, body resource, watched string) resource {
	channel := resource{}
	for _, name := range []string{"id", "address", "token", "params"} {
		if body[name] != nil {
			channel[name] = body[name]
		}
	}
	ends := c.now.Add(channelLife)
	if params, ok := body["params"].(map[string]any); ok {
		if seconds, err := strconv.ParseInt(fmt.Sprint(params["ttl"]), 10, 32); err == nil && seconds > 0 {
			ends = c.now.Add(time.Duration(seconds) * time.Second)
		}
	}
	if at, err := strconv.ParseInt(fmt.Sprint(body["expiration"]), 10, 64); err == nil && time.UnixMilli(at).Before(ends) {
		ends = time.UnixMilli(at)
	}
	h := fnv.New64a()
	fmt.Fprint(h, c.Operation.ID, " ", watched)
	channel["expiration"] = strconv.FormatInt(ends.UnixMilli(), 10)
	channel["resourceId"] = strconv.FormatUint(h.Sum64(), 36)
	channel["resourceUri"] = c.address() + strings.TrimSuffix(c.http.URL.EscapedPath(), "/watch") + "?alt=json"
	channel["operation"], channel["watched"], channel["user"] = string(c.Operation.ID), watched, c.token.Email
	return channel
}

// stopChannel answers channels.stop.
func (s *Server) stopChannel(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	body, err := c.body()
	if err != nil {
		return reply{}, err
	}
	err = s.state.Change(func(tx *state.Tx) error {
		r, ok := tx.Get(state.Channels, "", body.text("id"))
		if channel := decode(r.Value); !ok || channel.text("resourceId") != body.text("resourceId") || channel.text("user") != c.token.Email {
			return refused(http.StatusNotFound, "notFound", "There is no channel %q with this resourceId.", body.text("id"))
		}
		tx.Remove(state.Channels, "", body.text("id"))
		return nil
	})
	return reply{}, err
}

// changed notifies the channels that watch lists of calendars or users.
func (s *Server) changed(watching operation.ID, lists ...string) {
	now := s.now()
	s.state.Read(func(v *state.View) error { // never fails
		for _, r := range v.All(state.Channels, "") {
			channel := decode(r.Value)
			for _, list := range lists {
				if channel.text("operation") == string(watching) && channel.text("watched") == list && !ended(channel, now) {
					s.send(channel, "exists")
				}
			}
		}
		return nil
	})
}

func ended(channel resource, now time.Time) bool {
	at, err := strconv.ParseInt(channel.text("expiration"), 10, 64)
	return err == nil && now.After(time.UnixMilli(at))
}

// send sends a notification, without a body, and does not wait for the answer. If sending fails, the
// notification is lost.
func (s *Server) send(channel resource, what string) {
	r, err := http.NewRequest(http.MethodPost, channel.text("address"), http.NoBody)
	if err != nil {
		return
	}
	for name, value := range map[string]string{
		"X-Goog-Channel-ID": channel.text("id"), "X-Goog-Channel-Token": channel.text("token"), "X-Goog-Channel-Expiration": channel.text("expiration"),
		"X-Goog-Resource-ID": channel.text("resourceId"), "X-Goog-Resource-URI": channel.text("resourceUri"), "X-Goog-Resource-State": what,
		"X-Goog-Message-Number": strconv.FormatInt(s.messages.Add(1), 10),
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	s.sending.Go(func() {
		if resp, err := s.notify.Do(r); err == nil {
			resp.Body.Close()
		}
	})
}
