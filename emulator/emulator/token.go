package emulator

import (
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/calrules/calrules/emulator/internal/state"
)

// syncToken is the state of a client that has read all pages of a list, and needs only later changes.
type syncToken struct {
	List   string         `json:"l"` // the list
	Since  state.Revision `json:"r"`
	Issued int64          `json:"t"` // in seconds since 1970

	// The following members are only for lists of events: the caller's view of the events, the window of the first list, and the
	// end of its expansions.
	Sight  string     `json:"v,omitempty"`
	Single bool       `json:"s,omitempty"`
	From   *time.Time `json:"f,omitempty"`
	Max    *time.Time `json:"m,omitempty"` // timeMax
	To     *time.Time `json:"u,omitempty"` // the end of expansions
}

// pageToken identifies the position after the last item of a page.
type pageToken struct {
	Query uint64         `json:"q"`
	After key            `json:"k"`
	Now   state.Revision `json:"r"`           // the revision of the first page; later changes are for the next synchronization
	To    *time.Time     `json:"u,omitempty"` // the end of expansions
}

// key orders the items of a list.
type key struct {
	Major, Minor, Least int64
	ID                  string
}

func encodeToken(v any) string { return base64.RawURLEncoding.EncodeToString(encode(v)) }

func decodeToken(text string, into any) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && json.Unmarshal(raw, into) == nil
}

// page decodes the page token of a request, or returns false if there is no page token.
func (c *call) page(v *state.View) (p pageToken, ok bool, err error) {
	text := c.query("pageToken")
	if text == "" {
		return p, false, nil
	}
	if !decodeToken(text, &p) || p.Query != c.queryHash() || p.Now < v.Cleared() || p.Now > v.Revision() {
		return p, false, refused(http.StatusBadRequest, "invalid", "The pageToken is not one of a list with the same parameters.")
	}
	return p, true, nil
}

// sync decodes the sync token of a request, or returns false if there is no sync token.
func (s *Server) sync(v *state.View, c *call, list string) (t syncToken, ok bool, err error) {
	text := c.query("syncToken")
	if text == "" || !c.Operation.HasParam("syncToken") {
		return t, false, nil
	}
	if !decodeToken(text, &t) || t.List != list {
		return t, false, refused(http.StatusBadRequest, "invalid", "The syncToken is not one of this list.")
	}
	if t.Since < v.Cleared() || t.Since > v.Revision() || c.now.Sub(time.Unix(t.Issued, 0)) > s.syncLife {
		return t, false, tooOld()
	}
	return t, true, nil
}

// tooOld returns the refusal of a sync token that is too old to determine the later changes.
func tooOld() error {
	return refused(http.StatusGone, "fullSyncRequired", "The syncToken is no longer valid. Do a full synchronization.")
}

// queryHash returns a hash of the path and the parameters that must be the same for all pages of a list.
func (c *call) queryHash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(c.http.URL.EscapedPath()))
	for _, name := range slices.Sorted(maps.Keys(c.Request.Params)) {
		if name == "pageToken" || name == "maxResults" {
			continue
		}
		h.Write(encode([]any{name, c.Request.Params[name]}))
	}
	return h.Sum64()
}
