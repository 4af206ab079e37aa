package event

import (
	"errors"
	"iter"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

// Page is a page of events, as returned by events.list and events.instances. A zero field means that the member is
// absent. Source: the public service's reference, Events: list.
type Page struct {
	Kind             string     `json:"kind,omitzero"`        // the constant "calendar#events"
	ETag             string     `json:"etag,omitzero"`        // the entity tag of the collection
	Summary          string     `json:"summary,omitzero"`     // the title of the calendar
	Description      string     `json:"description,omitzero"` // the description of the calendar
	Updated          string     `json:"updated,omitzero"`     // the time of the calendar's last change (RFC 3339)
	TimeZone         string     `json:"timeZone,omitzero"`    // the zone of the calendar
	AccessRole       string     `json:"accessRole,omitzero"`  // the caller's access role
	DefaultReminders []Reminder `json:"defaultReminders,omitzero"`
	NextPageToken    string     `json:"nextPageToken,omitzero"` // absent on the last page
	NextSyncToken    string     `json:"nextSyncToken,omitzero"` // only on the last page
	Items            []Event    `json:"items,omitzero"`

	extra object.Extra
}

// pageTable returns the table of [Page], which the first call makes.
var pageTable = sync.OnceValue(func() *object.Table[*Page] {
	return object.NewTable(func(p *Page) *object.Extra { return &p.extra },
		object.String("kind", func(p *Page) *string { return &p.Kind }),
		object.String("etag", func(p *Page) *string { return &p.ETag }),
		object.String("summary", func(p *Page) *string { return &p.Summary }),
		object.String("description", func(p *Page) *string { return &p.Description }),
		object.String("updated", func(p *Page) *string { return &p.Updated }),
		object.String("timeZone", func(p *Page) *string { return &p.TimeZone }),
		object.String("accessRole", func(p *Page) *string { return &p.AccessRole }),
		object.Array("defaultReminders", func(p *Page) *[]Reminder { return &p.DefaultReminders }, tables().reminder),
		object.String("nextPageToken", func(p *Page) *string { return &p.NextPageToken }),
		object.String("nextSyncToken", func(p *Page) *string { return &p.NextSyncToken }),
		object.Array("items", func(p *Page) *[]Event { return &p.Items }, tables().event),
	)
})

// pageLimits are the limits of a page. The limits allow 2,500 events, the most that a client can request, each 100 KB long.
// An event in a page may be nested as deeply as a single event.
var pageLimits = object.Limits{Bytes: 256 << 20, Elements: 10_000_000, Depth: constraint.JSONMaxDepth + 2}

// DecodePage is like [Decode], but for a page of events. The path of a finding about an event begins with the event's
// path, such as "/items/3". A page may be at most 256 MiB long, and may contain at most 10,000,000 members and elements.
func DecodePage(text []byte, in diag.Dialect) (*Page, diag.Findings) {
	p := new(Page)
	return p, jsonrule.Findings(in, pageTable().Decode(text, p, object.Reading{Dialect: in, Foreign: &dialectMixed, Limits: pageLimits}))
}

// MarshalJSON is like [Event.MarshalJSON].
func (p Page) MarshalJSON() ([]byte, error) { return pageTable().Append(nil, &p), nil }

// Equal is like [Event.Equal].
func (p Page) Equal(other Page) bool { return pageTable().Equal(&p, &other) }

// String is like [Event.String].
func (p Page) String() string { return string(pageTable().Append(nil, &p)) }

// UnmarshalJSON replaces p with the decoded page, as [Event.UnmarshalJSON] does for an event.
func (p *Page) UnmarshalJSON(text []byte) error {
	if p == nil {
		return errors.New("the page to decode into is nil")
	}
	*p = Page{}
	return jsonrule.Findings(diag.Documents, pageTable().Decode(text, p, object.Reading{Limits: pageLimits})).Err()
}

// AppendIn appends the page to dst as JSON with the names of the given dialect, or null for a nil page. [DecodePage] is
// the inverse.
func (p *Page) AppendIn(in diag.Dialect, dst []byte) []byte {
	if p == nil {
		return append(dst, "null"...)
	}
	return pageTable().AppendIn(in, dst, p)
}

// Pages returns an iterator over the pages of a list. Pages calls fetch with the pageToken of each page, which is "" for the
// first page; the other parameters must stay the same. Only the last page has a NextSyncToken. Iteration ends at the first
// error: an error from fetch, a missing page, or a page whose NextPageToken is its own token.
func Pages(fetch func(pageToken string) (*Page, error)) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		for token, more := "", true; more; {
			page, err := fetchPage(fetch, token)
			if err != nil {
				yield(nil, err)
				return
			}
			token = page.NextPageToken
			more = yield(page, nil) && token != ""
		}
	}
}

// fetchPage returns the page for the given token.
func fetchPage(fetch func(pageToken string) (*Page, error), token string) (*Page, error) {
	if fetch == nil {
		return nil, errors.New("the function that gets a page is nil")
	}
	page, err := fetch(token)
	switch {
	case err != nil:
		return nil, err
	case page == nil:
		return nil, errors.New("there is no page")
	case token != "" && page.NextPageToken == token:
		return nil, errors.New("the page names itself as the next page")
	}
	return page, nil
}
