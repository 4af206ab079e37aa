package rtdb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/ndjson"
)

// ParseRules parses a rules file in the format of the public service:
//
//	{"rules": {".read": true, "users": {".write": "auth != null"}}}
//
// The values of .read and .write are true, false or "auth != null". As in the public service, access that a rule grants to a
// location extends to all locations below it, and rules for those locations cannot revoke the access. The .indexOn key is
// ignored. ParseRules returns an error for anything else, such as other expressions, .validate, wildcards such as $uid, and names
// that occur twice.
func ParseRules(file []byte) (Rules, error) {
	var root *rule
	err := ndjson.Each(file, func(name string, value []byte) (err error) {
		if name != "rules" {
			return ndjson.NewError("it has a member other than rules")
		}
		root, err = parseRule(value, nil)
		return err
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("rtdb: the file of rules: %w", err)
	case root == nil:
		return nil, fmt.Errorf("rtdb: the file of rules has no member rules")
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

func parseRule(text []byte, at []string) (*rule, error) {
	if text[0] != '{' {
		return nil, ruleError(at, "rules are an object")
	}
	r := &rule{children: map[string]*rule{}}
	return r, ndjson.Each(text, func(name string, value []byte) (err error) {
		here := append(slices.Clip(at), name)
		switch name {
		case ".read":
			r.read, err = parseCondition(here, value)
		case ".write":
			r.write, err = parseCondition(here, value)
		case ".indexOn":
		default:
			if checkPath(here) != nil {
				return ruleError(here, "the emulator has .read and .write for named locations, and nothing else")
			}
			r.children[name], err = parseRule(value, here)
		}
		return err
	})
}

func ruleError(at []string, format string, args ...any) error {
	return fmt.Errorf("rtdb: rules of /%.200s: "+format, append([]any{strings.Join(at, "/")}, args...)...)
}

func parseCondition(at []string, text []byte) (condition, error) {
	switch string(text) {
	case "true", `"true"`:
		return condition{true, true}, nil
	case "false", `"false"`:
		return condition{}, nil
	case `"auth != null"`, `"auth !== null"`:
		return condition{users: true}, nil
	}
	return condition{}, ruleError(at, `the emulator knows the conditions true, false and "auth != null", not %.100s`, text)
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
