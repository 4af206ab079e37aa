package gen

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/operation"
)

// bodyFaults break the rules about JSON in the body of a request about another resource than an event, whose fields only
// the public service shows.
var bodyFaults = map[string][]bodyFault{
	ruleid.JSONSyntax: {
		{"cut", "", `{"kind":"k"`},
		{"an array", "", `[]`},
		{"with something after it", "", `{} {}`},
	},
	ruleid.JSONDuplicateName: {{"a text twice", "/TEXT", `{"TEXT":"UTC","TEXT":"UTC"}`}},
	ruleid.JSONType: {
		{"a number", "/TEXT", `{"TEXT":5}`},
		{"an object", "/TEXT", `{"TEXT":{}}`},
	},
	ruleid.JSONUnknownField: {{"a member of no resource", "/nonsense", `{"nonsense":1}`}},
}

// bodyFault is a body with one fault, in which TEXT is a member of the resource.
type bodyFault struct{ name, path, text string }

// bodyVariants are the variants of a rule about JSON for the bodies of the other resources. A body of an operation that
// requires members lacks only these.
func bodyVariants(rule *diag.Rule) (all []variant) {
	for _, f := range bodyFaults[rule.ID] {
		all = append(all, variant{name: "another resource: " + f.name, on: occasion.Bodies, request: func(t *draw.T, op operation.ID) (*event.Request, diag.Finding) {
			req := Request(op).Draw(t, "request").In(diag.Google)
			in := f.of(op)
			req.Body = []byte(in.text)
			if in.path != "" { // the text can be read
				req.Body = []byte("{" + needed[op] + in.text[1:])
			}
			return &req, diag.Finding{Rule: rule, Kind: rule.Kind, Path: diag.Pointer(in.path)}
		}})
	}
	return all
}

// Body returns a valid body of an operation on another resource than an event, or nil if it has none.
func Body(op operation.ID) []byte {
	if !occasion.Bodies.Has(OccasionOf(op)) {
		return nil
	}
	return []byte("{" + strings.TrimSuffix(needed[op], ",") + "}")
}

// needed are the members that bodies must have, by the operation.
var needed = map[operation.ID]string{
	"calendars.insert": `"summary":"Team",`, "calendars.update": `"summary":"Team",`,
	"calendarList.insert": `"id":"team@example.com",`,
	"acl.insert":          `"role":"reader","scope":{"type":"default"},`, "acl.update": `"scope":{"type":"default"},`,
	"freebusy.query": `"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-11T00:00:00Z",`,
	"channels.stop":  `"id":"c-1","resourceId":"r-1",`,
	"acl.watch":      channel, "calendarList.watch": channel, "events.watch": channel, "settings.watch": channel,
}

const channel = `"id":"c-1","type":"web_hook","address":"https://example.com/notifications",`

// of returns the fault with a member of the body of the operation.
func (f bodyFault) of(op operation.ID) bodyFault {
	member := "kind"
	if op == "freebusy.query" {
		member = "timeZone"
	}
	f.path, f.text = strings.ReplaceAll(f.path, "TEXT", member), strings.ReplaceAll(f.text, "TEXT", member)
	return f
}
