package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/batch"
)

// The schemas of arguments. The schemas only describe the form of the arguments to an agent, because the batch form checks the
// values and suggests corrections.
const (
	ofOp = `"op":{"type":"string","description":"operation, such as events.insert, events.patch, events.list or calendars.insert","default":"%s"},`

	ofBody = `"body":{"description":"body of the request: for events the event, or the members that a patch changes"},` +
		`"bodyText":{"type":"string","description":"the body as text, instead of body, if it may be malformed"},`

	ofRequest = `"params":{"type":"object","description":"query parameters, such as {\"sendUpdates\":\"all\"}"},` +
		`"existing":{"type":["object","null"],"description":"stored event, as last read; null if there is none"},` +
		`"series":{"type":"object","description":"recurring event of an instance"},` +
		`"ifMatch":{"type":"string","description":"entity tag for the If-Match header"},` + ofFacts +
		`"grade":{"type":"object","description":"map from a rule id, or a prefix such as \"time.\", to reject, advise or off"},`

	ofFacts = `"caller":{"type":"object","description":"the sender: email, serviceAccount, domainWideDelegation, creator, scopes"},` +
		`"calendar":{"type":"object","description":"known facts about the calendar: timeZone, primary, colors, labels, buildings, ids"},`

	ofAnswer = `"status":{"type":"integer","description":"status of the service's response, to check the response too"},"answer":{"description":"the service's response"},`

	ofDialect = `"dialect":{"enum":["google","documents"],"default":"google","description":"the names in the request: Google's, or those of the documents"}`

	ofTimes = `"start":{"type":"object","description":"start of the series, as in the event"},"end":{"type":"object"},` +
		`"recurrence":{"type":"array","items":{"type":"string"},"description":"lines, such as RRULE:FREQ=WEEKLY;BYDAY=MO"},` +
		`"exceptions":{"type":"array","items":{"type":"object"},"description":"changed, moved and cancelled instances"},` +
		`"from":{"type":"string","description":"date or timestamp at which the window begins"},"to":{"type":"string","description":"date or timestamp at which the window ends"},` +
		`"window":{"const":"overlap","description":"also instances in progress at the start of the window"},` +
		`"limit":{"type":"integer","minimum":1,"description":"maximum number of instances; 25 by default"},` +
		`"ask":{"enum":["next","before","contains","count"],"description":"a question instead of a list"},"at":{"type":"string","description":"date or timestamp of the question"},` +
		`"split":{"type":"string","description":"original start of an instance, at which to split the series"},` +
		`"options":{"type":"object","description":"interpretation of what the RFC leaves open: countStart, months, weekdays, gap, onlyMatches, wallClock"},`

	ofDatabase = `"method":{"type":"string"},"url":{"type":"string","description":"raw path and query, relative to the database"},` +
		`"headers":{"type":"array","items":{"type":"array","items":{"type":"string"}},"description":"[name, value] as received"},` +
		`"known":{"type":"object","description":"a verifier's facts about each token, by token: kind, verified, expired, scopes, uid"},` +
		`"policy":{"type":"object","description":"your decisions where the documents are silent"},`
)

// The schemas of answers.
const (
	finding = `{"type":"object","properties":{"rule":{"type":"string"},"cause":{"type":"string"},"kind":{"enum":["reject","ignore","advise","unspecified"]},` +
		`"basis":{"type":"string"},"path":{"type":"string"},"message":{"type":"string"},` +
		`"fix":{"type":"array","items":{"type":"object"}},"fixIs":{"enum":["safe","choice"]}},"required":["rule","kind","path","message"]}`

	findings = `{"type":"array","items":` + finding + `}`

	verdict = `"accepted":{"type":"boolean"},"findings":` + findings + `,"truncated":{"type":"boolean"}`
)

// object returns the schema of an object with the given properties and the names of the required properties.
func object(properties string, required ...string) json.RawMessage {
	schema := fmt.Sprintf(`{"type":"object","properties":{%s}`, strings.TrimSuffix(properties, ","))
	if len(required) > 0 {
		schema += `,"required":["` + strings.Join(required, `","`) + `"]`
	}
	return json.RawMessage(schema + "}")
}

// request returns the properties of a request, with op as the default operation.
func request(op string) string { return fmt.Sprintf(ofOp, op) + ofBody + ofRequest }

// verbArguments returns the properties for make_requests, which include all verbs and all arguments.
func verbArguments() string {
	var verbs []string
	for _, v := range batch.Verbs {
		verbs = append(verbs, v.Name)
	}
	with := map[string]any{}
	for _, a := range batch.Arguments {
		property := map[string]any{"description": strings.ReplaceAll(a.Usage, "`", "")}
		if len(a.Words) > 0 {
			property["enum"] = a.Words
		}
		with[a.Name] = property
	}
	return `"verb":` + encoded(map[string]any{"enum": verbs}) + `,"with":` + encoded(map[string]any{"type": "object", "properties": with}) + `,` +
		`"existing":{"type":"object","description":"stored event, as last read"},` +
		`"series":{"type":"object","description":"recurring event, instead of existing"},` +
		`"exceptions":{"type":"array","items":{"type":"object"},"description":"the series' changed, moved and cancelled instances"},` +
		`"options":{"type":"object","description":"as in expand_series"},` + ofFacts + ofDialect
}

// verbTable returns a line for each verb with its arguments.
func verbTable() string {
	var b strings.Builder
	for _, v := range batch.Verbs {
		args := slices.Clone(v.Args)
		for _, name := range v.Optional {
			args = append(args, name+"?")
		}
		fmt.Fprintf(&b, "\n%s(%s): %s", v.Name, strings.Join(args, ", "), v.Sentence)
	}
	return b.String()
}

// encoded returns the JSON encoding of a value, which must be encodable.
func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
