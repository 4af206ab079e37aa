package operation

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/wording"
)

// checkParam checks that a required parameter is present, and that the value of the parameter is valid.
func checkParam(in *input, r engine.Reporter) {
	if in.accepted && !in.Required {
		return
	}
	value, given := in.value()
	isDefault := value != "" && value == in.Default // the documented default may not be a valid value
	switch {
	case in.Required && len(in.values) == 0 && in.isInBody():
		r.Report(in.path(), "in-body", diag.Name("parameter", in.Name), in.mustArg())
	case in.Required && len(in.values) == 0:
		r.Report(in.path(), "missing", diag.Name("parameter", in.Name), in.mustArg())
	case in.Required && given && value == "":
		r.Report(in.path(), "empty", diag.Name("parameter", in.Name), in.mustArg())
	case given && !isDefault && !in.accepted:
		if _, isInteger := parseDecimal(value); isInteger && in.limit != nil && in.limit.Inferred {
			r = r.WithBasis(diag.Inferred)
		}
		in.report(r, value)
	}
}

// isInBody reports whether the body contains a member with the name of the parameter.
func (in *input) isInBody() bool {
	members, _ := ndjson.Members(nil, in.body)
	return slices.ContainsFunc(members, func(m jsonscan.Member) bool { return string(m.Name) == in.Name })
}

// The sentences reported by [checkParam].
var (
	missing = diag.Sentence{Key: "missing", Text: "The parameter {parameter} is required; it must be {must}."}
	inBody  = diag.Sentence{Key: "in-body", Text: "The parameter {parameter} has no effect in the body. Send it in the query."}
	isEmpty = diag.Sentence{Key: "empty", Text: "The parameter {parameter} is empty; it must be {must}."}
	wrong   = diag.Sentence{Key: "wrong", Text: "The parameter {parameter} is {value}; it must be {limit}."}
)

var paramRepeated = diag.Rule{
	ID: "param.repeated", Kind: diag.Reject, When: diag.All, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "A query parameter must not be sent twice with different values.",
	Section: sectionEndpoints,
	Why: "Every parameter in the documents has a single value, and so does every parameter of the public service except eventTypes, " +
		"privateExtendedProperty and sharedExtendedProperty. Of two values, some servers use the first and others the last, and a proxy " +
		"may differ from the server behind it. Sending the same value twice is harmless. Unknown parameters are not checked, because " +
		"they may be repeatable.",
	Says: diag.Sentences{{
		Key:  "repeated",
		Text: "The parameter {parameter} is sent {n} times with different values; the first is {value}. Send it once.",
	}},
	Good:  insertWith(`"sendUpdates":["all","all"]`),
	Bad:   insertWith(`"sendUpdates":["all","none"]`),
	Check: check(checkRepeated),
}

func checkRepeated(in *input, r engine.Reporter) {
	if in.ambiguous() && in.operation.HasParam(in.Name) && !in.Repeated {
		r.Report(in.path(), "repeated", diag.Name("parameter", in.Name), diag.Number("n", len(in.values)), diag.Value("value", in.values[0]))
	}
}

var paramUnknown = diag.Rule{
	ID: "param.unknown", Kind: diag.Advise, When: diag.All, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "A query parameter should be listed for the operation in the documents, or be known to be accepted by the public service.",
	Section: sectionEndpoints,
	Why: "A misspelled parameter has no effect, and the service does not report it. Names are case-sensitive. The public service accepts " +
		"more parameters than the documents list: fields, alt, key and similar ones for every operation, and others for single " +
		"operations.",
	Says: diag.Sentences{
		{Key: "unknown", Text: "{value} is not a parameter of {operation}.", Fix: diag.Proposal{Rename: true}},
		{Key: "unlisted", Text: "{value} is not among the known parameters of {operation}.", Fix: diag.Proposal{Rename: true}},
		{Key: "in-path", Text: "{value} belongs to the path of {operation} and has no effect in the query. Leave it out.", Fix: diag.Proposal{Remove: true}},
		{Key: "in-body", Text: "{value} belongs to the body of {operation} and has no effect in the query. Send it in the body."},
		{Key: "leave-out", Text: "Leave it out unless you know that the service accepts it."},
	},
	Good:  requestWith{"events.quickAdd", `"text":"Lunch"`},
	Bad:   insertWith(`"sendupdates":"all"`),
	Check: check(checkUnknown),
}

func checkUnknown(in *input, r engine.Reporter) {
	switch {
	case in.operation.HasParam(in.Name):
		return
	case in.operation.HasInPath(in.Name):
		r.Report(in.path(), "in-path", diag.Value("value", in.Name), in.operationArg())
		return
	case in.hasMember != nil && in.hasMember(in.Name):
		r.Report(in.path(), "in-body", diag.Value("value", in.Name), in.operationArg())
		return
	}
	key := "unknown"
	if !in.operation.ParamsShown {
		key = "unlisted"
	}
	known := &form.Words{List: in.operation.knownNames()} // parameters have the same name in every dialect
	args := []diag.Arg{diag.Value("value", in.Name), in.operationArg()}
	r.Report(in.path(), key, constraint.Suggest(args, r.Dialect(), in.Name, known, "leave-out")...)
}

var paramValue = diag.Rule{
	ID: "param.value", Kind: diag.Reject, When: diag.All, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The value of a query parameter must match the type, the enumeration and the bounds that the public service's reference shows.",
	Section:  sectionObserved,
	Seen:     "The reference of the public service shows the types, enumerations and bounds.",
	Reported: []string{discoveryPage},
	Why: "The rule holds only in the dialect of the public service. Page sizes are covered by list.max-results, because the service " +
		"reduces large ones instead of refusing them; most parameters that the documents show for an operation also have separate rules. " +
		"The behavior of the public service for unknown time zones is not known, so such a name gets only advice.",
	OnlyIn: new(diag.Google),
	Says: diag.Sentences{
		{Key: "integer", Text: "The parameter {parameter} is {value}; it must be an integer in decimal digits."},
		{Key: "low", Text: "The parameter {parameter} is {value}; it must be at least {limit}."},
		{Key: "high", Text: "The parameter {parameter} is {value}; it must be at most {limit}."},
		{Key: "boolean", Text: "The parameter {parameter} is {value}; it must be true or false."},
		{Key: "enumeration", Text: "The parameter {parameter} is {value}; it must be {limit}."},
		{Key: "time", Text: "The parameter {parameter} is {value}; it must be an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00Z."},
		{Key: "start", Text: "The parameter {parameter} is {value}; it must be a date or an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00Z."},
		{Key: "zone", Text: "The parameter {parameter} is {value}; it must be in the IANA Time Zone Database, such as Europe/Berlin."},
		{Key: "plus", Text: "Write the plus sign as %2B."},
	},
	Supersedes: []string{ruleid.ListMaxResults},
	Good:       requestIn{"events.get", `"prettyPrint":"true"`},
	Bad:        requestIn{"events.get", `"prettyPrint":"yes"`},
	Check:      check(checkParamValue),
}

func checkParamValue(in *input, r engine.Reporter) {
	p := in.operation.known(in.Name)
	if p == nil || in.operation.hasOwnRule(in.Name) {
		return
	}
	for _, value := range in.values {
		p.reportValue(r, value)
	}
}

// hasOwnRule reports whether a rule about several parameters checks the value of the given parameter.
func (op *Operation) hasOwnRule(name string) bool {
	switch name {
	case "orderBy":
		return listOrderBy.When.Has(op.When)
	case "timeMin", "timeMax", "updatedMin":
		return listTimeParam.When.Has(op.When)
	default:
		return false
	}
}

// reportValue reports a value that the public service does not accept for the parameter.
func (p *Param) reportValue(r engine.Reporter, value string) {
	args := []diag.Arg{diag.Name("parameter", p.Name), diag.Value("value", value)}
	switch {
	case p.Type == integerType:
		n, err := strconv.ParseInt(value, 10, 64) // on overflow, n is the nearest int64
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			r.Report(p.path(), "integer", args...)
		case p.Name == maxResults: // the service reduces the value instead of refusing the request
		case p.Min != nil && n < *p.Min:
			r.Report(p.path(), "low", append(args, diag.Number("limit", *p.Min))...)
		case p.Max != nil && n > *p.Max:
			r.Report(p.path(), "high", append(args, diag.Number("limit", *p.Max))...)
		}
	case p.Type == booleanType:
		if _, ok := boolean(value); !ok {
			r.Report(p.path(), "boolean", args...)
		}
	case p.Type == enumType:
		if !slices.Contains(p.Values, value) {
			args = append(args, diag.Names("limit", p.documentsValues()))
			r.Report(p.path(), "enumeration", constraint.Suggest(args, r.Dialect(), value, &form.Words{List: p.Values}, "")...)
		}
	case p.Format == zoneFormat:
		if !form.IsZone(value) {
			r.WithKind(diag.Advise).Report(p.path(), "zone", args...)
		}
	case p.Format == timeFormat:
		if !form.IsDateTime(value) {
			r.Report(p.path(), "time", appendPlus(args, value)...)
		}
	case p.Format == startFormat:
		if !form.IsDate(value) && !form.IsDateTime(value) {
			r.Report(p.path(), "start", appendPlus(args, value)...)
		}
	}
}

// documentsValues returns the documented names for the values of a public service enumeration, which sentences translate.
func (p *Param) documentsValues() []string {
	values := slices.Clone(p.Values)
	for i, value := range values {
		values[i] = diag.Google.Name(value)
	}
	return values
}

// appendPlus appends advice to escape the plus sign in a timestamp if the value contains a blank in place of the plus sign.
func appendPlus(args []diag.Arg, value string) []diag.Arg {
	if form.IsDateTime(strings.ReplaceAll(value, " ", "+")) {
		return append(args, wording.Also("plus"))
	}
	return args
}
