package event

import (
	"net/url"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
)

const supportsAttachments = `"params":{"supportsAttachments":"true"}`

// insertAttachments is an insert with n attachments and supportsAttachments=true.
type insertAttachments int

func (n insertAttachments) Example() diag.Example {
	list := strings.Repeat(`{"fileUrl":"https://files.example.com/1"},`, int(n))
	return sample.With(sample.Timed{`"attachments":[` + strings.TrimSuffix(list, ",") + `]`}, supportsAttachments).Example()
}

var attachmentsMax = diag.Rule{
	ID: "attachments.max", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attachments"},
	Summary: "An event must have at most 25 attachments.",
	Section: "calendar.md, Limits",
	Says:    constraint.Attachments.Says(),
	Good:    insertAttachments(constraint.AttachmentsMax),
	Bad:     insertAttachments(constraint.AttachmentsMax + 1),
}

// withIcons returns a stored event with the icons that the client may set, which come from the request, or the event itself if
// there are no such icons. In the public service, the client may set the icons of third-party attachments.
func (in *input) withIcons(stored *Event) *Event {
	if in.dialect != diag.Google || !slices.ContainsFunc(in.sent.Attachments, isOfThirdParty) {
		return stored
	}
	with := new(*stored)
	with.Attachments = slices.Clone(stored.Attachments)
	pairs := pairAttachments(in.sent.Attachments, stored.Attachments)
	for i, a := range in.sent.Attachments {
		if !isOfThirdParty(a) {
			continue
		}
		if was := partner(with.Attachments, pairs, i); was != nil {
			was.IconLink = a.IconLink
		} else {
			with.Attachments = append(with.Attachments, Attachment{FileURL: a.FileURL, IconLink: a.IconLink})
		}
	}
	return with
}

// isOfThirdParty reports whether the file is outside the public service's file storage.
func isOfThirdParty(a Attachment) bool {
	u, err := url.Parse(a.FileURL)
	return err == nil && u.Host != "" && u.Host != "drive.google.com" && u.Host != "docs.google.com"
}

var attachmentsFileURL = diag.Rule{
	ID: "attachments.file-url", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"attachments[].fileUrl"},
	Summary: "A new attachment must have a fileUrl.",
	Section: sectionParts,
	Why:     "For files in the file-storage service, the fileUrl has the format of the file's alternate link.",
	Says:    constraint.SaysRequired(nil),
	Good:    insertAttachments(1),
	Bad:     sample.With(sample.Timed{`"attachments":[{"title":"Agenda"}]`}, supportsAttachments),
}

var attachmentsSupports = diag.Rule{
	ID: "attachments.supports", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"attachments"},
	Summary: "A request that adds, changes or removes attachments must have the parameter supportsAttachments=true.",
	Section: sectionEvent + ", attachments",
	Why:     "The parameter supportsAttachments defaults to false. Attachments that are sent unchanged do not need it.",
	Good:    insertAttachments(1),
	Bad:     sample.Timed{`"attachments":[{"fileUrl":"https://files.example.com/1"}]`},
	Says: diag.Sentences{
		{Key: "new", Text: "The event has attachments without supportsAttachments=true. Add the parameter, or leave the attachments out.", Fix: diag.Proposal{At: "?supportsAttachments", Value: `"true"`, Certain: true}},
		{Key: "changed", Text: "The request adds, changes or removes attachments without supportsAttachments=true. Add the parameter, or send the attachments unchanged.", Fix: diag.Proposal{At: "?supportsAttachments", Value: `"true"`, Certain: true}},
		{Key: "left-out", Text: "The update leaves the attachments out without supportsAttachments=true. Send the attachments unchanged or, to remove them, add the parameter.", Fix: diag.Proposal{At: "?supportsAttachments", Value: `"true"`}},
	},
	AssumesValid: []diag.Pointer{"?supportsAttachments"},
	Check:        check(checkAttachmentsSupports),
}

func checkAttachmentsSupports(in *input, r engine.Reporter) {
	switch {
	case !changesAttachments(in):
	case in.existing == absentEvent:
		r.Report("/attachments", "new")
	case !in.present.Has(ofAttachments):
		r.Report("/attachments", "left-out")
	default:
		r.Report("/attachments", "changed")
	}
}

// ignored returns the members that the service ignores in the request.
func (in *input) ignored() object.Set {
	ignores := diag.Write.Has(in.on) && attachmentsSupports.KindIn(in.dialect) == diag.Ignore
	return when(ofAttachments, ignores && !in.options.SupportsAttachments)
}

// changesAttachments reports whether the request is known to change attachments without the supportsAttachments parameter.
// For an unknown event, changesAttachments returns false, because the request may send the attachments unchanged.
func changesAttachments(in *input) bool {
	return in.existing != unknownEvent && !in.options.SupportsAttachments && in.changes(ofAttachments)
}
