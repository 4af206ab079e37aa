package refusal

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Parse extracts a refusal from text, which can be a JSON error from the service, with or without other output around it, or
// the output of the Go, Python, Node or .NET client or of Apps Script. Parse returns false if text contains no refusal.
func Parse(text string) (Refusal, bool) {
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		return inJSON(value)
	}
	if i := strings.IndexByte(text, '{'); i >= 0 { // skips output before the JSON
		if json.NewDecoder(strings.NewReader(text[i:])).Decode(&value) == nil {
			if r, ok := inJSON(value); ok {
				return r, true
			}
		}
	}
	return inText(text)
}

// inJSON returns the refusal in a JSON value, or false if there is none.
func inJSON(value any) (Refusal, bool) {
	if list, ok := value.([]any); ok && len(list) > 0 {
		return inJSON(list[0])
	}
	object, ok := value.(map[string]any)
	if !ok {
		return Refusal{}, false
	}
	if reason, ok := object["error"].(string); ok { // RFC 6749
		return Refusal{Reason: reason, Message: textOf(object, "error_description")}.complete()
	}
	for _, name := range []string{"error", "response", "data", "body", "cause"} {
		if r, ok := inJSON(object[name]); ok {
			return r, true
		}
	}
	status, _ := strconv.Atoi(cmp.Or(textOf(object, "code"), textOf(object, "status"), textOf(object, "statusCode")))
	r := Refusal{Status: status, Message: textOf(object, "message")}
	if items, _ := object["errors"].([]any); len(items) > 0 {
		item, _ := items[0].(map[string]any)
		r.Reason, r.Location = textOf(item, "reason"), textOf(item, "location")
		r.Message = cmp.Or(textOf(item, "message"), r.Message)
	}
	return r.complete()
}

// textOf returns the value of a member as a string, or "" if the value is neither a string nor a number.
func textOf(object map[string]any, name string) string {
	switch v := object[name].(type) {
	case string:
		return v
	case float64:
		return strconv.Itoa(int(v))
	}
	return ""
}

// Patterns for the output of clients, each with one group. The first pattern that matches is used.
var (
	statuses = patterns(
		`googleapi: Error (\d{3}): `, `got HTTP response code (\d{3}) `, // Go
		`<HttpError (\d{3}) `,                        // Python
		`(?m)^\s*(?:code|status): '?(\d{3})'?,?\s*$`, // Node
		`[Ss]tatus code (\d{3})\b`,                   // Node
		`RequestError\s+.*\[(\d{3})\]\s*(?:\n|$)`,    // .NET
	)
	reasonNames = patterns(
		`\nReason: ([\w.]+), Message: `, `googleapi: Error \d{3}: .*, ([\w.]+)\s*(?:\n|$)`, // Go
		`['"]?reason['"]?: ['"]([\w.]+)['"]`, // Python, Node
		`with reason "([\w.]+)"`,             // a warning in Python
		`Reason\[([\w.]+)\]`,                 // .NET
		`\b(invalid_grant)\b`,
	)
	messages = patterns(
		`googleapi: Error \d{3}: (.*), [\w.]+\s*(?:\n|$)`, `googleapi: Error \d{3}: (.*)`,
		` returned "(.*?)"(?:\. Details: |>)`,
		`failed with error: (.*)`, // Apps Script
		`(?m)(?:GaxiosError|Error): (.*)$`,
		`Message\[(.*?)\]`,
	)
	locations = patterns(`['"]?location['"]?: ['"]([\w.]+)['"]`)
)

// patterns returns a function that compiles the patterns on its first call.
func patterns(texts ...string) func() []*regexp.Regexp {
	return sync.OnceValue(func() (list []*regexp.Regexp) {
		for _, text := range texts {
			list = append(list, regexp.MustCompile(text))
		}
		return list
	})
}

// inText returns the refusal in the output of a client, or false if there is none.
func inText(text string) (Refusal, bool) {
	status, _ := strconv.Atoi(first(statuses, text))
	r := Refusal{Status: status, Reason: first(reasonNames, text), Message: strings.TrimSpace(first(messages, text)), Location: first(locations, text)}
	r, ok := r.complete()
	return r, ok || r.Message != "" && strings.Contains(text, "GoogleJsonResponseException") // Apps Script reports no status
}

func first(list func() []*regexp.Regexp, text string) string {
	for _, pattern := range list() {
		if found := pattern.FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}
	return ""
}

// complete returns the refusal, with a missing status set according to the reason, or false if the refusal has neither an error
// status nor a reason.
func (r Refusal) complete() (Refusal, bool) {
	if r.Status > 599 { // not an HTTP status
		r.Status = 0
	}
	if known := lookup(r.Reason, 0); known != nil && r.Status == 0 {
		r.Status = known.Statuses[0]
	}
	return r, r.Status >= 400 || r.Reason != "" && r.Status == 0
}
