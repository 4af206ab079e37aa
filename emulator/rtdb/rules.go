package rtdb

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ParseRules parses a rules file in the format of the public service:
//
//	{"rules": {".read": true, "users": {".write": "auth != null"}}}
//
// The values of .read and .write are true, false or "auth != null". As in the public service, access that a rule grants to a
// location extends to all locations below it, and rules for those locations cannot revoke the access. The .indexOn key is
// ignored. ParseRules returns an error for anything else, such as other expressions, .validate, and wildcards such as $uid.
func ParseRules(file []byte) (Rules, error) {
	var f struct {
		Rules json.RawMessage `json:"rules"`
	}
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, fmt.Errorf("rtdb: the rules are not JSON: %w", err)
	}
	if f.Rules == nil {
		return nil, fmt.Errorf("rtdb: the file of rules has no member rules")
	}
	root, err := parseRule(f.Rules, nil)
	if err != nil {
		return nil, err
	}
	return root.allows, nil
}

// A rule determines who may read and write a location and all locations below it.
type rule struct {
	read, write condition
	children    map[string]*rule
}

// A condition states whether access is allowed to everyone, and to users who have signed in.
type condition struct{ anyone, users bool }

func parseRule(text json.RawMessage, at []string) (*rule, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return nil, ruleError(at, "rules are an object")
	}
	r := &rule{children: map[string]*rule{}}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		here := append(slices.Clip(at), name)
		var err error
		switch name {
		case ".read":
			r.read, err = parseCondition(here, members[name])
		case ".write":
			r.write, err = parseCondition(here, members[name])
		case ".indexOn":
		default:
			if checkPath(here) != nil {
				return nil, ruleError(here, "the emulator has .read and .write for named locations, and nothing else")
			}
			r.children[name], err = parseRule(members[name], here)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

func ruleError(at []string, format string, args ...any) error {
	return fmt.Errorf("rtdb: rules of /%s: "+format, append([]any{strings.Join(at, "/")}, args...)...)
}

func parseCondition(at []string, text json.RawMessage) (condition, error) {
	switch string(text) {
	case "true", `"true"`:
		return condition{true, true}, nil
	case "false", `"false"`:
		return condition{}, nil
	case `"auth != null"`, `"auth !== null"`:
		return condition{users: true}, nil
	}
	return condition{}, ruleError(at, `the emulator knows the conditions true, false and "auth != null", not %s`, text)
}

// allows reports whether the rules allow an access.
func (r *rule) allows(a Access) bool {
	for i := 0; r != nil; i++ {
		c := r.read
		if a.Write {
			c = r.write
		}
		if c.anyone || c.users && a.Decision.Access() != "public" {
			return true
		}
		if i == len(a.Path) {
			return false
		}
		r = r.children[a.Path[i]]
	}
	return false
}
