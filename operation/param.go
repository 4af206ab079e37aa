package operation

import (
	"math"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// The parameter types in the documentation.
const (
	stringType  = "string"
	integerType = "integer" // decimal digits without a sign or leading zeros
	booleanType = "boolean" // true or false
	enumType    = "enum"    // one of a fixed set of strings
)

// A Param is a query parameter of an operation.
type Param struct {
	Name     string `json:"name"`              // case-sensitive
	Type     string `json:"type"`              // "string", "integer", "boolean" or "enum"
	Required bool   `json:"required,omitzero"` // must be present and not empty

	// Format is the format of the values, if it is more specific than the type: "int32", "date-time" (an RFC 3339
	// timestamp with an offset), "date or date-time", or "time-zone" (a name in the IANA Time Zone Database).
	Format string `json:"format,omitzero"`

	// Repeated reports whether the parameter may be sent several times with different values. All documented parameters have a
	// single value.
	Repeated bool `json:"repeated,omitzero"`

	// Standard reports whether the public service accepts the parameter for every operation.
	Standard bool `json:"standard,omitzero"`

	// Limit describes the allowed values of an integer or enum, for example "0 to 1". Limit and LimitName equal the Value
	// and Name fields of a row in limits.Table. Values lists the values of an enum. Min and Max are the bounds of an
	// integer; nil means no limit.
	Limit     string   `json:"limit,omitzero"`
	LimitName string   `json:"-"`
	Values    []string `json:"values,omitzero"`
	Min       *int64   `json:"min,omitzero"`
	Max       *int64   `json:"max,omitzero"`

	// Only is the only allowed value of the parameter, or "".
	Only string `json:"only,omitzero"`

	// Default is the value that is assumed if the parameter is absent. Default is empty if the documentation states no
	// default. The documented default of sendUpdates is not one of the parameter's values.
	Default string `json:"default,omitzero"`

	// Deprecated is advice such as "use sendUpdates". Deprecated is empty if the parameter is not deprecated.
	Deprecated string `json:"deprecated,omitzero"`

	// Excludes lists the parameters that cannot be sent together with this parameter. ExcludesFalse lists the parameters that the
	// public service does not allow to be false if this parameter is sent. Excludes and ExcludesFalse may include parameters of
	// other operations.
	Excludes      []string `json:"excludes,omitzero"`
	ExcludesFalse []string `json:"excludesFalse,omitzero"`

	// Section is the section of the documentation that describes the parameter.
	Section string `json:"section"`

	number int                    // the index in params, or -1 if the parameter is not in params
	on     diag.When              // the operations that accept the parameter
	limit  *constraint.Constraint // the limit of an integer or an enum
	must   string                 // for a required string, the key of the phrase that describes the allowed values; otherwise empty
	rules  []*diag.Rule           // the rules about the parameter; a missing or wrong value breaks the first

	// option sets the parameter in o to v, which must be a valid value, and is nil if [Options] has no field for the parameter.
	option func(o *Options, v datum)
}

// The sections of the documentation that describe parameters.
const (
	sectionEndpoints      = "calendar.md, Endpoints"
	sectionBehavior       = "calendar.md, Behavior rules per operation"
	sectionInsert         = "calendar.md, Events insert in detail"
	sectionAuthentication = "calendar.md, Authentication"
	sectionNotifications  = "calendar.md, Events"
)

// The formats of parameter values.
const (
	int32Format = "int32"
	timeFormat  = "date-time"
	startFormat = "date or date-time" // the same as for the start of an event
	zoneFormat  = "time-zone"
)

// The names of parameters mentioned in rules.
const (
	syncToken          = "syncToken"
	maxResults         = "maxResults"
	sendNotifications  = "sendNotifications"
	sendUpdates        = "sendUpdates"
	sendUpdatesDefault = "false"
)

// params declares each documented query parameter, and parameters that are incomplete in the public service's reference.
// [Operation.Params], [Operation.ParamsIn], [Request.Check] and [Params.Options] are derived from params. The parameters of an
// operation are in the same order as in params.
//
// Every operation that writes an event accepts conferenceDataVersion, eventLabelVersion and supportsAttachments, because
// the rules about conferenceData, eventLabelId and attachments require these parameters. The operations that retrieve
// events accept maxAttendees, the limit to which the field attendeesOmitted refers.
var params = []Param{
	{
		Name: syncToken, Type: stringType, on: diag.List, Section: sectionBehavior + ", 4",
		Excludes: []string{
			"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin", // for events
			"minAccessRole", "showOwnOrganizationOnly", // for the calendar list
		},
		ExcludesFalse: []string{"showDeleted", "showHidden"},
		option:        func(o *Options, v datum) { o.SyncToken = v.text },
	},
	{
		Name: "updatedMin", Type: stringType, Format: timeFormat, on: diag.List, Section: sectionBehavior + ", 4",
		option: func(o *Options, v datum) { o.UpdatedMin = v.text },
	},
	{
		Name: "showDeleted", Type: booleanType, on: diag.List, Section: sectionBehavior + ", 4",
		option: func(o *Options, v datum) { o.ShowDeleted = v.isTrue },
	},
	{
		Name: "iCalUID", Type: stringType, on: diag.List, Section: sectionBehavior + ", 4",
		option: func(o *Options, v datum) { o.ICalUID = v.text },
	},
	{
		Name: "conferenceDataVersion", Type: integerType, limit: constraint.FeatureVersion, Default: "0",
		on: diag.Write, Section: sectionInsert, rules: []*diag.Rule{&insertRange},
		option: func(o *Options, v datum) { o.ConferenceDataVersion = v.number },
	},
	{
		Name: "eventLabelVersion", Type: integerType, limit: constraint.FeatureVersion, Default: "0",
		on: diag.Write, Section: sectionInsert, rules: []*diag.Rule{&insertRange},
		option: func(o *Options, v datum) { o.EventLabelVersion = v.number },
	},
	{
		Name: "maxAttendees", Type: integerType, limit: constraint.MaxAttendees,
		on: diag.Insert | diag.Get | diag.List | diag.Instances, Section: sectionInsert, rules: []*diag.Rule{&insertMaxAttendees, &paramValue},
		option: func(o *Options, v datum) { o.MaxAttendees = v.number },
	},
	{
		Name: sendNotifications, Type: booleanType, Default: "false", Deprecated: "use sendUpdates",
		on: diag.Insert, Section: sectionInsert, rules: []*diag.Rule{&insertBoolean, &insertSendNotifications, &insertSendUpdatesDefault},
		option: func(o *Options, v datum) { o.SendNotifications = v.isTrue },
	},
	{
		Name: sendUpdates, Type: enumType, limit: constraint.SendUpdates, Default: sendUpdatesDefault,
		on: diag.Insert, Section: sectionInsert, rules: []*diag.Rule{&insertSendUpdates, &insertSendUpdatesDefault, &paramValue},
		option: func(o *Options, v datum) { o.SendUpdates = v.text },
	},
	{
		Name: "supportsAttachments", Type: booleanType, Default: "false",
		on: diag.Write, Section: sectionInsert, rules: []*diag.Rule{&insertSupportsAttachments},
		option: func(o *Options, v datum) { o.SupportsAttachments = v.isTrue },
	},
	{
		Name: "destination", Type: stringType, Required: true, must: "calendar",
		on: diag.Move, Section: sectionBehavior + ", 7", rules: []*diag.Rule{&moveDestination},
		option: func(o *Options, v datum) { o.Destination = v.text },
	},
	{
		Name: "text", Type: stringType, Required: true, must: "source",
		on: diag.QuickAdd, Section: sectionBehavior + ", 8", rules: []*diag.Rule{&quickAddText},
		option: func(o *Options, v datum) { o.Text = v.text },
	},
	{
		Name: "newDataOwner", Type: stringType, Required: true, must: "owner",
		on: diag.CalendarsTransfer, Section: sectionBehavior + ", 12", rules: []*diag.Rule{&transferRequired},
	},
	{
		Name: "useAdminAccess", Type: booleanType, Required: true, Only: "true",
		on: diag.CalendarsTransfer, Section: sectionBehavior + ", 12", rules: []*diag.Rule{&transferRequired},
	},
	{Name: "timeZone", Format: zoneFormat},
	{Name: "originalStart", Format: startFormat},
	{Name: "alwaysIncludeEmail", Deprecated: "it is ignored"},
	{Name: "userIp", Deprecated: "use quotaUser"},
}

// completeParams sets the number of each parameter and the fields that describe its limit.
func completeParams() {
	for i := range params {
		p := &params[i]
		if p.number = i; p.limit != nil {
			p.Limit, p.LimitName, p.Values = p.limit.String(), p.limit.Name, p.limit.Values()
			p.Min, p.Max = p.limit.Bounds()
		}
	}
}

// paramsOn returns the parameters that the operations on an occasion accept.
func paramsOn(on diag.When) (taken []Param) {
	for i := range params { // by index, because a Param is large
		if params[i].on.Has(on) {
			taken = append(taken, params[i])
		}
	}
	return taken
}

// path returns the path for findings about the parameter.
func (p *Param) path() diag.Pointer { return diag.Pointer("?" + p.Name) }

// Rule returns the rule broken by a missing or wrong value, or nil if there is no such rule or p is nil.
func (p *Param) Rule() *diag.Rule {
	if p == nil || len(p.rules) == 0 {
		return nil
	}
	return p.rules[0]
}

// isRuled reports whether there is a rule about a missing or wrong value that applies on the given occasion.
func (p *Param) isRuled(on diag.When) bool { return p.Rule() != nil && p.Rule().When.Has(on) }

// A datum is a decoded parameter value. Only the field for the parameter's type is set.
type datum struct {
	text   string // the value of a string or enum
	number int
	isTrue bool
}

// decode decodes a value, or returns false if the value is not valid for the parameter.
func (p *Param) decode(value string) (v datum, ok bool) {
	switch p.Type {
	case integerType:
		v.number, ok = p.integer(value)
	case booleanType:
		v.isTrue, ok = boolean(value)
	default:
		v.text, ok = value, p.limit == nil || p.limit.Has(value)
	}
	return v, ok && (p.Only == "" || value == p.Only)
}

// decodeInto sets the option for the parameter, if any, to the first value, if the value is valid, and reports whether it is
// valid. No value is valid for a nil parameter.
func (p *Param) decodeInto(o *Options, values []string) bool {
	if p == nil || len(values) == 0 {
		return false
	}
	v, ok := p.decode(values[0])
	if ok && p.option != nil {
		p.option(o, v)
	}
	return ok
}

// report reports a value that is not valid for the parameter.
func (p *Param) report(r engine.Reporter, sent string) {
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

// limitArg returns the argument that describes the accepted values of the parameter.
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

// mustArg returns the argument that describes the accepted values of a required parameter.
func (p *Param) mustArg() diag.Arg {
	if p.must != "" {
		return wording.Part("must", p.must)
	}
	return diag.Name("must", p.Only)
}

var booleans = []string{"true", "false"}

// integer decodes an integer, or returns false if the value is malformed or out of range.
func (p *Param) integer(value string) (int, bool) {
	n, ok := parseDecimal(value)
	if !ok || p.limit != nil && !p.limit.HasInt(int64(n)) {
		return 0, false
	}
	return n, true
}

// parseDecimal parses a nonnegative int64 in decimal digits without a sign, leading zeros or blanks, so each integer has only
// one spelling. If the value overflows an int, the result is math.MaxInt.
func parseDecimal(s string) (int, bool) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, s == "0"
	}
	if len(s) == 1 {
		return int(s[0] - '0'), true // the common case
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return int(min(n, math.MaxInt)), err == nil
}
