package operation

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
)

var operationCatalogue = diag.Rule{
	ID: "operation.catalogue", Describes: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A request is for one of the 38 operations in the endpoint table. The method and the path of a request determine the " +
		"operation and the path parameters. The calendar id primary means the primary calendar.",
	Section: sectionEndpoints,
	Why:     "The operation determines which other rules apply.",
	Good:    sample.Via(viaLookup, requestFor{"colors.get"}, `{"id":"colors.get","method":"GET","path":"/colors"}`),
	Bad:     sample.Via(viaLookup, requestFor{"colors.list"}, `null`),
}

var operationPath = diag.Rule{
	ID: "operation.path", Kind: diag.Advise, When: diag.Path, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary: "The method and path of a request should match an operation.",
	Section: sectionObserved,
	Seen: "The reference shows the path of each operation. Two published clients send the paths of collections with a trailing " +
		"slash, and no refusals are known.",
	Reported: []string{discoveryPage},
	Why: "The response to an unknown path is 404, which suggests that the calendar or the event is missing. A single trailing " +
		"slash after the path of a collection is ignored.",
	Says: diag.Sentences{
		{Key: "none", Text: "No operation has this method and path. The nearest is {operation}, {path}."},
		{Key: "slash", Text: "The path ends with a slash, but the path of {operation} is {path}. Remove the slash."},
	},
	Good: diag.Example{Request: `{"method":"GET","path":"/calendars/primary/events"}`},
	Bad:  diag.Example{Request: `{"method":"GET","path":"/calendars/primary/event"}`},
}

var operationUnspecified = diag.Rule{
	ID: "operation.unspecified", Kind: diag.Unspecified, When: diag.All, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Query parameters and bodies that the documents do not show are left to the caller's decision.",
	Section: sectionBehavior,
	Why: "A body that the documents do not show cannot be checked, and silence about it would look like approval. The same is true of " +
		"parameters that the documents do not name, except in events.insert. Each such parameter is reported; param.unknown also advises " +
		"against parameters that the public service is not known to accept. A valid sendUpdates is not reported where " +
		"insert.param.send-updates.absent and insert.param.send-notifications recommend sending it, and neither is the sendNotifications " +
		"that insert.param.send-notifications advises against. If no rule rejects a maxAttendees that is not an integer or a showDeleted " +
		"that is not a boolean, the value is reported.",
	Says: diag.Sentences{
		{Key: "value", Text: "The value {seen} of {parameter} is not specified for {operation}. Decide whether your server accepts it."},
		{Key: "observed", Text: "The documents do not list the query parameter {parameter} of {operation}, but the public service accepts it. Decide whether your server accepts it too."},
		{Key: "parameter", Text: "The documents do not list all query parameters of {operation}, so {seen} may be one of them."},
		{Key: "body", Text: "A request body is not specified for {operation}. Decide whether this one is correct."},
	},
	Good:          sample.Timed{},
	Bad:           sample.Request{"calendars.clear", `"reason":"moving"`},
	YieldsToValue: true,
	Check:         check(checkUnspecified),
}

func checkUnspecified(in *input, r engine.Reporter) {
	switch op := in.operation; {
	case r.Dialect() == diag.Google && (in.part != ofBody || diag.OtherBodies.Has(op.When)):
		// The public service is known to accept the parameter, or another rule reports it.
	case in.part == ofUnlisted && (op.HasInPath(in.Name) || in.isAdvised()):
		// The rule param.unknown reports a path parameter, and other rules advise sending sendUpdates.
	case in.part == ofListed: // there is no rule about the value of the parameter
		if v, ok := in.value(); ok && !in.accepted {
			r.Report(in.path(), "value", diag.Value("seen", v), in.operationArg(), diag.Name("parameter", in.Name))
		}
	case in.part == ofUnlisted && !op.ParamsShown && op.HasParam(in.Name):
		r.Report(in.path(), "observed", diag.Name("parameter", in.Name), in.operationArg())
	case in.part == ofUnlisted && !op.ParamsShown:
		r.Report(in.path(), "parameter", in.operationArg(), diag.Value("seen", in.Name))
	case in.part == ofBody:
		r.Report("", "body", in.operationArg())
	}
}

// isAdvised reports whether the parameter is sendUpdates with a valid value, which insert.param.send-notifications recommends
// for every operation with the parameter.
func (in *input) isAdvised() bool {
	_, ok := in.value()
	return ok && in.Name == sendUpdates && in.operation.HasParam(sendUpdates) && in.accepted
}

// operationArg returns an argument that names the operation.
func (in *input) operationArg() diag.Arg { return diag.Name("operation", string(in.operation.ID)) }
