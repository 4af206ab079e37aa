package main

import (
	"slices"

	"github.com/calrules/calrules/internal/batch"
)

// verbData is a [batch.Verb] as JSON.
type verbData struct {
	Name      string         `json:"name"`
	Sentence  string         `json:"sentence"`
	IsIntent  bool           `json:"isIntent"`
	Alone     bool           `json:"alone"`
	Arguments []argumentData `json:"arguments"`
}

// argumentData is a [batch.Argument] of a verb as JSON.
type argumentData struct {
	Name     string             `json:"name"`
	Kind     batch.ArgumentKind `json:"kind"`
	Words    []string           `json:"words,omitempty"`
	Usage    string             `json:"usage"`
	Required bool               `json:"required"`
	Many     bool               `json:"many"`
}

// answerVerbs answers with all verbs and ignores the request.
func answerVerbs(_, dst []byte) []byte {
	verbs := []verbData{}
	for _, v := range batch.Verbs {
		data := verbData{v.Name, v.Sentence, v.IsIntent(), v.Alone, []argumentData{}}
		for _, a := range batch.Arguments {
			required := slices.Contains(v.Args, a.Name)
			if required || slices.Contains(v.Optional, a.Name) {
				data.Arguments = append(data.Arguments, argumentData{a.Name, a.Kind, a.Words, a.Usage, required, v.Many == a.Name})
			}
		}
		verbs = append(verbs, data)
	}
	return appendJSON(dst, map[string]any{"verbs": verbs})
}
