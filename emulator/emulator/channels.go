package emulator

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/emulator/internal/state"
)

// The documents mention channels but do not show them. They have the form that the public service gives them.

// channelLife is how long a channel lives if its request does not say.
const channelLife = 7 * 24 * time.Hour

// watch answers the operations that watch a list.
func (s *Server) watch(c *call) (answer reply, err error) {
	body, err := c.body()
	if err != nil {
		return reply{}, err
	}
	checker, secure := s.checker, body
	if isLoopback(body.text("address")) { // tests have no certificate
		checker.Grading = checker.Grading.With(map[string]string{ruleid.WatchChannel: string(diag.Advise)})
		secure = maps.Clone(body)
		secure["address"] = "https://localhost/"
	}
	if err := cmp.Or(c.Check(&checker, nil), s.valid(c, c.Operation.ID, secure)); err != nil {
		return reply{}, err
	}
	ends, err := c.channelEnd(body)
	if err != nil {
		return reply{}, err
	}
	watched := c.token.Email
	err = s.change(func(tx *state.Tx) error {
		if c.Params["calendarId"] != "" {
			cal, err := s.open(tx.View, c, reader)
			if err != nil {
				return err
			}
			watched = cal.id
		}
		for _, r := range tx.All(state.Channels, "") {
			if ended(decode(r.Value), c.now) {
				tx.Remove(state.Channels, "", r.ID)
			}
		}
		if taken, ok := tx.Get(state.Channels, "", body.text("id")); ok && !ended(decode(taken.Value), c.now) {
			return refused(http.StatusBadRequest, "channelIdNotUnique", "/id: There is a channel with the id %q.", body.text("id"))
		}
		channel := c.newChannel(body, ends, watched)
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
	return answer, err
}

// isLoopback reports whether a URL names a server on this machine.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// channelEnd returns when the channel that a body describes ends: at its expiration or after its ttl, whichever is
// earlier.
func (c *call) channelEnd(body resource) (time.Time, error) {
	ends := c.now.Add(channelLife)
	if params, _ := body["params"].(map[string]any); params["ttl"] != nil {
		seconds, err := strconv.ParseInt(fmt.Sprint(params["ttl"]), 10, 32)
		if err != nil || seconds < 1 {
			return ends, refused(http.StatusBadRequest, "invalid", "/params/ttl: The ttl is %v; it must be a positive number of seconds.", params["ttl"])
		}
		ends = c.now.Add(time.Duration(seconds) * time.Second)
	}
	if body["expiration"] != nil {
		at, err := strconv.ParseInt(fmt.Sprint(body["expiration"]), 10, 64)
		if err != nil || !time.UnixMilli(at).After(c.now) {
			return ends, refused(http.StatusBadRequest, "invalid", "/expiration: The expiration is %v; it must be a time in the future, in milliseconds since 1970.", body["expiration"])
		}
		if time.UnixMilli(at).Before(ends) {
			ends = time.UnixMilli(at)
		}
	}
	return ends, nil
}

// newChannel returns the channel that a body describes.
func (c *call) newChannel(body resource, ends time.Time, watched string) resource {
	channel := resource{}
	for _, name := range []string{"id", "address", "token", "params"} {
		if body[name] != nil {
			channel[name] = body[name]
		}
	}
	h := fnv.New64a()
	fmt.Fprint(h, c.Operation.ID, " ", watched)
	channel["expiration"] = strconv.FormatInt(ends.UnixMilli(), 10)
	channel["resourceId"] = strconv.FormatUint(h.Sum64(), 36)
	channel["resourceUri"] = address(c.http) + strings.TrimSuffix(c.http.URL.EscapedPath(), "/watch") + "?alt=json"
	channel["operation"], channel["watched"], channel["user"] = string(c.Operation.ID), watched, c.token.Email
	return channel
}

// stopChannel answers channels.stop.
func (s *Server) stopChannel(c *call) (reply, error) {
	body, err := s.checkedBody(c)
	if err != nil {
		return reply{}, err
	}
	err = s.change(func(tx *state.Tx) error {
		r, ok := tx.Get(state.Channels, "", body.text("id"))
		if channel := decode(r.Value); !ok || channel.text("resourceId") != body.text("resourceId") || channel.text("user") != c.token.Email {
			return refused(http.StatusNotFound, "notFound", "There is no channel %q with this resourceId.", body.text("id"))
		}
		tx.Remove(state.Channels, "", body.text("id"))
		return nil
	})
	return reply{}, err
}
