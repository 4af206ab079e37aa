package object

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/wording"
)

// The sentences for the rules about faults in the input. See [Problem.Report].
var (
	SaysSyntax = slices.Concat(diag.Sentences{
		{Key: "malformed", Text: "The body must be one well-formed JSON object: {reason} (byte {at})."},
		{Key: "not-an-object", Text: "The body is {seen}; it must be one JSON object."},
		{Key: "too-large", Text: "The body has {n} bytes, but at most {most} are allowed. Send a smaller body."},
		{Key: "not-json", Text: "not a JSON value"},
	}, types, jsonscan.Says())
	SaysDuplicate = diag.Sentences{{Key: "duplicate", Text: "The member {member} appears more than once in its object. Send it once."}}
	SaysUnknown   = diag.Sentences{
		{Key: "unknown", Text: "The member {value} is not a documented field and has no meaning to the service.", Fix: diag.Proposal{Rename: true}},
		{Key: "in-query", Text: "The member {value} is a query parameter and has no effect in the body. Send it in the query."},
		{Key: "in-path", Text: "The member {value} belongs to the path and has no effect in the body. Leave it out."},
	}
	SaysType = slices.Concat(diag.Sentences{
		{Key: "member", Text: "The member {member} is {seen}; it must be {limit}.", Fix: diag.Proposal{Arg: "meant", Certain: true}},
		{Key: "element", Text: "Element {index} is {seen}; it must be {limit}.", Fix: diag.Proposal{Arg: "meant", Certain: true}},
		{Key: "the-string", Text: "the string {value}"},
		{Key: "the-number", Text: "the number {value}"},
		{Key: "literal", Text: "{value}"},
		{Key: "true-or-false", Text: "true or false"},
		{Key: "an-integer", Text: "an integer"},
		{Key: "a-small-integer", Text: "a 64-bit signed integer"},
		{Key: "strings", Text: "an array of strings"},
		{Key: "a-map", Text: "an object whose values are strings"},
	}, types)
)

// SaysTolerated lists the sentences about a value of the wrong type that the public service accepts.
var SaysTolerated = diag.Sentences{
	{Key: "read", Text: "The member {member} is {seen}, which the public service reads as {suggestion}. Send {limit}.", Fix: diag.Proposal{Certain: true}},
}

// SaysForeign is the sentence about a value that is a name in the other dialect.
var SaysForeign = diag.Sentences{{Key: "foreign", Text: "The {member} is {value}."}}

// types contains the phrases that name a JSON type.
var types = diag.Sentences{
	{Key: "null", Text: "null"},
	{Key: "a-boolean", Text: "a boolean"},
	{Key: "a-string", Text: "a string"},
	{Key: "a-number", Text: "a number"},
	{Key: "an-array", Text: "an array"},
	{Key: "an-object", Text: "an object"},
}

// SaysIgnored lists the sentences for a rule about a service-written member. See [Table.CheckIgnored].
var SaysIgnored = diag.Sentences{
	{Key: "ignored", Text: "Only the service writes {member}, so the value in this request has no effect. Leave it out."},
	{Key: "ignored-stays", Text: "Only the service writes {member}, so the value in this request has no effect, and the stored value is kept. Leave it out."},
}

// ReportElsewhere reports an unknown member of the outermost object that belongs in a different place, using the sentence for
// the key that elsewhere returns, and returns true. ReportElsewhere ignores all other problems. The function elsewhere may be
// nil.
func (p *Problem) ReportElsewhere(r engine.Reporter, at diag.Pointer, elsewhere func(name string) (key string)) bool {
	if p.Fault != Unknown || elsewhere == nil || strings.Count(string(p.Path), "/") > 1 {
		return false
	}
	key := elsewhere(p.Value)
	if key != "" {
		r.At(p.Offset).Report(at, key, diag.Value("value", p.Value))
	}
	return key != ""
}

// Report reports the problem at the given place, whose names may differ from those in the path of the problem.
func (p *Problem) Report(r engine.Reporter, at diag.Pointer) {
	r = r.At(p.Offset)
	switch p.Fault {
	case Syntax:
		p.reportSyntax(r, at)
	case Duplicate:
		r.Report(at, "duplicate", diag.Value("member", p.name()))
	case Unknown:
		r.Report(at, "unknown", wording.About("", p.Value, 0, p.known))
	case Foreign:
		args := []diag.Arg{diag.Name("member", p.name()), diag.Value("value", p.Value)}
		r.Report(at, "foreign", constraint.OfOtherDialect(args, r.Dialect(), p.Value)...)
	default:
		p.reportType(r, at)
	}
}

func (p *Problem) reportSyntax(r engine.Reporter, at diag.Pointer) {
	switch p.key {
	case "malformed":
		r.Report(at, p.key, p.err.Args()...)
	case "too-large":
		r.Report(at, p.key, diag.Number("n", p.n), diag.Number("most", p.max))
	default:
		r.Report(at, p.key, wording.Part("seen", p.want))
	}
}

// reportType reports a value of the wrong type. Outside a map, a name that is a number is an array index, since no table
// contains such a name.
func (p *Problem) reportType(r engine.Reporter, at diag.Pointer) {
	name := p.name()
	seen, limit := wording.Part("seen", p.key), wording.Part("limit", p.want)
	if p.Fault == Tolerated {
		r.Report(at, "read", diag.Value("member", name), seen, wording.JSON("value", p.Value), limit, wording.JSON("suggestion", p.read))
		return
	}
	if index, err := strconv.Atoi(name); err == nil && p.Fault == WrongType {
		r.Report(at, "element", diag.Number("index", index+1), seen, wording.JSON("value", p.Value), limit)
		return
	}
	r.Report(at, "member", append([]diag.Arg{diag.Value("member", name), seen, wording.JSON("value", p.Value), limit}, p.meant()...)...)
}

// meant returns an argument with the value converted to the required type, if the value is a scalar with the same meaning in
// that type.
func (p *Problem) meant() []diag.Arg {
	text := strings.Trim(p.Value, `"`)
	switch {
	case p.key == "the-number" && p.want == "a-string":
		text = strconv.Quote(text)
	case p.key == "the-string" && p.want == "an-integer" && isPlainInteger(text):
	case p.key == "the-string" && p.want == "true-or-false" && (text == "true" || text == "false"):
	default:
		return nil
	}
	return []diag.Arg{wording.JSON("meant", text)}
}

// isPlainInteger reports whether a string is an integer in the format of [strconv.Itoa].
func isPlainInteger(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && strconv.Itoa(n) == text
}

// name returns the name of the member or the index of the element with the problem.
func (p *Problem) name() string {
	_, last := p.Path.Split()
	return last
}

// seenKey returns the key of the message part that describes a received value, including the value of a string or number.
func seenKey(kind jsonscan.Kind) string {
	switch kind {
	case '"':
		return "the-string"
	case '0':
		return "the-number"
	default:
		return KindKey(kind)
	}
}

// KindKey returns the key of the message part that names the type of a value.
func KindKey(kind jsonscan.Kind) string { return cmp.Or(kindKeys[kind], "not-json") }

var kindKeys = map[jsonscan.Kind]string{
	'n': "null", 't': "a-boolean", 'f': "a-boolean", '"': "a-string", '0': "a-number", '[': "an-array", '{': "an-object",
}
