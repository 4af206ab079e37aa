package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Expect lists the members that an answer must contain. The README of the cases describes the members.
type Expect struct {
	Error          bool      `json:"error"`          // the line is not a request, or answering it exceeds the budget
	Findings       []Finding `json:"findings"`       // all findings, in order
	AnswerFindings []Finding `json:"answerFindings"` // all findings about the answer to the request, in order
	Absent         []string  `json:"absent"`         // JSON Pointers to members that the answer must not have
	Starts         []string  `json:"starts"`         // the starts of all instances of a series

	// Has contains the other members that the answer must contain.
	Has map[string]any `json:"-"`
}

// Finding is the part of a finding that is compared: everything except its sentence and its basis.
type Finding struct {
	Rule  string `json:"rule"`
	Kind  string `json:"kind"`
	Path  string `json:"path"`
	Cause string `json:"cause,omitempty"`
}

// UnmarshalJSON decodes the "expect" member of a line.
func (e *Expect) UnmarshalJSON(text []byte) error {
	type plain Expect
	if err := json.Unmarshal(text, (*plain)(e)); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &e.Has); err != nil {
		return err
	}
	for _, name := range []string{"error", "findings", "answerFindings", "absent", "starts"} {
		delete(e.Has, name)
	}
	return nil
}

// Finds reports whether a finding with the given rule, or caused by it, is expected.
func (e *Expect) Finds(rule string) bool {
	return slices.ContainsFunc(slices.Concat(e.Findings, e.AnswerFindings), func(f Finding) bool { return f.Rule == rule || f.Cause == rule })
}

// Differences returns one line for each difference between an answer and the expected answer.
func (c *Case) Differences(answer []byte) []string {
	var got struct {
		Error          string
		Findings       []Finding
		AnswerFindings []Finding
		Instances      []struct {
			Start struct{ Date, DateTime string }
		}
	}
	var whole map[string]any
	if err := json.Unmarshal(answer, &whole); err != nil {
		return []string{fmt.Sprintf("the answer is not an object: %v", err)}
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return []string{err.Error()}
	}
	var starts []string
	for _, in := range got.Instances {
		starts = append(starts, in.Start.Date+in.Start.DateTime)
	}

	var all []string
	if (got.Error != "") != c.Expect.Error {
		all = append(all, fmt.Sprintf("the error is %q", got.Error))
	}
	if found := compared(got.Findings, c.Expect.Findings); !slices.Equal(found, c.Expect.Findings) {
		all = append(all, fmt.Sprintf("the findings are %v, want %v", found, c.Expect.Findings))
	}
	if found := compared(got.AnswerFindings, c.Expect.AnswerFindings); !slices.Equal(found, c.Expect.AnswerFindings) {
		all = append(all, fmt.Sprintf("the findings about the answer are %v, want %v", found, c.Expect.AnswerFindings))
	}
	if c.Expect.Starts != nil && !slices.Equal(starts, c.Expect.Starts) {
		all = append(all, fmt.Sprintf("the instances start at %v, want %v", starts, c.Expect.Starts))
	}
	all = append(all, lacks("", c.Expect.Has, whole)...)
	for _, pointer := range c.Expect.Absent {
		if value, ok := at(whole, pointer); ok {
			all = append(all, fmt.Sprintf("%s is %v, want none", pointer, value))
		}
	}
	return all
}

// compared returns findings without causes that are missing from the expected findings.
func compared(findings, want []Finding) []Finding {
	findings = slices.Clone(findings)
	for i := range findings {
		if i >= len(want) || want[i].Cause == "" {
			findings[i].Cause = ""
		}
	}
	return findings
}

// lacks returns the places where got does not contain want. An object contains another object if it has all members of the
// other object; any other value must be equal.
func lacks(path string, want, got any) (all []string) {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s is %v, want an object", path, got)}
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			all = append(all, lacks(path+"/"+name, want[name], object[name])...)
		}
		return all
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return []string{fmt.Sprintf("%s is %v, want %v", path, got, want)}
		}
		for i, value := range want {
			all = append(all, lacks(path+"/"+strconv.Itoa(i), value, array[i])...)
		}
		return all
	}
	if want != got {
		return []string{fmt.Sprintf("%s is %v, want %v", path, got, want)}
	}
	return nil
}

// at returns the value to which a JSON Pointer points, and reports whether the value exists.
func at(value any, pointer string) (any, bool) {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch in := value.(type) {
		case map[string]any:
			member, ok := in[token]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(in) {
				return nil, false
			}
			value = in[i]
		default:
			return nil, false
		}
	}
	return value, true
}
