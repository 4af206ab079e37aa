package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// examples returns the examples of a rule as a diff, in which a minus marks the lines of the bad example.
func examples(r *diag.Rule) string {
	good, bad := r.Examples()
	if good.Request == "" {
		return ""
	}
	d := difference{reads: r.Reads}
	d.value("", compact(bad.Request), compact(good.Request))
	answer := "answer"
	if good.Via != "" {
		answer += " through " + good.Via
	}
	d.value(answer, compact(bad.Answer), compact(good.Answer))
	kept, broken := Captions(r)
	return fmt.Sprintf("\n`-` %s, `+` %s:\n\n```diff\n%s```\n", lower(broken), lower(kept), d.lines.String())
}

func lower(caption string) string { return strings.ToLower(caption[:1]) + caption[1:] }

// difference is the difference between two JSON values, shown together with the common values that a rule reads.
type difference struct {
	reads []string
	lines strings.Builder
}

const (
	narrow = 80  // longer values, in bytes, are compared member by member
	wide   = 200 // longer values, in bytes, are truncated
)

// value writes the lines for the two values at a path, which are "" if missing.
func (d *difference) value(path, bad, good string) {
	isLong := path == "" || slices.Contains(parts, path) || max(len(bad), len(good)) > narrow
	switch {
	case bad == good:
		d.common(path, good)
	case isLong && alike(bad, good):
		d.members(path, bad, good)
	default:
		d.line('-', path, bad)
		d.line('+', path, good)
	}
}

// members writes the lines for the members or elements of two values.
func (d *difference) members(path, bad, good string) {
	ofBad, ofGood := membersOf(bad), membersOf(good)
	for _, m := range ofBad {
		d.value(join(path, m.name), m.value, find(ofGood, m.name))
	}
	for _, m := range ofGood {
		if find(ofBad, m.name) == "" {
			d.value(join(path, m.name), "", m.value)
		}
	}
}

// parts are the paths of the values that are events.
var parts = []string{"body", "existing"}

// common writes a value that is common to both examples if the value is not part of an event, or if the rule reads it.
func (d *difference) common(path, value string) {
	part, member, isMember := strings.Cut(path, ".")
	switch {
	case slices.Contains(parts, path):
		for _, m := range membersOf(value) {
			d.common(join(path, m.name), m.value)
		}
	case !isMember && !strings.Contains(path, "["), slices.Contains(parts, part) && d.isRead(member):
		d.line(' ', path, value)
	}
}

// isRead reports whether the rule reads a member of an event or a part of the member.
func (d *difference) isRead(member string) bool {
	return slices.ContainsFunc(d.reads, func(path string) bool {
		rest, ok := strings.CutPrefix(path, member)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// line writes a line with a value, unless the value is "".
func (d *difference) line(mark byte, path, value string) {
	if value == "" {
		return
	}
	if len(value) > wide {
		value = value[:wide] + "…"
	}
	fmt.Fprintf(&d.lines, "%c %s: %s\n", mark, path, strings.ToValidUTF8(value, ""))
}

// compact returns JSON text without insignificant white space, or any other text unchanged.
func compact(text string) string {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		return text
	}
	return out.String()
}

// kindOf returns '{' for an object, '[' for an array, or 0 for any other value.
func kindOf(value string) byte {
	if value != "" && json.Valid([]byte(value)) && (value[0] == '{' || value[0] == '[') {
		return value[0]
	}
	return 0
}

// alike reports whether two values are both objects, or both arrays that differ only in single elements or at the end.
func alike(bad, good string) bool {
	if kindOf(bad) != '[' || kindOf(good) != '[' {
		return kindOf(bad) == '{' && kindOf(good) == '{'
	}
	ofBad, ofGood := membersOf(bad), membersOf(good)
	n := min(len(ofBad), len(ofGood))
	return len(ofBad) == len(ofGood) || slices.Equal(ofBad[:n], ofGood[:n])
}

type member struct{ name, value string }

// membersOf returns the members of an object, or the elements of an array named by their indexes.
func membersOf(text string) (members []member) {
	d := json.NewDecoder(strings.NewReader(text))
	d.Token() // the opening brace or bracket
	for d.More() {
		name := fmt.Sprintf("[%d]", len(members))
		if text[0] == '{' {
			token, _ := d.Token()
			name = token.(string)
		}
		var value json.RawMessage
		d.Decode(&value)
		members = append(members, member{name, string(value)})
	}
	return members
}

func find(members []member, name string) string {
	i := slices.IndexFunc(members, func(m member) bool { return m.name == name })
	if i < 0 {
		return ""
	}
	return members[i].value
}

func join(path, name string) string {
	if path == "" || name[0] == '[' {
		return path + name
	}
	return path + "." + name
}
