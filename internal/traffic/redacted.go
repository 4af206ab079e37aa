package traffic

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/operation"
)

// Redacted returns a finding without values and without names chosen by a client, which become * in the path.
func Redacted(f diag.Finding) diag.Finding {
	f = f.Redacted()
	f.Path = redactedPath(f.Path)
	for i := range f.Args {
		if a := &f.Args[i]; a.Kind == wording.OfName && !isKnown(a.Text) {
			*a = wording.Text(a.Name, "(redacted)")
		}
	}
	return f
}

// redactedPath returns a path in which * replaces every token except indexes and known names.
func redactedPath(path diag.Pointer) diag.Pointer {
	if !path.InBody() {
		if name := string(path[1:]); !isKnown(name) && !strings.HasPrefix(string(path), "#") {
			return path[:1] + "*"
		}
		return path
	}
	safe := diag.Pointer("")
	for token := range path.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 16); err != nil && !isKnown(token) {
			token = "*"
		}
		safe = safe.Member(token)
	}
	return safe
}

// Member returns a path in which * replaces each index and each name chosen by a client.
func Member(path diag.Pointer) diag.Pointer {
	path = redactedPath(path)
	if !path.InBody() {
		return path
	}
	member := diag.Pointer("")
	for token := range path.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			token = "*"
		}
		member = member.Member(token)
	}
	return member
}

func isKnown(name string) bool { return knownNames()[name] }

// knownNames returns the names of operations, parameters and members, and the names of their values, in both dialects.
var knownNames = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{"true": true, "false": true, "access_token": true, "auth": true, "auth_variable_override": true}
	add := func(names ...string) {
		for _, name := range names {
			known[name], known[diag.Google.Name(name)] = true, true
		}
	}
	fields := func(list []event.Field) {
		for _, f := range list {
			add(strings.FieldsFunc(f.Path, func(c rune) bool { return strings.ContainsRune(".[]*", c) })...)
			for _, c := range f.Constraints {
				add(c.Values...)
			}
		}
	}
	fields(event.Fields())
	for op := range operation.All() {
		add(string(op.ID))
		fields(event.BodyFields(op.ID))
		for _, p := range op.ParamsIn(diag.Google) {
			add(append(slices.Clone(p.Values), p.Name, p.Only, p.Default)...)
		}
		for _, segment := range strings.Split(op.Path, "/") {
			add(strings.Trim(segment, "{}"))
		}
	}
	for _, form := range resource.Forms() {
		addMembers(form, add)
	}
	return known
})

// addMembers calls add with the names of the members in the form of a response.
func addMembers(form *resource.Form, add func(...string)) {
	if form == nil {
		return
	}
	for name, member := range form.Members {
		add(name)
		addMembers(member, add)
	}
	addMembers(form.Each, add)
}
