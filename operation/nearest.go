package operation

import (
	"slices"
	"strings"
	"sync"

	"github.com/calrules/calrules/internal/form"
)

// The costs of differences between a path and the path of an operation, for choosing the nearest operation. A segment is more
// likely to be missing than superfluous, and the path has more weight than the method.
const (
	otherCase      = 1 // a fixed segment differs in case, or the value of a placeholder is empty
	misspelt       = 2 // a fixed segment is misspelled
	missingFixed   = 2
	missingValue   = 4
	wordAsValue    = 4 // the value of a placeholder is similar to a fixed segment
	extraSegment   = 5
	otherMethod    = 5
	anotherSegment = 6
)

// nearest returns the operation whose method and path differ least from the given method and path. If several operations are
// equally near, nearest returns the first of them in the endpoint table.
func nearest(method, path string) *Operation {
	const most = 2 * maxSegments // the rest of a longer path counts as one segment
	sent := strings.SplitN(strings.TrimPrefix(path, "/"), "/", most)
	cost := func(op *Operation) int {
		if op.Method == method {
			return distance(op.segments, sent)
		}
		return distance(op.segments, sent) + otherMethod
	}
	return slices.MinFunc(operations(), func(a, b *Operation) int { return cost(a) - cost(b) })
}

// distance returns the minimum cost of the edits that turn a template into the segments of a path.
func distance(template, sent []string) int {
	costs := make([]int, len(sent)+1) // the costs for the template so far, indexed by the number of segments
	for j := range costs {
		costs[j] = j * extraSegment
	}
	for _, segment := range template {
		missing := missingFixed
		if _, isValue := placeholder(segment); isValue {
			missing = missingValue
		}
		diagonal := costs[0]
		costs[0] += missing
		for j := range sent {
			diagonal, costs[j+1] = costs[j+1], min(diagonal+difference(segment, sent[j]), costs[j+1]+missing, costs[j]+extraSegment)
		}
	}
	return costs[len(sent)]
}

// fixedSegments returns the template segments that are not placeholders.
var fixedSegments = sync.OnceValue(func() *form.Words {
	words := new(form.Words)
	for _, op := range operations() {
		for _, segment := range op.segments {
			if _, isValue := placeholder(segment); !isValue {
				words.List = append(words.List, segment)
			}
		}
	}
	return words
})

// difference returns the cost of replacing a template segment with the segment sent.
func difference(template, sent string) int {
	_, isValue := placeholder(template)
	switch {
	case isValue && sent == "", !isValue && sent != template && strings.EqualFold(sent, template):
		return otherCase
	case sent == template:
		return 0
	case isValue:
		if _, isWord := fixedSegments().Nearest(sent); isWord {
			return wordAsValue
		}
		return 0
	}
	if _, isNear := form.Nearest(sent, []string{template}); isNear {
		return misspelt
	}
	return anotherSegment
}
