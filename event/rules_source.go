package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
)

var sourceURL = diag.Rule{
	ID: "source.url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"source.url"},
	Summary: "The url of a source must begin with the scheme http or https.",
	Section: sectionParts,
	Why:     "Schemes are case-insensitive. The rule source.url.form covers the rest of the url.",
	Says:    constraint.HTTPScheme.Says(),
	Good:    sample.Timed{`"source":{"title":"Ticket","url":"HTTPS://example.com/1"}`},
	Bad:     sample.Timed{`"source":{"title":"Ticket","url":"ftp://example.com/1"}`},
}

var sourceURLForm = diag.Rule{
	ID: "source.url.form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: []string{"source.url"},
	Summary: "The url of a source should be a well-formed URL with a host.",
	Section: "RFC 3986 section 3",
	Why: "The documents require only the scheme, so a url that contains a space or an invalid percent-encoding, or has no host, is " +
		"accepted with advice. Non-ASCII characters (RFC 3987), and brackets after the authority, are common and not reported.",
	Good:  sample.Timed{`"source":{"title":"Ticket","url":"https://example.com/a%20b"}`},
	Bad:   sample.Timed{`"source":{"title":"Ticket","url":"https://example.com/a b"}`},
	Says:  constraint.HTTPURL.Says(),
	Check: check(checkSourceURLForm),
}

func checkSourceURLForm(in *input, r engine.Reporter) {
	if s := in.next.Source; s != nil && constraint.HTTPScheme.Has(s.URL) && !form.IsHTTPURL(s.URL) {
		constraint.HTTPURL.Report(r, "/source/url", "url", s.URL)
	}
}

var sourceCreatorOnly = diag.Rule{
	ID: "source.creator-only", Kind: diag.Ignore, When: diag.Modify | diag.Get, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"source"},
	Summary: "Only the creator of an event can see and change its source.",
	Section: sectionEvent + ", source",
	Why:     "The rule is checked only if it is known whether the caller is the creator.",
	Good: sample.Answered(sample.Patch{`"source":{"url":"https://example.com/2"}`},
		`{"event":{"source":{"url":"https://example.com/2"}}}`, `"caller":{"creator":true}`),
	Bad: sample.Answered(sample.Patch{`"source":{"url":"https://example.com/2"}`, `"source":{"url":"https://example.com/1"}`},
		`{"event":{"source":null},"stored":{"source":{"url":"https://example.com/1"}}}`, `"caller":{"creator":false}`),
	Says: diag.Sentences{
		{Key: "hidden", Text: "Only the creator of the event can see the source, so it is left out."},
		{Key: "ignored", Text: "Only the creator of the event can change the source, so the value in this request has no effect. Leave it out."},
	},
	Check: check(checkSourceCreatorOnly),
}

func checkSourceCreatorOnly(in *input, r engine.Reporter) {
	switch {
	case !in.callerIsNotCreator():
	case in.on == diag.Get:
		if in.stored.Source != nil {
			r.Report("/source", "hidden")
		}
	case in.present.Has(ofSource) && !tables().source.Equal(in.stored.Source, in.asked().Source):
		r.Report("/source", "ignored")
	}
}
