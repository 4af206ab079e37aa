package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// labelRules are about colorId and eventLabelId, of which a request's version parameter says
// which one counts.
var labelRules = []*diag.Rule{
	&colorKnown,
	&labelKnown,
	&labelVersion,
	&labelColorIgnored,
	&labelSupersedes,
}

// labelled makes a request that sends the parameter eventLabelVersion=1.
func labelled(request string, more ...string) string {
	return sample.With(request, append([]string{`"params":{"eventLabelVersion":"1"}`}, more...)...)
}

var colorKnown = diag.Rule{
	ID: "event.color.known", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"colorId"},
	Summary: "The colorId is an entry of the event section of the colors definition.",
	Section: sectionEvent + ", colorId",
	Why:     "Checked only where the caller supplies the ids that Colors.get lists, and where colorId counts.",
	Good:    diag.Example{Request: sample.With(sample.Timed(`"colorId":"5"`), `"calendar":{"colors":["1","5"]}`)},
	Bad:     diag.Example{Request: sample.With(sample.Timed(`"colorId":"12"`), `"calendar":{"colors":["1","5"]}`)},
	Check:   check(checkColorKnown),
}

func checkColorKnown(in *input, r diag.Reporter) {
	calendar, id := in.req.Calendar, in.result.ColorID
	if calendar == nil || in.flags.EventLabelVersion > 0 || !wasSent(id, &in.result.extra, "colorId") {
		return
	}
	if !contains(calendar.Colors, id) {
		r.Report("/colorId", "The colorId %s is no event color of the colors definition. Choose one that Colors.get lists.", diag.Quote(id))
	}
}

var labelKnown = diag.Rule{
	ID: "event.label.known", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventLabelId"},
	Summary: "The eventLabelId is an entry of the calendar's labelProperties.eventLabels.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "Checked only where the caller supplies the ids of the calendar's labels.",
	Good:    diag.Example{Request: labelled(sample.Timed(`"eventLabelId":"urgent"`), `"calendar":{"labels":["urgent"]}`)},
	Bad:     diag.Example{Request: labelled(sample.Timed(`"eventLabelId":"urgnet"`), `"calendar":{"labels":["urgent"]}`)},
	Check:   check(checkLabelKnown),
}

func checkLabelKnown(in *input, r diag.Reporter) {
	calendar, id := in.req.Calendar, in.result.EventLabelID
	if calendar == nil || id == nil || *id == "" {
		return
	}
	if !contains(calendar.Labels, *id) {
		r.Report("/eventLabelId", "The eventLabelId %s is no label of the calendar. Choose one of its labelProperties.eventLabels.", diag.Quote(*id))
	}
}

var labelVersion = diag.Rule{
	ID: "event.label.version", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Setting or changing eventLabelId goes with the parameter eventLabelVersion=1.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "Version 0, the default, processes colorId and knows nothing of labels.",
	Good:    diag.Example{Request: labelled(sample.Timed(`"eventLabelId":"urgent"`)), Answer: `{"event":{"eventLabelId":"urgent"}}`},
	Bad:     diag.Example{Request: sample.Timed(`"eventLabelId":"urgent"`)},
	Check:   check(checkLabelVersion),
}

func checkLabelVersion(in *input, r diag.Reporter) {
	was, is := labelOf(in.stored), labelOf(in.merged)
	if is == was || in.flags.EventLabelVersion > 0 || !in.wasSent(ofLabel) {
		return
	}
	r.Report("/eventLabelId", "The eventLabelId would become %s; it is set or changed only with eventLabelVersion=1. Add the parameter, or use colorId.", diag.Quote(is))
}

// labelOf returns the label of an event; empty where it has none.
func labelOf(e *Event) string {
	if e.EventLabelID == nil {
		return ""
	}
	return *e.EventLabelID
}

var labelColorIgnored = diag.Rule{
	ID: "event.label.color-ignored", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "With eventLabelVersion=1 the colorId is left alone.",
	Section: sectionInsert + ", eventLabelVersion",
	Why:     "Version 1 processes eventLabelId and ignores a changed colorId; version 0 processes colorId.",
	Good:    diag.Example{Request: sample.Timed(`"colorId":"5"`), Answer: `{"event":{"colorId":"5"}}`},
	Bad:     diag.Example{Request: labelled(sample.Timed(`"colorId":"5"`))},
	Check:   check(checkLabelColorIgnored),
}

func checkLabelColorIgnored(in *input, r diag.Reporter) {
	if in.merged.ColorID != in.stored.ColorID && in.flags.EventLabelVersion > 0 && in.wasSent(ofColor) {
		r.Report("/colorId", "The colorId has no effect with eventLabelVersion=1. Set eventLabelId, or leave the parameter out.")
	}
}

var labelSupersedes = diag.Rule{
	ID: "event.label.supersedes", Kind: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An eventLabelId supersedes the colorId.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "Where a label is set, it decides the colour of the event.",
	Good: diag.Example{
		Request: labelled(sample.Timed(`"eventLabelId":"urgent","colorId":"5"`)),
		Answer:  `{"event":{"eventLabelId":"urgent"}}`,
	},
	Bad: diag.Example{Request: sample.Timed(`"colorId":"5"`), Answer: `{"event":{"colorId":"5"}}`},
}
