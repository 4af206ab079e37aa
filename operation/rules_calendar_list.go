package operation

import (
	"github.com/calrules/calrules/diag"
)

var calendarListSyncToken = diag.Rule{
	ID: "calendar-list.sync-token.alone", Kind: diag.Reject, When: diag.CalendarListList | diag.CalendarListWatch, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The parameter syncToken cannot be combined with minAccessRole, showOwnOrganizationOnly, showDeleted=false or " +
		"showHidden=false.",
	Section:  sectionObserved,
	Seen:     "The reference of the public service excludes these parameters.",
	Reported: []string{discoveryPage},
	Why:      "A list of changes always includes removed and hidden entries.",
	OnlyIn:   new(diag.Google),
	Says:     diag.Sentences{saysBeside},
	Good:     requestIn{"calendarList.list", `"syncToken":"CPDAlvWDx70CEPDAlvWDx70CGAU=","showDeleted":"true"`},
	Bad:      requestIn{"calendarList.list", `"syncToken":"CPDAlvWDx70CEPDAlvWDx70CGAU=","showHidden":"false"`},
	Check:    check(checkSyncToken),
}
