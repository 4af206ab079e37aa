package event

import (
	"maps"

	"github.com/calrules/calrules/diag"
)

// WithTexts returns a copy of c in whose findings the texts replace the sentences that rules declare, for another
// language or a house style. Sentences without a text stay as they are. The error, one line for each problem, names the
// texts for sentences that no rule of [Checker.Catalogue] has, so add the rules of [Checker.WithRules] first.
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
