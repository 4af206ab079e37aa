package emulator

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/operation"
)

// The documents mention channels but do not describe their form, so channels have the same form as in the public service.

// channelLife is the default lifetime of a channel.
const channelLife = 7 * 24 * time.Hour

// maxChannels is the maximum number of open channels.
const maxChannels = 1000

// channel notifies an address of changes to a list.
type channel struct {
	ID          string       `json:"id"`
	Address     string       `json:"address"`
	Token       string       `json:"token,omitempty"`
	Expiration  string       `json:"expiration"` // in milliseconds since 1970
	ResourceID  string       `json:"resourceId"`
	ResourceURI string       `json:"resourceUri"`
	Operation   operation.ID `json:"operation"`
	Watched     string       `json:"watched"` // the calendar or user whose list is watched
	User        string       `json:"user"`    // the user who created the channel
}

// expires returns the time at which a channel ends.
func (ch *channel) expires() time.Time {
	at, _ := strconv.ParseInt(ch.Expiration, 10, 64) // always valid, because newChannel wrote the value
	return time.UnixMilli(at)
}

func (ch *channel) ended(now time.Time) bool { return now.After(ch.expires()) }

// list identifies a list that channels watch, by the watch operation and by the calendar or user to which the list belongs.
type list struct {
	operation operation.ID
	of        string
}

// channels contains the decoded stored channels. A change can therefore find the watchers of a list without reading all
// channels. [channels.load] fills channels.
type channels struct {
	byID   map[string]*channel
	byList map[list]map[string]*channel
}

// load replaces the channels with the stored channels.
func (cs *channels) load(v *state.View) {
	*cs = channels{byID: map[string]*channel{}, byList: map[list]map[string]*channel{}}
	for _, r := range v.All(state.Channels, "") {
		cs.update(v, r.ID)
	}
}

// update updates the channel with the given id to its stored state, and returns the channel, or nil if the channel was removed.
func (cs *channels) update(v *state.View, id string) *channel {
	if was := cs.byID[id]; was != nil {
		of := list{was.Operation, was.Watched}
		delete(cs.byID, id)
		if delete(cs.byList[of], id); len(cs.byList[of]) == 0 {
			delete(cs.byList, of)
		}
	}
	r, ok := v.Get(state.Channels, "", id)
	if !ok {
		return nil
	}
	ch := new(channel)
	if err := json.Unmarshal(r.Value, ch); err != nil {
		return nil // stored by another version of the emulator
	}
	of := list{ch.Operation, ch.Watched}
	if cs.byList[of] == nil {
		cs.byList[of] = map[string]*channel{}
	}
	cs.byID[id], cs.byList[of][id] = ch, ch
	return ch
}

// watching yields the channels that watch the list to which a key belongs. For a calendar, watching yields the channels that
// watch the calendar lists with that calendar.
func (cs *channels) watching(v *state.View, k state.Key) iter.Seq[*channel] {
	switch k.Kind {
	case state.Event:
		return maps.Values(cs.byList[list{operation.EventsWatch, k.Owner}])
	case state.ACL:
		return maps.Values(cs.byList[list{aclWatch, k.Owner}])
	case state.List:
		return maps.Values(cs.byList[list{calendarListWatch, k.Owner}])
	case state.Calendars:
		return func(yield func(*channel) bool) {
			for of, all := range cs.byList {
				if _, has := v.Get(state.List, of.of, k.ID); of.operation == calendarListWatch && has {
					for _, ch := range all {
						if !yield(ch) {
							return
						}
					}
				}
			}
		}
	default:
		return func(func(*channel) bool) {}
	}
}

const (
	aclWatch          operation.ID = "acl.watch"
	calendarListWatch operation.ID = "calendarList.watch"
)

// watch handles the operations that watch a list.
func (s *Server) watch(c *call) (answer reply, err error) {
	body, err := c.body()
	if err != nil {
		return reply{}, err
	}
	if isLoopback(body.text("address")) { // in tests, the local address may use plain HTTP
		secure := maps.Clone(body)
		secure["address"] = "https://localhost/"
		c.Request.Body = encode(secure)
	}
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	ends := c.channelEnd(body)
	watched := c.token.Email
	err = s.change(func(tx *state.Tx) error {
		if c.Params["calendarId"] != "" {
			cal, err := s.open(tx.View, c, reader)
			if err != nil {
				return err
			}
			watched = cal.id
		}
		alive := maxChannels
		for _, ch := range s.channels.byID {
			if ch.ended(c.now) {
				tx.Remove(state.Channels, "", ch.ID)
				continue
			}
			alive--
		}
		if taken := s.channels.byID[body.text("id")]; taken != nil && !taken.ended(c.now) {
			return refused(http.StatusBadRequest, "channelIdNotUnique", "/id: There is a channel with the id %q.", body.text("id"))
		}
		if alive <= 0 {
			return refused(http.StatusForbidden, "quotaExceeded", "There are %d channels, the most that the emulator has at a time. Stop some, or wait until they expire.", maxChannels)
		}
		ch := c.newChannel(body, ends, watched)
		tx.Put(state.Channels, "", ch.ID, encode(ch))
		shown := resource{"kind": "api#channel", "id": ch.ID, "expiration": ch.Expiration, "resourceId": ch.ResourceID, "resourceUri": ch.ResourceURI}
		if ch.Token != "" {
			shown["token"] = ch.Token
		}
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

// channelEnd returns the time at which the channel described by a body ends: its expiration or the end of its ttl,
// whichever is earlier.
func (c *call) channelEnd(body resource) time.Time {
	ends := c.now.Add(channelLife)
	if seconds, err := strconv.ParseInt(fmt.Sprint(body.object("params")["ttl"]), 10, 32); err == nil && seconds > 0 {
		ends = c.now.Add(time.Duration(seconds) * time.Second)
	}
	if at, err := strconv.ParseInt(fmt.Sprint(body["expiration"]), 10, 64); err == nil && time.UnixMilli(at).Before(ends) {
		ends = time.UnixMilli(at)
	}
	return ends
}

// newChannel returns the channel described by a body.
func (c *call) newChannel(body resource, ends time.Time, watched string) *channel {
	h := fnv.New64a()
	fmt.Fprint(h, c.Operation.ID, " ", watched)
	return &channel{
		ID: body.text("id"), Address: body.text("address"), Token: body.text("token"),
		Expiration: strconv.FormatInt(ends.UnixMilli(), 10), ResourceID: strconv.FormatUint(h.Sum64(), 36),
		ResourceURI: address(c.http) + strings.TrimSuffix(c.http.URL.EscapedPath(), "/watch") + "?alt=json",
		Operation:   c.Operation.ID, Watched: watched, User: c.token.Email,
	}
}

// stopChannel handles channels.stop.
func (s *Server) stopChannel(c *call) (reply, error) {
	body, err := s.checkedBody(c)
	if err != nil {
		return reply{}, err
	}
	err = s.change(func(tx *state.Tx) error {
		if ch := s.channels.byID[body.text("id")]; ch == nil || ch.ResourceID != body.text("resourceId") || ch.User != c.token.Email {
			return refused(http.StatusNotFound, "notFound", "There is no channel %q with this resourceId.", body.text("id"))
		}
		tx.Remove(state.Channels, "", body.text("id"))
		return nil
	})
	return reply{}, err
}
