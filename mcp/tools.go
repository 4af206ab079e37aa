package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/refusal"
)

// tool is a tool of the server. The arguments are in the batch form, with google as the default dialect.
type tool struct {
	name, title, description string
	input, output            json.RawMessage // JSON Schemas
	answer                   func(args []byte) (any, error)
}

var tools = []tool{
	{
		name: "check_event", title: "Check a request",
		description: "Check a request about an event, or about another resource of the Google Calendar API, before sending it, for values that the service " +
			"would refuse, ignore or change. A finding may have a fix, a JSON Patch for these arguments.",
		input:  object(request("events.insert") + ofAnswer + ofDialect),
		output: object(verdict+`,"answerFindings":`+findings, "accepted", "findings"),
		answer: checkEvent,
	},
	{
		name: "fix_event", title: "Fix a request",
		description: "Fix a request. fix is \"safe\" for certain corrections; \"all\" for all proposals too; \"best\" to also remove, one by one, the values that the " +
			"service would still refuse; or the fix of one finding. made lists the fixes: ask the person about each fix that is not safe, and ask the questions.",
		input: object(request("events.insert") + `"fix":{"description":"safe, all, best, or a JSON Patch","default":"safe"},` + ofDialect),
		output: object(`"accepted":{"type":"boolean"},"body":{},"bodyText":{"type":"string"},"params":{"type":"object"},"made":`+findings+`,"findings":`+findings+
			`,"questions":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"question":{"type":"string"}},"required":["path","question"]}}`,
			"accepted", "made", "findings", "questions"),
		answer: fixEvent,
	},
	{
		name: "explain_rule", title: "Explain a rule",
		description: "Explain the rule of a finding: its requirement, its reason, its source, and a good and a bad request.",
		input:       object(`"id":{"type":"string","description":"such as time.order"},`+ofDialect, "id"),
		output: object(`"id":{"type":"string"},"url":{"type":"string"},"kind":{"type":"string"},"basis":{"type":"string"},"summary":{"type":"string"},"section":{"type":"string"},`+
			`"why":{"type":"string"},"good":{},"bad":{}`, "id", "kind", "basis", "summary", "good", "bad"),
		answer: explainRule,
	},
	{
		name: "why_refused", title: "Explain an error from the service",
		description: "Explain why the service refused a request: the findings that are the cause, the meaning of the reason, and the next step.",
		input: object(`"refusal":{"description":"the JSON of the error, or the output of a client"},"request":{"type":"object","description":"the request, as for check_event"},`+
			ofDialect, "refusal"),
		output: object(`"status":{"type":"integer"},"reason":{"type":"string"},"message":{"type":"string"},"location":{"type":"string"},"known":{"type":"boolean"},"causes":`+findings+
			`,"about":{"type":"object","properties":{"meaning":{"type":"string"},"next":{"type":"string"},"source":{"type":"string"}}}`, "known", "causes"),
		answer: whyRefused,
	},
	{
		name: "make_requests", title: "Make the requests for an intent",
		description: "Make the requests that carry out a person's intent for an event or a series, in the order in which to send them; or query or change a series. " +
			"The verbs, with their arguments for with:" + verbTable(),
		input: object(verbArguments(), "verb"),
		output: object(`"requests":{"type":"array","items":{"type":"object"}},"instances":{"type":"array","items":{"type":"object"}},"count":{"type":"integer"},"contains":{"type":"boolean"},` +
			`"event":{"type":"object"},"set":{"type":"array"},"exceptions":{"type":"array"},"before":{"type":"object"},"after":{"type":"object"},` +
			`"truncated":{"type":"boolean"},"findings":` + findings + `,"advice":` + findings + `,"error":{"type":"string"},"next":{"type":"string"}`),
		answer: makeRequests,
	},
	{
		name: "expand_series", title: "List the instances of a series",
		description: "List the instances of a recurring event, or answer a question about them.",
		input:       object(ofTimes+ofDialect, "start", "end", "recurrence"),
		output: object(`"instances":{"type":"array","items":{"type":"object"}},"count":{"type":"integer"},"contains":{"type":"boolean"},"before":{"type":"object"},"after":{"type":"object"},` +
			`"truncated":{"type":"boolean"},"findings":` + findings + `,"advice":` + findings + `,"error":{"type":"string"},"next":{"type":"string"}`),
		answer: expandSeries,
	},
	{
		name: "preview_change", title: "Preview a change",
		description: "Show the effect of a patch or an update on a stored event: the values that change, and the guests that it removes.",
		input:       object(request("events.patch")+ofDialect, "existing", "body"),
		output: object(verdict+`,"changes":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"old":{},"new":{}},"required":["path"]}},`+
			`"lostGuests":{"type":"array","items":{"type":"string"}}`, "accepted", "findings", "changes", "lostGuests"),
		answer: previewChange,
	},
	{
		name: "decide_database_request", title: "Find the principal of a database request",
		description: "Find the principal of a request to the Firebase Realtime Database from its credentials and a verifier's facts about them. The answer contains no token.",
		input:       object(ofDatabase+ofDialect, "method", "url"),
		output: object(`"principal":{"type":"string"},"subject":{"type":"string"},"rules":{"type":"string"},"read":{"type":"string"},"write":{"type":"string"},"findings":`+findings,
			"principal", "rules", "read", "write", "findings"),
		answer: func(args []byte) (any, error) { return withoutID(filter.Database(diag.Google).Handle(args, nil)) },
	},
}

// Limits that keep answers short. The limit on instances is only the default.
const (
	mostFindings  = 20
	mostInstances = 25
)

// checker returns the checker for the request that was decoded from args.
func checker(req *batch.Request, args []byte) *event.Checker {
	return req.Checker(filter.Checker(event.Checker{MaxFindings: mostFindings}, args))
}

// readRequest decodes the arguments as a request, with op as the default operation.
func readRequest(args []byte, op operation.ID) (*batch.Request, error) {
	req := &batch.Request{}
	req.Dialect = diag.Google
	if err := req.UnmarshalJSON(args); err != nil {
		return nil, err
	}
	req.Op = cmp.Or(req.Op, op)
	return req, nil
}

// checked is the result of the check_event tool.
type checked struct {
	Accepted       bool          `json:"accepted"`
	Findings       diag.Findings `json:"findings"`
	Truncated      bool          `json:"truncated,omitempty"`
	AnswerFindings diag.Findings `json:"answerFindings,omitempty"`
}

func checkEvent(args []byte) (any, error) {
	req, err := readRequest(args, operation.EventsInsert)
	if err != nil {
		return nil, err
	}
	result, err := req.Check(checker(req, args))
	return checkedOf(result), err
}

func checkedOf(r event.Result) checked {
	return checked{r.Accepted, append(diag.Findings{}, r.Findings...), r.Truncated, r.AnswerFindings}
}

// fixed is the result of the fix_event tool.
type fixed struct {
	Accepted  bool             `json:"accepted"`
	Body      json.RawMessage  `json:"body,omitempty"`
	BodyText  string           `json:"bodyText,omitempty"` // if the body is not JSON
	Params    operation.Params `json:"params,omitempty"`
	Made      diag.Findings    `json:"made"`
	Findings  diag.Findings    `json:"findings"`
	Questions []question       `json:"questions"`
}

// question is a question for a person, which must be answered before the request can be sent.
type question struct {
	Path     diag.Pointer `json:"path"`
	Question string       `json:"question"`
}

func fixEvent(args []byte) (any, error) {
	req, err := readRequest(args, operation.EventsInsert)
	if err != nil {
		return nil, err
	}
	fix := jsonscan.Of(args).Member("fix").Text
	if fix == nil {
		fix = []byte(`"safe"`)
	}
	after, made, err := filter.Fix(req, args, fix)
	if err != nil {
		return nil, err
	}
	req.Request = *after
	result, err := req.Check(checker(req, args))
	if err != nil {
		return nil, err
	}
	answer := fixed{result.Accepted, nil, "", after.Params, append(diag.Findings{}, made...), append(diag.Findings{}, result.Findings...), []question{}}
	if jsonscan.Valid(after.Body) == nil {
		answer.Body = after.Body
	} else {
		answer.BodyText = string(after.Body)
	}
	for _, f := range result.Findings.OfKind(diag.Reject) {
		answer.Questions = append(answer.Questions, question{f.Path, fmt.Sprintf("What should %s be? %s", cmp.Or(string(f.Path), "the event"), f.Message())})
	}
	return answer, nil
}

var explainForm = ndjson.NewObject("the arguments",
	ndjson.Of("id", func(r *ruleRequest) *string { return &r.id }, ndjson.NotEmpty),
	ndjson.Of("dialect", func(r *ruleRequest) *diag.Dialect { return &r.dialect }, ndjson.Decoded[diag.Dialect]),
)

type ruleRequest struct {
	id      string
	dialect diag.Dialect
}

func explainRule(args []byte) (any, error) {
	r := ruleRequest{dialect: diag.Google}
	if err := explainForm.Read(args, &r); err != nil {
		return nil, err
	}
	rule, near := reference.Find(r.id)
	switch {
	case rule != nil:
		data := reference.Data(&event.Checker{}, reference.In(r.dialect, rule))
		data.Reads, data.Says, data.Reports, data.Findings = nil, nil, nil, nil
		return data, nil
	case near != "":
		return nil, fmt.Errorf("there is no rule %q; did you mean %s?", r.id, near)
	default:
		return nil, fmt.Errorf("there is no rule %q; the resource calrules://rules lists them", r.id)
	}
}

// refused contains the arguments of the why_refused tool.
type refused struct {
	refusal, request []byte
	dialect          diag.Dialect
}

var refusedForm = ndjson.NewObject("the arguments",
	ndjson.Raw("refusal", func(r *refused) *[]byte { return &r.refusal }),
	ndjson.Raw("request", func(r *refused) *[]byte { return &r.request }),
	ndjson.Of("dialect", func(r *refused) *diag.Dialect { return &r.dialect }, ndjson.Decoded[diag.Dialect]),
)

func whyRefused(args []byte) (any, error) {
	in := refused{dialect: diag.Google}
	if err := refusedForm.Read(args, &in); err != nil {
		return nil, err
	}
	if in.refusal == nil {
		return nil, errors.New("refusal is missing; send the JSON of the error, or the output of a client")
	}
	text := string(in.refusal)
	if jsonscan.Of(in.refusal).IsString() {
		text = string(jsonscan.UnquoteWTF8(in.refusal))
	}
	answer, ok := refusal.Parse(text)
	if !ok {
		return nil, errors.New("refusal contains no refusal; send the JSON of the error, or the output of a client")
	}
	if in.request == nil {
		return answer.Explain(nil), nil
	}
	line := &batch.Request{}
	line.Dialect = in.dialect
	if err := line.UnmarshalJSON(in.request); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	line.Op = cmp.Or(line.Op, operation.EventsInsert)
	req, c := line.Request.WithDialect(diag.Google), checker(line, args)
	found, err := c.Find(&req)
	if err != nil {
		return nil, err
	}
	c.AddFixes(&req, found)
	return answer.Explain(found), nil
}

func makeRequests(args []byte) (any, error) {
	m := &batch.Making{}
	m.Dialect = diag.Google
	if err := m.UnmarshalJSON(args); err != nil {
		return nil, err
	}
	if m.Verb == "list" || m.Verb == "singles" {
		if m.With == nil {
			m.With = &batch.With{}
		}
		m.With.Limit = cmp.Or(m.With.Limit, mostInstances)
	}
	return withoutID(batch.AppendMade(nil, m, batch.Make(m)))
}

func expandSeries(args []byte) (any, error) {
	req := &batch.Expansion{Dialect: diag.Google}
	if err := req.UnmarshalJSON(args); err != nil {
		return nil, err
	}
	if req.Ask == "" && req.Split == "" {
		req.Limit = cmp.Or(req.Limit, mostInstances)
	}
	return withoutID(batch.AppendExpanded(nil, batch.Expand(req)))
}

// withoutID returns an answer in the batch form without its id. If the answer is an error, withoutID returns the error.
func withoutID(answer []byte) (any, error) {
	var failed struct {
		Accepted *bool
		Error    string
	}
	if err := json.Unmarshal(answer, &failed); err != nil {
		return nil, err
	}
	if failed.Accepted != nil && failed.Error != "" {
		return nil, errors.New(failed.Error)
	}
	return json.RawMessage(slices.Concat([]byte("{"), bytes.TrimPrefix(answer, []byte(`{"id":null,`)))), nil
}

// preview is the result of the preview_change tool.
type preview struct {
	checked
	Changes    []change `json:"changes"`
	LostGuests []string `json:"lostGuests"` // email addresses if known, else names or ids
}

// change is an [event.Difference] as JSON, without members for absent values.
type change struct {
	Path diag.Pointer    `json:"path"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

func previewChange(args []byte) (any, error) {
	req, err := readRequest(args, operation.EventsPatch)
	switch {
	case err != nil:
		return nil, err
	case req.Existing == nil:
		return nil, errors.New("existing is missing; send the stored event")
	}
	result, err := req.Check(checker(req, args))
	if err != nil {
		return nil, err
	}
	answer := preview{checkedOf(result), []change{}, []string{}}
	if result.Stored == nil {
		return answer, nil
	}
	for _, d := range req.Existing.Diff(result.Stored, req.Dialect) {
		answer.Changes = append(answer.Changes, change(d))
	}
	for _, guest := range req.Existing.Attendees {
		if !slices.ContainsFunc(result.Stored.Attendees, func(a event.Attendee) bool { return a.ID == guest.ID && strings.EqualFold(a.Email, guest.Email) }) {
			answer.LostGuests = append(answer.LostGuests, cmp.Or(guest.Email, guest.DisplayName, guest.ID))
		}
	}
	return answer, nil
}
