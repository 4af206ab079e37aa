package operation

import (
	"math"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
)

// The types of parameters in the documents.
const (
	stringType  = "string"
	integerType = "integer" // decimal digits without a sign or leading zeros
	booleanType = "boolean" // true or false
	enumType    = "enum"    // a string from a closed list
)

// Param is a query parameter of an operation.
type Param struct {
	Name     string `json:"name"`              // case-sensitive
	Type     string `json:"type"`              // "string", "integer", "boolean" or "enum"
	Required bool   `json:"required,omitzero"` // must be present and not empty

	// Repeated reports whether the parameter may be sent several times with different values. Every parameter that
	// the documents list has a single value.
	Repeated bool `json:"repeated,omitzero"`

	// Standard reports whether the public service takes the parameter for every operation.
	Standard bool `json:"standard,omitzero"`

	// Limit is what the value of an integer or an enum must be, such as "0 to 1". It is also the Value of a row
	// of limits.Table. Values are the values of an enum, and Min and Max the least and the greatest integer; nil
	// means that there is none.
	Limit  string   `json:"limit,omitzero"`
	Values []string `json:"values,omitzero"`
	Min    *int64   `json:"min,omitzero"`
	Max    *int64   `json:"max,omitzero"`

	// Only is the only value that the parameter may have, or empty.
	Only string `json:"only,omitzero"`

	// Default is the value of an absent parameter. It is empty if the documents do not state
	// one. The stated default of sendUpdates is not one of its values.
	Default string `json:"default,omitzero"`

	// Deprecated says what to use instead. It is empty if the parameter is not deprecated.
	Deprecated string `json:"deprecated,omitzero"`

	// Section is the section of the documents that describes the parameter.
	Section string `json:"section"`

	limit *constraint.Constraint // of an integer or an enum
	must  string                 // the key of the part of a sentence that says what a required string must be; else empty
	rule  *diag.Rule             // the rule that a missing or wrong value breaks, or nil
}

// The sections of the documents.
const (
	sectionEndpoints      = "calendar.md, Endpoints"
	sectionBehavior       = "calendar.md, Behavior rules per operation"
	sectionInsert         = "calendar.md, Events insert in detail"
	sectionAuthentication = "calendar.md, Authentication"
	sectionNotifications  = "calendar.md, Events"
)

// The query parameters that the documents name, each declared once: [Check] and [Params.Flags]
// derive what they do from here.
var (
	conferenceDataVersion = limited(Param{
		Name: "conferenceDataVersion", Type: integerType, Default: "0",
		Section: sectionInsert, rule: &insertRange,
	}, constraint.FeatureVersion)
	eventLabelVersion = limited(Param{
		Name: "eventLabelVersion", Type: integerType, Default: "0",
		Section: sectionInsert, rule: &insertRange,
	}, constraint.FeatureVersion)
	maxAttendees = limited(Param{
		Name: "maxAttendees", Type: integerType,
		Section: sectionInsert, rule: &insertMaxAttendees,
	}, constraint.MaxAttendees)
	sendNotifications = Param{
		Name: "sendNotifications", Type: booleanType, Default: "false", Deprecated: "use sendUpdates",
		Section: sectionInsert, rule: &insertBoolean,
	}
	sendUpdates = limited(Param{
		Name: "sendUpdates", Type: enumType, Default: "false",
		Section: sectionInsert, rule: &insertSendUpdates,
	}, constraint.SendUpdates)
	supportsAttachments = Param{
		Name: "supportsAttachments", Type: booleanType, Default: "false",
		Section: sectionInsert, rule: &insertSupportsAttachments,
	}

	syncToken   = Param{Name: "syncToken", Type: stringType, Section: sectionBehavior}
	updatedMin  = Param{Name: "updatedMin", Type: stringType, Section: sectionBehavior}
	showDeleted = Param{Name: "showDeleted", Type: booleanType, Section: sectionBehavior}
	iCalUID     = Param{Name: "iCalUID", Type: stringType, Section: sectionBehavior}

	destination = Param{
		Name: "destination", Type: stringType, Required: true,
		Section: sectionBehavior, rule: &moveDestination, must: "calendar",
	}
	text = Param{
		Name: "text", Type: stringType, Required: true,
		Section: sectionBehavior, rule: &quickAddText, must: "source",
	}
	newDataOwner = Param{
		Name: "newDataOwner", Type: stringType, Required: true,
		Section: sectionBehavior, rule: &transferRequired, must: "owner",
	}
	useAdminAccess = Param{
		Name: "useAdminAccess", Type: booleanType, Required: true, Only: "true",
		Section: sectionBehavior, rule: &transferRequired,
	}
)

// The parameters of the operations that share them.
var (
	// writeParams are required by the rules about conferenceData, eventLabelId and
	// attachments, which apply to every operation that writes an event.
	writeParams = []Param{conferenceDataVersion, eventLabelVersion, supportsAttachments}

	// retrievalParams is the limit on retrieval that the field attendeesOmitted refers to.
	retrievalParams = []Param{maxAttendees}

	// importParams are both, because the answer to an import is cut like that to an insert.
	importParams = []Param{conferenceDataVersion, eventLabelVersion, maxAttendees, supportsAttachments}
)

// limited returns a parameter with a limit.
func limited(p Param, limit *constraint.Constraint) Param {
	p.limit, p.Limit, p.Values = limit, limit.Value, limit.Values()
	p.Min, p.Max = limit.Bounds()
	return p
}

// Constraint returns the limit of an integer or an enum as the packages of this module use it, or nil. A nil
// parameter has none.
func (p *Param) Constraint() *constraint.Constraint {
	if p == nil {
		return nil
	}
	return p.limit
}

// path returns the place of the parameter.
func (p *Param) path() diag.Pointer { return diag.Pointer("?" + p.Name) }

// Rule returns the rule that a missing or wrong value breaks, or nil. A nil parameter has none.
func (p *Param) Rule() *diag.Rule {
	if p == nil {
		return nil
	}
	return p.rule
}

// accepts reports whether the parameter may have the value.
func (p *Param) accepts(value string) bool {
	switch {
	case p.Type == integerType:
		_, ok := p.integer(value)
		return ok
	case p.Only != "":
		return value == p.Only
	case p.limit != nil:
		return p.limit.Has(value)
	default:
		_, ok := boolean(value)
		return ok || p.Type != booleanType
	}
}

// report reports a value that the parameter does not accept.
func (p *Param) report(r diag.Reporter, sent string) {
	args := append(make([]diag.Arg, 0, 6), diag.Name("parameter", p.Name), diag.Value("value", sent), p.limitArg())
	switch {
	case p.Type == integerType:
		low, high := p.limit.Range()
		args = append(args, diag.Number("low", low), diag.Number("high", high))
	case p.limit != nil:
		if near, ok := form.Nearest(sent, p.Values); ok {
			args = append(args, diag.Name("suggestion", near))
		}
	}
	r.Report(p.path(), "wrong", args...)
}

// limitArg returns the argument that says what the parameter accepts.
func (p *Param) limitArg() diag.Arg {
	switch {
	case p.Only != "":
		return diag.Name("limit", p.Only)
	case p.limit != nil:
		return p.limit.Limit("limit")
	default:
		return diag.Names("limit", booleans)
	}
}

// mustArg returns the argument that says what a required parameter must be.
func (p *Param) mustArg() diag.Arg {
	if p.must != "" {
		return diag.Part("must", p.must)
	}
	return diag.Name("must", p.Only)
}

var booleans = []string{"true", "false"}

// integer returns the value of an integer. It reports false if the value is malformed or out of
// range.
func (p *Param) integer(value string) (int, bool) {
	n, ok := parseDecimal(value)
	if !ok || !p.limit.HasInt(int64(n)) {
		return 0, false
	}
	return n, true
}

// parseDecimal parses an integer from 0 to the greatest int64, written in decimal digits without
// a sign, leading zeros or blanks, so that each integer has one spelling. If an int cannot
// represent it, the result is the greatest int.
func parseDecimal(s string) (int, bool) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, s == "0"
	}
	if len(s) == 1 {
		return int(s[0] - '0'), true // as most are
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return int(min(n, math.MaxInt)), err == nil
}
