package event

import (
	"maps"

	"github.com/calrules/calrules/diag"
)

// WithTexts returns a copy of c whose findings use the given texts instead of the rules' own sentences, for another
// language or a house style. Sentences without a text stay as they are. WithTexts returns an error, with a line for
// each problem, if a text is for a sentence that no rule of [Checker.Catalogue] has, so call [Checker.WithRules] first.
func (c *Checker) WithTexts(texts diag.Texts) (*Checker, error) {
	if err := texts.Validate(c.Catalogue()); err != nil {
		return nil, err
	}
	with := *c.orZero()
	with.texts = maps.Clone(with.texts)
	if with.texts == nil {
		with.texts = diag.Texts{}
	}
	maps.Copy(with.texts, texts)
	return &with, nil
}
