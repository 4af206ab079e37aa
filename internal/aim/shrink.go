package aim

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/calrules/calrules/internal/gen/draw"
)

// mostShrinks is the maximum number of stories to run to find a smaller story, and allShrinks is the maximum for all
// disagreements together.
const (
	mostShrinks = 40
	allShrinks  = 400
)

// shrink returns the smallest story found with the same disagreement. A smaller story has fewer members in the body and in the
// stored event, fewer parameters, or a stored event that is not cancelled.
func (r *run) shrink(o *outcome) *outcome {
	left := min(mostShrinks, allShrinks/len(r.differing))
	for {
		smaller, told := r.shrinkOnce(o, left)
		if smaller == nil {
			return o
		}
		o = smaller
		left -= told
	}
}

// shrinkOnce runs stories with one part removed until a story has the same disagreement, and returns that story's outcome and
// the number of stories run.
func (r *run) shrinkOnce(o *outcome, most int) (smaller *outcome, told int) {
	all := o.story.smaller()
	for i, s := range all[:min(most, len(all))] {
		if r.report.Stopped != "" {
			return nil, i
		}
		if found := r.tell(s); o.isShownBy(found) {
			return found, i + 1
		}
	}
	return nil, most
}

// isShownBy reports whether another story shows the same disagreement, and breaks no more rules.
func (o *outcome) isShownBy(found *outcome) bool {
	return found.key() == o.key() && found.rejections <= o.rejections && found.notTried+found.unclear == ""
}

// smaller returns the stories with one part removed, starting with the largest parts.
func (s *story) smaller() (all []*story) {
	if s.cancelled {
		c := *s
		c.cancelled = false
		all = append(all, &c)
	}
	for _, body := range without(s.tree(s.body)) {
		c := *s
		c.body = draw.EncodeJSON(body)
		all = append(all, &c)
	}
	if s.was != nil {
		for _, made := range without(decoded(s.made)) {
			c := *s
			c.made = draw.EncodeJSON(made)
			all = append(all, &c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.params)) {
		if name == "sendUpdates" || name == "sendNotifications" {
			continue
		}
		c := *s
		c.params = maps.Clone(s.params)
		delete(c.params, name)
		all = append(all, &c)
	}
	return all
}

// without returns smaller versions of the object: without either half of its members, without each member, and without
// each part of a member.
func without(object tree) (all []tree) {
	size := func(name string) int { return len(draw.EncodeJSON(tree{"": object[name]})) }
	names := slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		return cmp.Or(cmp.Compare(size(b), size(a)), cmp.Compare(a, b))
	})
	less := func(names ...string) {
		c := maps.Clone(object)
		for _, name := range names {
			delete(c, name)
		}
		all = append(all, c)
	}
	if half := len(names) / 2; half > 1 {
		less(names[:half]...)
		less(names[half:]...)
	}
	for _, name := range names {
		less(name)
	}
	for _, name := range names {
		for _, part := range parts(object[name]) {
			c := maps.Clone(object)
			c[name] = part
			all = append(all, c)
		}
	}
	return all
}

// parts returns smaller versions of a value. Each version lacks one element or member, or one part of an element or member.
func parts(value any) (all []any) {
	switch value := value.(type) {
	case tree:
		for _, c := range without(value) {
			all = append(all, c)
		}
	case []any:
		for i := range value {
			all = append(all, slices.Delete(slices.Clone(value), i, i+1))
		}
		for i := range value {
			for _, part := range parts(value[i]) {
				c := slices.Clone(value)
				c[i] = part
				all = append(all, c)
			}
		}
	}
	return all
}

// curl returns the requests in a story, except deletions, as shell commands. The commands read the caller's header fields from
// files.
func (o *outcome) curl(r *run) (lines []string) {
	for _, x := range o.requests {
		line := "curl -X " + x.method + " " + quoted(x.url)
		for _, name := range slices.Sorted(maps.Keys(x.header)) {
			for _, value := range x.header[name] {
				line += " -H " + quoted(name+": "+value)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(r.Header)) {
			line += ` -H "` + name + `: $(cat FILE)"`
		}
		if len(x.body) > 0 {
			line += " --data-binary " + quoted(string(x.body))
		}
		lines = append(lines, line)
	}
	return lines
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
