package event

import (
	"maps"

	"github.com/calrules/calrules/diag"
)

// WithTexts returns a copy of c whose findings use the given texts instead of the rules' own sentences, for a different
// language or a house style. Sentences that the given texts do not replace are unchanged. WithTexts returns an error, with a
// line for each problem, if a text is invalid; see [diag.Texts.Validate]. To replace sentences of added rules, call
// [Checker.WithRules] first.
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
