package aim

import (
	"fmt"
	"net/http"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// The operations that delete a calendar, or transfer it to another user.
const (
	deletesCalendar operation.ID = "calendars.delete"
	givesCalendar   operation.ID = "calendars.transferOwnership"
)

// spendsCalendar reports whether a story deletes or transfers its calendar. A story that spends its calendar creates one first.
func (s *story) spendsCalendar() bool {
	return s.op == deletesCalendar || s.op == givesCalendar
}

// makeCalendar creates a calendar and returns its id, or "" on failure.
func (r *run) makeCalendar(o *outcome) string {
	x := r.request(r.ctx, o, &event.Request{Op: "calendars.insert", Body: draw.EncodeJSON(tree{"summary": "Made by calrules " + r.prefix()})})
	id := textAt(decoded(x.answer), "id")
	if !x.succeeded() || id == r.Calendar || id == r.Second {
		id = ""
	}
	if id == "" {
		o.notTried = "the server does not create a calendar"
	}
	return id
}

// readCalendar checks the effect of an accepted request on a calendar: the calendar must be gone, or must have a different
// owner.
func (r *run) readCalendar(o *outcome, done *sent, calendar string) {
	if o.isOver() || !done.succeeded() {
		return
	}
	x := r.requestIn(r.ctx, calendar, o, &event.Request{Op: "calendars.get"})
	if x == nil || x.problem != "" {
		return
	}
	heir, is := done.params("newDataOwner"), textAt(decoded(x.answer), "dataOwner")
	switch {
	case o.story.op == deletesCalendar && x.status == http.StatusOK:
		o.lose(x, "", "the calendar still exists after its deletion.")
	case o.story.op == givesCalendar && x.status == http.StatusOK && is != "" && is != heir:
		o.lose(x, "/dataOwner", fmt.Sprintf("the calendar was transferred to %s, but belongs to %s.", heir, is))
	}
}
