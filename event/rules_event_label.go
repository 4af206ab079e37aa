package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

// labelVersion1 is the params member of a request with eventLabelVersion=1.
const labelVersion1 = `"params":{"eventLabelVersion":"1"}`

var labelKnown = diag.Rule{
	ID: "event.label.known", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventLabelId"},
	Summary: "The eventLabelId must be an entry in the calendar's labelProperties.eventLabels.",
	Section: sectionEvent + ", eventLabelId",
	Why: "The rule is checked only if the caller supplies the ids of the calendar's labels. A patch or an update of an unknown event may " +
		"repeat a stored label that the calendar no longer has.",
	Good:  sample.With(sample.Timed{`"eventLabelId":"urgent"`}, labelVersion1, `"calendar":{"labels":["urgent"]}`),
	Bad:   sample.With(sample.Timed{`"eventLabelId":"urgnet"`}, labelVersion1, `"calendar":{"labels":["urgent"]}`),
	Says:  diag.Sentences{{Key: "unknown", Text: "The eventLabelId {value} is not a label of the calendar. Choose one of its labelProperties.eventLabels."}},
	Check: check(checkLabelKnown),
}

func checkLabelKnown(in *input, r engine.Reporter) {
	calendar, id := in.req.Calendar, labelOf(in.next)
	if calendar != nil && in.existing != unknownEvent && id != "" && !mayContain(calendar.Labels, id) {
		r.Report("/eventLabelId", "unknown", diag.Value("value", id))
	}
}

// labelOf returns the label of an event, or "" if the event has no label.
func labelOf(e *Event) string {
	if e.EventLabelID == nil {
		return ""
	}
	return *e.EventLabelID
}

var labelVersion = diag.Rule{
	ID: "event.label.version", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"eventLabelId"},
	Summary: "A request that sets or changes eventLabelId must have the parameter eventLabelVersion=1.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "Version 0, the default, processes colorId and does not support labels.",
	Good:    sample.Answered(sample.Timed{`"eventLabelId":"urgent"`}, `{"event":{"eventLabelId":"urgent"}}`, labelVersion1),
	Bad:     sample.Timed{`"eventLabelId":"urgent"`},
	Says: diag.Sentences{
		{Key: "set", Text: "The request sets eventLabelId to {value} without eventLabelVersion=1. Add the parameter, or leave the eventLabelId out.", Fix: diag.Proposal{At: "?eventLabelVersion", Value: `"1"`, Certain: true}},
		{Key: "removed", Text: "The request removes eventLabelId without eventLabelVersion=1. Add the parameter, or leave the eventLabelId out.", Fix: diag.Proposal{At: "?eventLabelVersion", Value: `"1"`, Certain: true}},
	},
	AssumesValid: []diag.Pointer{"?eventLabelVersion"},
	Check:        check(checkLabelVersion),
}

func checkLabelVersion(in *input, r engine.Reporter) {
	was, is := labelOf(in.stored), labelOf(in.sent)
	if is == was || in.options.EventLabelVersion > 0 || !in.present.Has(ofEventLabelID) || in.existing == unknownEvent {
		return
	}
	if is == "" {
		r.Report("/eventLabelId", "removed")
		return
	}
	r.Report("/eventLabelId", "set", diag.Value("value", is))
}

var labelColorIgnored = diag.Rule{
	ID: "event.label.color-ignored", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"colorId"},
	Summary: "A request with eventLabelVersion=1 cannot change colorId.",
	Section: sectionInsert + ", eventLabelVersion",
	Why:     "Version 1 processes eventLabelId and ignores colorId; version 0 processes colorId.",
	Good:    sample.Answered(sample.Timed{`"colorId":"5"`}, `{"event":{"colorId":"5"}}`),
	Bad:     sample.Answered(sample.Timed{`"colorId":"5"`}, `{"event":{"colorId":null}}`, labelVersion1),
	Says:    diag.Sentences{{Key: "ignored", Text: "The colorId has no effect, because with eventLabelVersion=1 the service uses the eventLabelId instead. Leave the colorId out."}},
	Check:   check(checkLabelColorIgnored),
}

func checkLabelColorIgnored(in *input, r engine.Reporter) {
	if in.sent.ColorID != in.stored.ColorID && in.options.EventLabelVersion > 0 && in.present.Has(ofColorID) {
		r.Report("/colorId", "ignored")
	}
}

var labelSupersedes = diag.Rule{
	ID: "event.label.supersedes", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventLabelId", "colorId"},
	Summary: "An eventLabelId supersedes the colorId.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "The service processes the label with eventLabelVersion=1, and the color otherwise.",
	Good: sample.Answered(sample.Timed{`"eventLabelId":"urgent","colorId":"5"`},
		`{"event":{"eventLabelId":"urgent","colorId":null}}`, labelVersion1),
	Bad: sample.Answered(sample.Timed{`"colorId":"5"`}, `{"event":{"colorId":"5","eventLabelId":null}}`),
}

var labelRemove = diag.Rule{
	ID: "event.label.remove", Describes: diag.Effect, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"eventLabelId"},
	Summary: "With eventLabelVersion=1, an empty eventLabelId removes the label, and so does an update without an eventLabelId.",
	Section: sectionEvent + ", eventLabelId",
	Why: "A patch without an eventLabelId keeps the label. With version 0, a label that is left out stays, and a change requires " +
		"version 1.",
	Good: sample.Answered(sample.Patch{`"eventLabelId":""`, `"eventLabelId":"urgent"`},
		`{"event":{"summary":"Standup","eventLabelId":null}}`, labelVersion1),
	Bad: sample.Answered(sample.Patch{`"summary":"Daily"`, `"eventLabelId":"urgent"`},
		`{"event":{"summary":"Daily","eventLabelId":"urgent"}}`, labelVersion1),
}
