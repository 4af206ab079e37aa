package event

import (
	"github.com/calrules/calrules/internal/form"
)

// pairer pairs sent elements with stored elements that have the same key. If several elements have the same key, they
// are paired in order.
type pairer struct {
	stored map[string][]int // the remaining indexes, by key
}

func (p *pairer) add(key string, index int) {
	if key == "" {
		return
	}
	if p.stored == nil {
		p.stored = map[string][]int{}
	}
	p.stored[key] = append(p.stored[key], index)
}

// take returns the next free index with the given key, or -1 if there is none, and removes the indexes that it skips.
func (p *pairer) take(key string, free func(int) bool) int {
	list := p.stored[key]
	for len(list) > 0 {
		index := list[0]
		list = list[1:]
		p.stored[key] = list
		if free(index) {
			return index
		}
	}
	return -1
}

// pairAttendees returns the index of the matching stored attendee for each attendee sent, or -1 if there is none. Attendees
// match if they have the same address or, if either has no address, the same id. The result is nil if there are no pairs.
func pairAttendees(sent, stored []Attendee) []int {
	switch {
	case len(stored) == 0 || len(sent) == 0:
		return nil
	case sameAddresses(sent, stored):
		pairs := make([]int, len(sent))
		for i := range pairs {
			pairs[i] = i
		}
		return pairs
	}
	return pairByKeys(sent, stored)
}

// sameAddresses reports whether two lists have the same addresses in the same order, as most lists that are sent back do.
// Attendees in lists with the same addresses are paired by index; even repeated addresses are then paired in order.
func sameAddresses(a, b []Attendee) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Email == "" || a[i].Email != b[i].Email {
			return false
		}
	}
	return true
}

// pairByKeys returns the result of pairAttendees for any two lists.
func pairByKeys(sent, stored []Attendee) []int {
	var byAddress, byID, byIDAlone pairer
	for i := range stored {
		byAddress.add(foldAddress(stored[i].Email), i)
		byID.add(stored[i].ID, i)
		if stored[i].Email == "" {
			byIDAlone.add(stored[i].ID, i)
		}
	}
	taken := make([]bool, len(stored))
	free := func(k int) bool { return !taken[k] }
	pairs := make([]int, len(sent))
	for i := range sent {
		a := &sent[i]
		k := byAddress.take(foldAddress(a.Email), free)
		switch {
		case k >= 0:
		case a.Email == "":
			k = byID.take(a.ID, free)
		default:
			k = byIDAlone.take(a.ID, free)
		}
		if pairs[i] = k; k >= 0 {
			taken[k] = true
		}
	}
	return pairs
}

// pairAttachments returns the index of the stored attachment with the same file for each attachment sent, or -1 if
// there is none.
func pairAttachments(sent, stored []Attachment) []int {
	var byFile pairer
	for i := range stored {
		byFile.add(fileKey(&stored[i]), i)
	}
	pairs := make([]int, len(sent))
	for i := range sent {
		pairs[i] = byFile.take(fileKey(&sent[i]), func(int) bool { return true })
	}
	return pairs
}

// fileKey returns the URL of an attachment's file or, without a URL, a key for the file id.
func fileKey(a *Attachment) string {
	if a.FileURL != "" || a.FileID == "" {
		return a.FileURL
	}
	return "id " + a.FileID
}

// partner returns the stored element that is paired with element i, or nil.
func partner[T any](stored []T, pairs []int, i int) *T {
	if pairs == nil || pairs[i] < 0 {
		return nil
	}
	return &stored[pairs[i]]
}

// storedFor returns the stored attendee that matches attendee i of the body, or nil.
func (c *change) storedFor(i int) *Attendee {
	if c.pairs == nil {
		c.pairs = pairAttendees(c.sent.Attendees, c.stored.Attendees)
	}
	return partner(c.stored.Attendees, c.pairs, i)
}

// was returns the stored attendee that matches attendee i of the next event, or nil if the attendee is added.
func (c *change) was(i int) *Attendee {
	if c.newPairs == nil {
		c.newPairs = pairAttendees(c.next.Attendees, c.stored.Attendees)
	}
	return partner(c.stored.Attendees, c.newPairs, i)
}

// findAttendee returns the attendee with the given address, or nil.
func findAttendee(attendees []Attendee, email string) *Attendee {
	if email == "" {
		return nil
	}
	for i := range attendees {
		if isAddressed(&attendees[i], email) {
			return &attendees[i]
		}
	}
	return nil
}

// sentFor returns the index of the first attendee in the body with the address of the stored attendee. If there is none,
// sentFor returns the index of the first attendee that has the same id and no address, or -1 if there is no such attendee.
func (c *change) sentFor(stored *Attendee) int {
	if c.sentByAddress == nil {
		c.indexSent()
	}
	if at, ok := c.sentByAddress[foldAddress(stored.Email)]; ok {
		return at
	}
	if at, ok := c.sentByID[stored.ID]; ok {
		return at
	}
	return -1
}

// isSent reports whether [change.sentFor] finds an attendee for stored attendee i.
func (c *change) isSent(i int) bool {
	stored, sent := &c.stored.Attendees[i], c.sent.Attendees
	return i < len(sent) && isAddressed(&sent[i], stored.Email) || c.sentFor(stored) >= 0 // most lists are sent back in order
}

// indexSent builds the maps for [change.sentFor].
func (c *change) indexSent() {
	sent := c.sent.Attendees
	c.sentByAddress = make(map[string]int, len(sent))
	addFirsts(c.sentByAddress, sent)
	for i := len(sent) - 1; i >= 0; i-- {
		if a := &sent[i]; a.Email == "" && a.ID != "" {
			if c.sentByID == nil {
				c.sentByID = map[string]int{}
			}
			c.sentByID[a.ID] = i
		}
	}
}

// isAddressed reports whether the attendee has the given address. An empty address matches no attendee.
func isAddressed(a *Attendee, email string) bool {
	return email != "" && form.SameAddress(a.Email, email)
}
