package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/calrules/calrules/emulator/internal/state"
)

// role is a user's level of access to a calendar.
type role int

const (
	noRole role = iota
	freeBusyReader
	reader
	eventWriter // cannot see private events
	writer
	owner
)

// roleNames lists the names of the roles in the public service.
var roleNames = []string{"none", "freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner"}

func (r role) String() string { return roleNames[r] }

// parseRole returns the role with the given name, or noRole.
func parseRole(name string) role { return role(max(0, slices.Index(roleNames, name))) }

// ruleID returns the id of the rule for a grantee. Email addresses are case-insensitive.
func ruleID(scopeType, value string) string {
	if scopeType == "default" {
		return scopeType
	}
	return scopeType + ":" + strings.ToLower(value)
}

// ruleID returns the rule id in the path.
func (c *call) ruleID() string { return strings.ToLower(c.Params["ruleId"]) }

// userRule returns a rule that grants a role to a user.
func userRule(user string, r role) resource {
	return resource{"id": ruleID("user", user), "scope": map[string]any{"type": "user", "value": user}, "role": r.String()}
}

// roleOf returns the highest role that the rules of a calendar grant to a user. In the emulator, groups have no members.
func roleOf(v *state.View, calendarID, user string) role {
	has := noRole
	_, domain, _ := strings.Cut(user, "@")
	for _, id := range []string{"default", ruleID("user", user), ruleID("domain", domain)} {
		if r, ok := v.Get(state.ACL, calendarID, id); ok {
			has = max(has, parseRole(decode(r.Value).text("role")))
		}
	}
	return has
}

const ruleKind = "calendar#aclRule"

// getRule handles acl.get.
func (s *Server) getRule(c *call) (reply, error) {
	return s.readResource(c, owner, func(v *state.View, cal calendar) (reply, error) {
		r, ok := v.Get(state.ACL, cal.id, c.ruleID())
		if !ok {
			return reply{}, refused(http.StatusNotFound, "notFound", "There is no such rule.")
		}
		return decode(r.Value).reply(ruleKind, r.Revision), nil
	})
}

// listRules handles acl.list. A removed rule has the role none.
func (s *Server) listRules(c *call) (reply, error) {
	return s.readResource(c, owner, func(v *state.View, cal calendar) (reply, error) {
		list, err := s.listAll(v, c, listing{"acl " + cal.id, v.Every(state.ACL, cal.id), func(r state.Resource) resource {
			rule := decode(r.Value)
			if r.Removed {
				rule["role"] = noRole.String()
			}
			return rule.shown(ruleKind, r.Revision)
		}})
		return list.reply("calendar#acl", v.Revision()), err
	})
}

// insertRule handles acl.insert, which replaces any existing rule for the grantee.
func (s *Server) insertRule(c *call) (reply, error) {
	return s.writeResource(c, func(tx *state.Tx, cal calendar) (reply, error) {
		body, err := c.body()
		if err != nil {
			return reply{}, err
		}
		scope := body.object("scope")
		body["id"] = ruleID(cmp.Or(scope.text("type"), "default"), scope.text("value"))
		if err := c.keepsOwner(cal, body.text("id"), body); err != nil {
			return reply{}, err
		}
		tx.Put(state.ACL, cal.id, body.text("id"), encode(body))
		touchListed(tx, cal.id)
		return body.reply(ruleKind, tx.Next()), nil
	})
}

// keepsOwner refuses a change that would take the owner role from the caller or from the data owner of the calendar. A nil
// rule means a removal.
func (c *call) keepsOwner(cal calendar, id string, rule resource) error {
	for _, user := range []string{c.token.Email, cal.value.text("dataOwner")} {
		if id == ruleID("user", user) && rule.text("role") != owner.String() {
			return refused(http.StatusForbidden, "cannotChangeOwnAcl", "The rule %s makes the caller or the data owner an owner of the calendar, and cannot be changed.", id)
		}
	}
	return nil
}

// changeRule handles acl.patch and acl.update. The scope of a rule never changes.
func (s *Server) changeRule(c *call) (reply, error) {
	return s.writeResource(c, func(tx *state.Tx, cal calendar) (reply, error) {
		touchListed(tx, cal.id)
		id := c.ruleID()
		return c.apply(tx, change{
			kind: state.ACL, owner: cal.id, id: id, keep: []string{"id", "kind", "etag", "scope"}, shows: ruleKind,
			check: func(_, next resource) error { return c.keepsOwner(cal, id, next) },
		})
	})
}

// deleteRule handles acl.delete.
func (s *Server) deleteRule(c *call) (reply, error) {
	return s.writeResource(c, func(tx *state.Tx, cal calendar) (reply, error) {
		id := c.ruleID()
		if err := c.keepsOwner(cal, id, nil); err != nil {
			return reply{}, err
		}
		touchListed(tx, cal.id)
		rule, _ := tx.Get(state.ACL, cal.id, id)
		return reply{}, c.remove(tx, state.ACL, cal.id, id, rule.Revision)
	})
}

// remove removes a resource if the request's condition is met. The tag is the revision in the resource's entity tag.
func (c *call) remove(tx *state.Tx, kind, owner, id string, tag state.Revision) error {
	if _, ok := tx.Get(kind, owner, id); !ok {
		return refused(http.StatusNotFound, "notFound", "There is no such resource.")
	}
	if err := c.ifMatch(tag); err != nil {
		return err
	}
	tx.Remove(kind, owner, id)
	return nil
}
