package faults

import (
	"net/http"
	"strings"

	"github.com/calrules/calrules/diag/ruleid"
)

// harming contains faults that make even a careful client damage other events.
var harming = []Fault{
	{"id-of-another", "An insert is answered with the id of another event, which was there before.", ruleid.AnswerEffect, after(inserts, func(c *call) {
		if other := c.other(text(c.answer, "id")); other != nil {
			c.answer["id"] = other["id"]
		}
	})},
	{"delete-takes-another", "A DELETE of an event deletes another one, too.", ruleid.StatusDelete, after(deletes, func(c *call) {
		if other := c.other(c.id); other != nil {
			c.ask(http.MethodDelete, c.path(c.in, text(other, "id")), nil)
		}
	})},
	{"insert-finds-another", "An event with the summary and the start of another one is not kept, and the insert is answered with the other one. (calendar.md: the response of insert is the created event)",
		ruleid.AnswerEffect, on(inserts, func(c *call) {
			c.pass()
			created := c.answer
			for _, e := range objects(c.ask(http.MethodGet, c.path(c.in, ""), nil)["items"]) {
				from, _ := start(e)
				at, ok := start(created)
				if ok && from.Equal(at) && e["summary"] == created["summary"] && e["id"] != created["id"] {
					c.ask(http.MethodDelete, c.path(c.in, text(created, "id")), nil)
					c.answer = c.event(text(e, "id"))
					return
				}
			}
		})},
}

// other returns the oldest event in the calendar that is neither the event with the given id nor in the same series, or nil.
func (c *call) other(id string) object {
	for _, e := range objects(c.ask(http.MethodGet, c.path(c.in, ""), nil)["items"]) {
		isRelated := e["id"] == id || e["recurringEventId"] == id || strings.HasPrefix(id, text(e, "id")+"_")
		if !isRelated && e["status"] != "cancelled" {
			return e
		}
	}
	return nil
}
