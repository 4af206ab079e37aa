package ruletest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
)

// TestAdviceWorks applies the advice of each finding that rejects a bad example, as far as it is
// mechanical, and checks that the request is then accepted.
func TestAdviceWorks(t *testing.T) {
	applied := 0
	for r := range reference.Catalogue().All() {
		if r.Kind != diag.Reject || !strings.Contains(r.Bad.Example().Request, `"op":"`) || strings.Contains(r.Bad.Example().Request, `"bodyText"`) || strings.Contains(r.Bad.Example().Request, `"answer":`) { // nobody sends an answer
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			for _, f := range ask(t, r, r.Bad.Example()).findings.OfKind(diag.Reject) {
				for _, change := range advised(f) {
					applied++
					fixed := apply(t, r.Bad.Example().Request, change)
					if found := ask(t, r, diag.Example{Request: fixed}).findings.OfKind(diag.Reject); slices.ContainsFunc(found, change.isWrong) {
						t.Errorf("%s\nThe advice leads to %s, with %v", f, fixed, found)
					}
				}
			}
		})
	}
	const some = 70
	if applied < some {
		t.Errorf("%d pieces of advice were applied; there were %d once", applied, some)
	}
}

// removed is the value of a [change] that leaves a member or an element out.
type removed struct{}

// change is a value to send at a path.
type change struct {
	path  diag.Pointer
	value any

	// choice says that the value is an example or one of several, which the rest of the event may not fit.
	choice bool
}

// isWrong reports whether a finding shows that the change is bad advice.
func (c change) isWrong(f diag.Finding) bool { return !c.choice || f.Path == c.path }

var (
	example   = regexp.MustCompile(`(?:it must be .*, such as|Send an address such as) (\S+)\.$`)
	choices   = regexp.MustCompile(`^[a-zA-Z]\w*(?:, \w+)* or \w+$`)
	leaveOut  = regexp.MustCompile(`Leave (?:it|them|\w+) out|[Ll]eave the \w+ out`)
	sendThis  = regexp.MustCompile(`(?:Send|or) "(\w+)": (\[[^\]]*\]|\w+)[.,]`)
	parameter = regexp.MustCompile(`without (\w+)=(\w+)\. Add the parameter`)
)

// advised returns the changes that the message of a finding advises, each of which must do alone.
func advised(f diag.Finding) (changes []change) {
	if m := example.FindStringSubmatch(f.Message()); m != nil {
		changes = append(changes, change{path: f.Path, value: m[1], choice: true})
	}
	if value := f.Suggestion(); value != "" {
		changes = append(changes, change{path: f.Path, value: value, choice: true})
	}
	if choices.MatchString(f.Limit()) {
		for _, value := range strings.Split(strings.ReplaceAll(f.Limit(), " or ", ", "), ", ") {
			changes = append(changes, change{path: f.Path, value: value, choice: true})
		}
	}
	if leaveOut.MatchString(f.Message()) {
		changes = append(changes, change{path: f.Path, value: removed{}})
	}
	parent := f.Path[:max(strings.LastIndexByte(string(f.Path), '/'), 0)]
	for _, m := range sendThis.FindAllStringSubmatch(f.Message(), -1) {
		var value any
		if json.Unmarshal([]byte(m[2]), &value) == nil {
			changes = append(changes, change{path: parent.Member(m[1]), value: value})
		}
	}
	if m := parameter.FindStringSubmatch(f.Message()); m != nil {
		changes = append(changes, change{path: diag.Pointer("?" + m[1]), value: m[2]})
	}
	return changes
}

// apply returns the line of a request with a change.
func apply(t *testing.T, line string, c change) string {
	t.Helper()
	var request map[string]any
	read(t, line, &request)
	if name, ok := strings.CutPrefix(string(c.path), "?"); ok {
		params, _ := request["params"].(map[string]any)
		if params == nil {
			params = map[string]any{}
		}
		request["params"] = set(params, []string{name}, c.value)
		return asText(t, request)
	}
	request["body"] = set(request["body"], slices.Collect(c.path.Tokens()), c.value)
	return asText(t, request)
}

// set returns the JSON value with another value at the path, or without that member.
func set(in any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch in := in.(type) {
	case []any:
		i, _ := strconv.Atoi(path[0])
		if len(path) == 1 && value == any(removed{}) {
			return slices.Delete(in, i, i+1)
		}
		in[i] = set(in[i], path[1:], value)
		return in
	case map[string]any:
		if len(path) == 1 && value == any(removed{}) {
			delete(in, path[0])
			return in
		}
		in[path[0]] = set(in[path[0]], path[1:], value)
		return in
	default:
		return set(map[string]any{}, path, value)
	}
}
