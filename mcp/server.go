package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

const instructions = `Use these tools before you send a request to the Google Calendar API, and after it refuses one. They send nothing.

1. check_event says what the service would refuse, ignore or change.
2. fix_event fixes it. A fix that is "safe" needs no question. Ask the person about any other that it has made, and about its questions.
3. preview_change says what a patch or an update does to a stored event, and which guests it removes.
4. make_requests says which requests do what a person wants with an event or a series.
5. why_refused explains an error of the service.

Give calendar.timeZone if you know it. Names are those of the API; for the names of the documents, send "dialect":"documents".`

// newServer returns a server with all tools and resources. The server keeps no state, so all sessions share one server.
func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "calrules", Title: "calrules", Version: release},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{},
		}})
	for i := range tools {
		t := &tools[i]
		server.AddTool(&mcp.Tool{
			Name: t.name, Title: t.title, Description: t.description, InputSchema: t.input, OutputSchema: t.output,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
		}, t.handle)
	}
	for _, r := range resources {
		server.AddResource(&mcp.Resource{URI: r.uri, Name: r.name, Description: r.description, MIMEType: r.form}, r.read)
	}
	return server
}

// maxArguments is the maximum length of a tool's arguments, in bytes, which equals the maximum length of a body in the batch
// form.
const maxArguments = constraint.JSONMaxBytes

// handle calls the tool. Faults in the arguments are returned as a result, not as a protocol error, because the agent must see
// the faults.
func (t *tool) handle(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer, err := t.call(req.Params.Arguments)
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(text), Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil
}

// call checks the arguments and returns the tool's answer.
func (t *tool) call(args []byte) (any, error) {
	if len(args) > maxArguments {
		return nil, fmt.Errorf("the arguments have %d bytes; at most %d are allowed", len(args), maxArguments)
	}
	names := t.arguments()
	for name := range jsonscan.Of(args).Members() { // the arguments are valid JSON: the session decoded them
		if !slices.Contains(names, string(jsonscan.Unquote(name))) {
			return nil, fmt.Errorf("%s is not an argument of %s; its arguments are %s", name, t.name, strings.Join(names, ", "))
		}
	}
	return t.answer(args)
}

// arguments returns the names of the arguments in order.
func (t *tool) arguments() (names []string) {
	for name := range jsonscan.Of(t.input).Member("properties").Members() {
		names = append(names, name.String())
	}
	return names
}

// resource is a list that an agent can read.
type resource struct {
	uri, name, description, form string
	text                         func() string
}

var resources = []resource{
	{"calrules://rules", "rules", "All rules: id, kind, basis and summary. explain_rule explains a rule.", "application/json", func() string { return listed(rules()) }},
	{"calrules://fields", "fields", "All members of an event and of other resources, with their types, limits and rules.", "text/markdown", reference.Fields},
	{"calrules://limits", "limits", "All numbers, enumerations and forms that the rules use.", "application/json", func() string { return listed(limitsIn(diag.Google)) }},
	{"calrules://operations", "operations", "All operations of the API, with their paths, parameters and scopes.", "application/json", func() string { return listed(operations()) }},
}

func (r resource) read(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.uri, MIMEType: r.form, Text: r.text()}}}, nil
}

// ruleSummary is a rule in the calrules://rules resource.
type ruleSummary struct {
	ID      string     `json:"id"`
	Kind    string     `json:"kind"`
	Basis   diag.Basis `json:"basis"`
	Summary string     `json:"summary"`
}

func rules() (list []ruleSummary) {
	for _, rule := range reference.Catalogue().Rules() {
		rule = reference.In(diag.Google, rule)
		list = append(list, ruleSummary{rule.ID, rule.Does(), rule.Basis, rule.Summary})
	}
	return list
}

func limitsIn(d diag.Dialect) (list []limits.Limit) {
	for _, limit := range limits.Table() {
		list = append(list, reference.LimitIn(d, limit))
	}
	return list
}

func operations() (list []*operation.Operation) {
	for op := range operation.All() {
		list = append(list, reference.OperationIn(diag.Google, op))
	}
	return list
}

// listed encodes a list as JSON, with one element per line.
func listed[T any](list []T) string {
	lines := make([]string, len(list))
	for i, element := range list {
		text, err := json.Marshal(element)
		if err != nil {
			panic(err) // cannot happen: all elements can be encoded
		}
		lines[i] = string(text)
	}
	return "[" + strings.Join(lines, ",\n") + "]\n"
}
