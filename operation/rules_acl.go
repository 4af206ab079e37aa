package operation

import (
	"github.com/calrules/calrules/diag"
)

var aclSyncToken = diag.Rule{
	ID: "acl.sync-token.alone", Kind: diag.Reject, When: diag.ACLList | diag.ACLWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The parameter syncToken cannot be combined with showDeleted=false.",
	Section:  sectionObserved,
	Seen:     "The reference of the public service excludes showDeleted=false.",
	Reported: []string{discoveryPage},
	Why:      "A list of changes always includes removed rules.",
	OnlyIn:   new(diag.Google),
	Says:     diag.Sentences{saysBeside},
	Good:     requestIn{"acl.list", `"syncToken":"CPDAlvWDx70CEPDAlvWDx70CGAU="`},
	Bad:      requestIn{"acl.list", `"syncToken":"CPDAlvWDx70CEPDAlvWDx70CGAU=","showDeleted":"false"`},
	Check:    check(checkSyncToken),
}
