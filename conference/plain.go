package conference

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
)

// Most requests with a conference add that of a provider: a solution, and entry points that fit their types. This file
// recognizes such changes in one pass, if no rule of this package has anything to report about them.

// isPlain reports whether a change writes a new conference in which there is nothing unusual. It replaces the checks of
// all rules.
func (c *Change) isPlain(on diag.When) bool {
	d := c.New
	if c.Old != nil || d == nil || !c.persists() || !diag.Write.Has(on) {
		return false
	}
	return d.CreateRequest == nil && constraint.ConferenceNotes.Has(d.Notes) && d.hasPlainType() && arePlain(d.EntryPoints)
}

// hasPlainType reports whether the type of the solution is one that a client can create, with an id of its form.
func (d *Data) hasPlainType() bool {
	switch d.Solution.typ() {
	case constraint.ConferenceAddOn:
		return true
	case constraint.ConferenceVideoMeet:
		return form.IsMeetingCode(d.ID)
	default:
		return false
	}
}

// arePlain reports whether no rule has anything to report about the entry points.
func arePlain(entries []EntryPoint) bool {
	var videos, phones, sips, mores int
	for i := range entries {
		p := &entries[i]
		fits := false
		switch p.Type {
		case constraint.EntryVideo:
			videos++
			fits = form.IsHTTPURL(p.URI)
		case constraint.EntryPhone:
			phones++
			fits = form.IsTelURI(p.URI)
		case constraint.EntrySIP:
			sips++
			fits = form.IsSIPURI(p.URI)
		case constraint.EntryMore:
			mores++
			fits = form.IsHTTPURL(p.URI) && p.Label == ""
		}
		if !fits || !p.isShort() {
			return false
		}
	}
	return max(videos, sips, mores) <= constraint.EntryPointsOfTypeMax && videos+phones+sips >= constraint.EntryPointsMin
}

// isShort reports whether no member is too long.
func (p *EntryPoint) isShort() bool {
	const most = constraint.EntryPointCodeMaxLength // bytes, of which no character has less than one
	return constraint.EntryPointURI.Has(p.URI) && constraint.EntryPointLabel.Has(p.Label) &&
		max(len(p.PIN), len(p.AccessCode), len(p.MeetingCode), len(p.Passcode), len(p.Password)) <= most
}
