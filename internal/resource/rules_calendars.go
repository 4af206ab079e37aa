package resource

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/wording"
)

// needSummary is the set of operations that require a calendar to have a summary.
const needSummary = diag.CalendarsInsert | diag.CalendarsUpdate

var calendarBody = diag.Rule{
	ID: "calendars.body", Kind: diag.Reject, When: needSummary | diag.CalendarsPatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "An inserted or updated calendar must have a summary, and the timeZone of a calendar, if present, must be a name in the " +
		"IANA Time Zone Database.",
	Section: sectionObserved,
	Seen:    `An insert or an update without a summary gets 400: "Missing title."`,
	Reported: []string{
		"googleapis/google-api-nodejs-client#477", "googleapis/google-api-nodejs-client#1399", "googleapis/google-api-nodejs-client#481",
		"benjcunningham/googlecalendar#3",
	},
	OnlyIn: new(diag.Google),
	Good:   request{"calendars.insert", `{"summary":"Team","timeZone":"Europe/Berlin"}`},
	Bad:    request{"calendars.insert", `{"summary":"Team","timeZone":"Berlin"}`},
	Says:   slices.Concat(constraint.SaysRequired(nil), constraint.IANAZone.Says()),
	Check:  of(checkCalendar),
}

func checkCalendar(in *input, c *Calendar, r engine.Reporter) {
	if !c.extra.WasSent("summary") {
		in.require(r, "", text{"summary", c.Summary, &c.extra}, needSummary)
	}
	allow(r, "", text{"timeZone", c.TimeZone, &c.extra}, constraint.IANAZone)
}

var calendarLabels = diag.Rule{
	ID: "calendars.labels", Kind: diag.Reject, When: diag.CalendarsPatch | diag.CalendarsUpdate, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "A calendar must have at most 200 event labels, each with a backgroundColor, a different id and a name of at most 50 " +
		"characters.",
	Section:  sectionObserved,
	Seen:     "The reference states these limits.",
	Reported: []string{discoveryPage},
	Why:      "The labels in a request replace the stored labels. A new label needs no id; to keep a stored label, send its id.",
	OnlyIn:   new(diag.Google),
	Good:     request{"calendars.patch", `{"summary":"Team","labelProperties":{"eventLabels":[{"name":"Travel","backgroundColor":"#039be5"}]}}`},
	Bad:      request{"calendars.patch", `{"summary":"Team","labelProperties":{"eventLabels":[{"name":"Travel"}]}}`},
	Says: slices.Concat(constraint.SaysRequired(nil), constraint.CalendarLabelName.Says(), constraint.CalendarLabels.Says(), diag.Sentences{
		{Key: "repeated", Text: "The id {value} already appears at {first}. Send a different id, or leave it out to have one generated."},
	}),
	Check: of(checkLabels),
}

func checkLabels(in *input, c *Calendar, r engine.Reporter) {
	const at diag.Pointer = "/labelProperties/eventLabels"
	if c.LabelProperties == nil {
		return
	}
	labels := c.LabelProperties.EventLabels
	if n := int64(len(labels)); !constraint.CalendarLabels.HasInt(n) {
		constraint.CalendarLabels.ReportInt(r, at, "eventLabels", n)
	}
	firsts := make(map[string]int, len(labels))
	for i := range labels {
		l := &labels[i]
		if l.extra.Element() {
			continue
		}
		in.require(r, at.Index(i), text{"backgroundColor", l.BackgroundColor, &l.extra}, in.on)
		allow(r, at.Index(i), text{"name", l.Name, &l.extra}, constraint.CalendarLabelName)
		if first, again := firsts[l.ID]; again && l.ID != "" {
			r.Report(at.Index(i).Member("id"), "repeated", diag.Value("value", l.ID), wording.Text("first", string(at.Index(first))))
		} else {
			firsts[l.ID] = i
		}
	}
}
