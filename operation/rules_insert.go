package operation

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
)

var insertRange = diag.Rule{
	ID: "insert.param.range", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameters conferenceDataVersion and eventLabelVersion must be 0 or 1 and default to 0.",
	Section: sectionInsert,
	Why: "The versions decide whether the service processes conference data, and whether it processes the label or the color. Only " +
		"decimal digits are accepted, because the documents do not define other spellings.",
	Says: diag.Sentences{{
		Key:  "wrong",
		Text: "The parameter {parameter} is {value}; it must be an integer from {low} to {high}, in decimal digits without a sign or leading zeros.",
	}},
	Good:  insertWith(`"conferenceDataVersion":"1","eventLabelVersion":"0"`),
	Bad:   insertWith(`"conferenceDataVersion":"2"`),
	Check: check(checkParam),
}

var insertMaxAttendees = diag.Rule{
	ID: "insert.param.max-attendees", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter maxAttendees must be an integer of at least 1.",
	Section: sectionInsert,
	Why: "The parameter is the maximum number of attendees in the response; if there are more, only the participant is returned. The " +
		"documents do not say explicitly that the number must be positive. In the dialect of the public service, param.value covers this " +
		"parameter.",
	Says: diag.Sentences{{
		Key:  "wrong",
		Text: "The parameter {parameter} is {value}; it must be an integer from {low} to {high}, in decimal digits without a sign or leading zeros.",
	}},
	Good:  insertWith(`"maxAttendees":"1"`),
	Bad:   insertWith(`"maxAttendees":"0"`),
	Check: check(checkParam),
}

var insertSendUpdates = diag.Rule{
	ID: "insert.param.send-updates", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter sendUpdates must be " + constraint.SendUpdates.String() + ".",
	Section: sectionInsert,
	Why: "The parameter sendUpdates decides which guests are notified. The rule insert.param.send-updates.default covers false, the " +
		"stated default. In the dialect of the public service, param.value covers this parameter.",
	Says:  diag.Sentences{wrong},
	Good:  insertWith(`"sendUpdates":"externalOnly"`),
	Bad:   insertWith(`"sendUpdates":"everyone"`),
	Check: check(checkParam),
}

var insertSendNotifications = diag.Rule{
	ID: "insert.param.send-notifications", Kind: diag.Advise, When: diag.Insert | diag.Modify | diag.Delete | diag.Move | diag.QuickAdd,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter sendNotifications is deprecated. Use sendUpdates.",
	Section: sectionInsert,
	Why: "Only sendUpdates distinguishes guests within the service from other guests. The documents do not define the effect of sending " +
		"both parameters. The value true contradicts none, and false contradicts all and externalOnly.",
	Says: diag.Sentences{
		{Key: "deprecated", Text: "The parameter {parameter} is deprecated. Use sendUpdates."},
		{Key: "contradicts", Text: "The parameter {parameter} is {value}, which contradicts sendUpdates={other}. Leave out {parameter}, which is deprecated."},
	},
	Supersedes: []string{ruleid.OperationUnspecified},
	Good:       insertWith(`"sendUpdates":"all"`),
	Bad:        insertWith(`"sendUpdates":"all","sendNotifications":"true"`),
	Check:      check(checkDeprecated),
}

func checkDeprecated(in *input, r engine.Reporter) {
	value, given := in.value()
	if !given || in.Name != sendNotifications {
		return
	}
	updates, _ := in.query.only(sendUpdates)
	notifies, isBoolean := boolean(value)
	if isBoolean && constraint.SendUpdates.Has(updates) && notifies == (updates == "none") {
		r.Report(in.path(), "contradicts", diag.Name("parameter", in.Name), diag.Value("value", value), diag.Name("other", updates))
		return
	}
	r.Report(in.path(), "deprecated", diag.Name("parameter", in.Name))
}

var insertBoolean = diag.Rule{
	ID: "insert.param.boolean", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A boolean parameter must be true or false.",
	Section: sectionInsert,
	Why: "Other spellings, such as 1, TRUE or an empty value, mean true to some servers and false to others. The parameter " +
		"supportsAttachments has a separate rule.",
	Says:  diag.Sentences{wrong},
	Good:  insertWith(`"sendUpdates":"none","sendNotifications":"false"`),
	Bad:   insertWith(`"sendUpdates":"none","sendNotifications":"1"`),
	Check: check(checkParam),
}

var insertSendUpdatesDefault = diag.Rule{
	ID: "insert.param.send-updates.default", Kind: diag.Unspecified, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The stated default of sendUpdates is false, which is not one of its values.",
	Section: sectionInsert,
	Why: "The documents do not say who is notified if sendUpdates is absent. Users would switch off a finding on every insert without " +
		"sendUpdates, so only requests that rely on the default are reported: those that send false, which is not rejected because the " +
		"documents state it, and those that send only the deprecated sendNotifications.",
	Says: diag.Sentences{
		{Key: "default", Text: "The parameter sendUpdates is {default}, its documented default, which is not one of its values. Send {limit}.", Fix: diag.Proposal{At: "?sendUpdates", Value: `"all"`}},
		{Key: "absent", Text: "The parameter sendUpdates is absent, and its documented default, {default}, is not one of its values. Send {values}."},
	},
	Good:  insertWith(`"sendNotifications":"true","sendUpdates":"all"`),
	Bad:   insertWith(`"sendNotifications":"true"`),
	Check: check(checkSendUpdatesDefault),
}

func checkSendUpdatesDefault(in *input, r engine.Reporter) {
	stated := diag.Name("default", sendUpdatesDefault)
	value, given := in.value()
	switch {
	case in.Name == sendUpdates && value == sendUpdatesDefault:
		r.Report(in.path(), "default", diag.Value("value", value), stated, constraint.SendUpdates.Limit("limit"))
	case in.Name == sendNotifications && given:
		if _, updates := in.query.Value(sendUpdates); !updates {
			r.Report("?"+sendUpdates, "absent", stated, constraint.SendUpdates.Limit("values"))
		}
	}
}

var insertSupportsAttachments = diag.Rule{
	ID: "insert.param.supports-attachments", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter supportsAttachments must be true or false and defaults to false.",
	Section: sectionInsert,
	Why:     "Attachments can be modified only if the parameter is true. The documents do not define other values.",
	Says:    diag.Sentences{wrong},
	Good:    insertWith(`"supportsAttachments":"true"`),
	Bad:     insertWith(`"supportsAttachments":"yes"`),
	Check:   check(checkParam),
}
