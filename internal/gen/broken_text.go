package gen

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// textFaults returns faults in the encoding of a request: in the query string or in the body. The members of resources other
// than events are known only from the public service.
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
				text = withMembers(Body(req.Op), text)
			}
			req.Body = []byte(text)
		}})
	}
	return faults
}

// breakText replaces the body with text that is not a JSON object.
func breakText(t *draw.T, req *event.Request) {
	body := string(req.Body)
	open := strings.TrimSuffix(body, "}")
	tooDeep := deep(constraint.JSONMaxDepth + draw.One(t, "levels", 0, 10_000))
	req.Body = []byte(draw.One(t, "text",
		open, body+"{}", open+",}", "["+body+"]", "\ufeff"+body, "/* an event */"+body, "",
		strings.Replace(body, "{", `{"unlisted":'a',`, 1), strings.Replace(body, "{", `{"unlisted":"\ud83c",`, 1),
		strings.Replace(body, "{", `{"unlisted":`+tooDeep+`,`, 1)))
}

// withMembers returns an object with the members of others, followed by the object's own members.
func withMembers(object []byte, others string) string {
	if string(object) == "{}" {
		return others
	}
	return strings.TrimSuffix(others, "}") + "," + string(object[1:])
}

// otherBodies are bodies of other resources with one fault, by rule. TEXT is a placeholder for the name of a member.
var otherBodies = map[string][]string{
	ruleid.JSONSyntax:        {`{"kind":"k"`, `[]`, `{} {}`},
	ruleid.JSONDuplicateName: {`{"TEXT":"UTC","TEXT":"UTC"}`},
	ruleid.JSONType:          {`{"TEXT":5}`, `{"TEXT":{}}`},
	ruleid.JSONUnknownField:  {`{"nonsense":1}`},
}
