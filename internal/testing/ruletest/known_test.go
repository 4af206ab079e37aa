package ruletest

// unproven lists the rules whose examples do not prove anything yet. Remove a rule from the list once its examples do.
var unproven = []string{
	// Its bad example raises another rule.
	"rtdb.errors",
}

// accompanied lists the rules that cannot be shown, or are not shown, without a finding of
// another rule beside theirs. Such a finding must not reject.
var accompanied = []string{
	"recurrence.on-instance", "event.original-start.member", // recurringEventId or originalStartTime is sent
	"gadget.size", "gadget.display.enum", "gadget.preferences", // the gadget is deprecated
	"insert.param.boolean", "insert.param.send-updates.default", // sendNotifications is deprecated
	"list.order-by", "list.time-range", "list.max-results", "list.extended-property-param", // the documents do not show the parameter
	"attendee.removed", "attendee.answer-lost", "attendee.omitted-ignored", // guests change without sendUpdates
	"dialect.mixed",            // the name of the other dialect is wrong
	"patch.whole",              // the patched time has two forms
	"rtdb.legacy.presentation", // legacy credentials are not recommended
}
