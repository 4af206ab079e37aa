package gen

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// textFaults are faults of the text of a request: of the query, or of a body. The bodies of other resources than events have
// members that only the public service shows.
func textFaults(rule *diag.Rule, in diag.Dialect) (faults []*fault) {
	if rule.ID == ruleid.JSONSyntax {
		faults = append(faults, &fault{on: WithBody, put: breakText})
	}
	if rule.ID == ruleid.ParamRepeated {
		faults = append(faults, &fault{on: diag.All, put: repeatParam})
	}
	if bodies := otherBodies[rule.ID]; bodies != nil && (in == diag.Google || rule.ID == ruleid.JSONSyntax) {
		faults = append(faults, &fault{on: diag.OtherBodies, put: func(t *draw.T, req *event.Request) {
			member := "kind"
			if req.Op == "freebusy.query" {
				member = "timeZone"
			}
			text := strings.ReplaceAll(draw.One(t, "body", bodies...), "TEXT", member)
			if rule.ID != ruleid.JSONSyntax {
				text = "{" + needed[req.Op] + text[1:]
			}
			req.Body = []byte(text)
		}})
	}
	return faults
}

// breakText writes a body that is not an object of JSON.
func breakText(t *draw.T, req *event.Request) {
	body := string(req.Body)
	open := strings.TrimSuffix(body, "}")
	tooDeep := deep(constraint.JSONMaxDepth + draw.One(t, "levels", 0, 10_000))
	req.Body = []byte(draw.One(t, "text",
		open, body+"{}", open+",}", "["+body+"]", "\ufeff"+body, "/* an event */"+body, "",
		strings.Replace(body, "{", `{"unlisted":'a',`, 1), strings.Replace(body, "{", `{"unlisted":"\ud83c",`, 1),
		strings.Replace(body, "{", `{"unlisted":`+tooDeep+`,`, 1)))
}

// otherBodies are bodies of other resources with one fault, in which TEXT is a member of the resource.
var otherBodies = map[string][]string{
	ruleid.JSONSyntax:        {`{"kind":"k"`, `[]`, `{} {}`},
	ruleid.JSONDuplicateName: {`{"TEXT":"UTC","TEXT":"UTC"}`},
	ruleid.JSONType:          {`{"TEXT":5}`, `{"TEXT":{}}`},
	ruleid.JSONUnknownField:  {`{"nonsense":1}`},
}

// Body returns a valid body of an operation on another resource than an event, or nil if it has none.
func Body(op operation.ID) []byte {
	if !diag.OtherBodies.Has(OccasionOf(op)) {
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
