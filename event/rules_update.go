package event

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var updateETag = diag.Rule{
	ID: "update.etag", Kind: diag.Reject, When: diag.Modify | diag.Delete | diag.Move, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"etag"},
	Summary: "The stored event must have one of the etags on which the request is conditional.",
	Section: sectionOperations + ", 2; RFC 9110 section 13.1.1",
	Status:  412, Reason: "conditionNotMet",
	Why: "A get followed by an unconditional update loses the changes that others made in between. If-Match has one tag, a list of tags, " +
		"or *, which every stored event matches. Tags are opaque and compared exactly. The comparison is strong: a weak tag, which " +
		"begins with W/, matches no event, and an event with a weak tag matches only *.",
	Good: sample.With(sample.Patch{`"summary":"Daily"`}, `"ifMatch":"\"1\""`),
	Bad:  sample.With(sample.Patch{`"summary":"Daily"`}, `"ifMatch":"\"2\""`),
	Says: diag.Sentences{
		{Key: "other", Text: "The request is conditional on the etag {value}, but the stored event has a different etag. Get the event again, and send the request with its etag."},
		{Key: "none", Text: "The request is conditional on the etag {value}, but the stored event has no etag. Send the request without a condition."},
		{Key: "weak-stored", Text: "The request is conditional on the etag {value}, but the stored event has a weak etag, which only * matches. Send the request without a condition."},
		{Key: "weak-sent", Text: "The request is conditional on the etag {value}, but the stored event has a strong etag, and a weak etag matches no event. Send the stored etag, without W/."},
		{Key: "absent", Text: "The request is conditional on the etag {value}, but there is no stored event. Insert the event, or leave the condition out."},
		{Key: "quotes", Text: "The request is conditional on the etag {value}, but the stored etag is in quotes, which are part of it. Send the stored etag with its quotes."},
	},
	Check: check(checkETag),
}

func checkETag(in *input, r engine.Reporter) {
	const anyTag = "*"
	want := strings.Trim(in.req.IfMatch, " \t")
	if !diag.Modify.Has(in.on) {
		r = r.WithBasis(diag.Inferred) // the documents mention only modifications
	}
	switch {
	case want == "":
	case in.existing == absentEvent:
		r.Report("", "absent", diag.Value("value", want))
	case want != anyTag && in.existing == knownEvent && !listsTag(want, in.stored.ETag):
		r.Report("", mismatch(want, in.stored.ETag), diag.Value("value", want))
	}
}

// mismatch returns the key of the message that explains why a list of tags does not match the stored tag.
func mismatch(list, stored string) string {
	switch {
	case stored == "":
		return "none"
	case strings.HasPrefix(stored, weak):
		return "weak-stored"
	case lists(list, weak+stored):
		return "weak-sent"
	case lists(list, strings.Trim(stored, `"`)):
		return "quotes"
	default:
		return "other"
	}
}

// weak is the prefix of a weak entity tag.
const weak = "W/"

// listsTag reports whether a comma-separated list of entity tags contains the tag according to the strong comparison
// (RFC 9110 section 8.8.3.2). Unquoted tags are also accepted.
func listsTag(list, tag string) bool {
	return !strings.HasPrefix(tag, weak) && lists(list, tag)
}

// lists reports whether a list of entity tags contains exactly the given tag.
func lists(list, tag string) bool {
	for rest := strings.TrimLeft(list, ", \t"); rest != ""; rest = strings.TrimLeft(rest, ", \t") {
		n := tagLength(rest)
		if strings.TrimRight(rest[:n], " \t") == tag {
			return true
		}
		rest = rest[n:]
	}
	return false
}

// tagLength returns the length of the first element in a list. A quoted comma is part of a tag.
func tagLength(list string) int {
	quoted := false
	for i, c := range []byte(list) {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return i
		}
	}
	return len(list)
}

var updateWhole = diag.Rule{
	ID: "update.whole", Describes: diag.Effect, When: diag.Update, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "An update replaces the entire event: members that are not sent are removed, except those that the caller cannot write.",
	Section: sectionOperations + ", 2",
	Why: "Members that only the service writes stay, and so do the id, the iCalUID and the immutable members. Without their version " +
		"parameters, conference data and the label stay. For a partial change, get the event, change it and update it conditionally on " +
		"its etag, or send a patch.",
	Good: sample.Answered(sample.Update{`"description":"Daily"`, `"location":"Room 4"`, `"created":"2026-01-05T08:00:00Z"`},
		`{"event":{"description":"Daily","location":null,"created":"2026-01-05T08:00:00Z"}}`),
	Bad: sample.Answered(sample.Patch{`"description":"Daily"`, `"location":"Room 4"`, `"created":"2026-01-05T08:00:00Z"`},
		`{"event":{"description":"Daily","location":"Room 4","created":"2026-01-05T08:00:00Z"}}`),
}
