package event

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
)

// dropRestated drops the findings that restate another one, so that one fault is one finding.
func (r *run) dropRestated() {
	if len(r.report.Findings) > 1 {
		r.report.Findings = slices.DeleteFunc(r.report.Findings, r.isRestated)
	}
}

// isRestated reports whether a finding restates one that rejects: about the query parameter that the member needs, or
// about the same change.
func (r *run) isRestated(f diag.Finding) bool {
	parameter, rank := parameterOf(f.Rule), changeRank(f.Rule)
	if parameter == "" && rank == 0 {
		return false
	}
	for i := range r.report.Findings {
		g := &r.report.Findings[i]
		switch {
		case g.Kind != diag.Reject:
		case g.Path == parameter && parameter != "":
			return true
		case changeRank(g.Rule) < rank && !isOwn(g.Rule) && !isOfPair(g.Rule) && isAt(g.Path, f.Path):
			return true
		case f.Rule == &patchWhole && isFixing(g.Rule) && (g.Path == "/start" || g.Path == "/end"):
			return true // what becomes of both, if one of them cannot change
		}
	}
	return false
}

// parameterOf returns the query parameter that a rule about a member asks for. If the parameter is sent with a value that is
// refused, it is not missing.
func parameterOf(rule *diag.Rule) diag.Pointer {
	switch rule.ID {
	case ruleid.AttachmentsSupports:
		return "?supportsAttachments"
	case ruleid.EventLabelVersion:
		return "?eventLabelVersion"
	case ruleid.ConferenceVersion:
		return "?conferenceDataVersion"
	default:
		return ""
	}
}

// changeRank orders the rules that can report the same change of a member. A rule of a lower rank says more: that the value is
// wrong whatever is stored, which is rank 0, that the member is fixed, or that the stored event needs it.
func changeRank(rule *diag.Rule) int {
	switch rule {
	case &originalStartImmutable, &birthdayImmutable, &eventTypeImmutable, &eventLocked:
		return 1
	case &fromMailModify:
		return 2
	case &patchWhole:
		return 3
	case &birthdayModify, &organizerOnly:
		return 4
	default:
		return 0
	}
}

// isFixed reports whether the request is refused because the member at the path cannot change.
func (r *run) isFixed(path diag.Pointer) bool {
	return slices.ContainsFunc(r.report.Findings, func(f diag.Finding) bool {
		return f.Kind == diag.Reject && f.Path == path && isFixing(f.Rule)
	})
}

// isFixing reports whether a rule fixes a member of some events.
func isFixing(rule *diag.Rule) bool {
	rank := changeRank(rule)
	return rank == 1 || rank == 2
}

// isOfPair reports whether a rule compares the start and the end, so a finding about one of them may be about the other.
func isOfPair(rule *diag.Rule) bool { return rule == &timeSameForm || rule == &timeOrder }

// isAt reports whether a finding at path is about the change of a member: about the member itself or, if it changes only as a
// whole, about a part of it.
func isAt(path, member diag.Pointer) bool {
	rest, ok := strings.CutPrefix(string(path), string(member))
	switch member {
	case "/start", "/end", "/originalStartTime", "/recurrence":
		return ok && (rest == "" || rest[0] == '/')
	default:
		return ok && rest == ""
	}
}
