package rtdbauth

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

const otherMethod = " is not a method that the document shows. The principal is decided as for GET; the effect of the request is up to you."

// otherMethods lists the methods from RFC 9110 section 9 and RFC 5789 that the documentation does not show.
var otherMethods = []string{"HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

// isKnown reports whether a method is GET or one of otherMethods.
func isKnown(method string) bool { return method == "GET" || slices.Contains(otherMethods, method) }

// A Message contains the parts of an HTTP request that authentication needs. The URL and the header field values are
// [Token]s, because they can contain credentials.
type Message struct {
	Method  string  // case-sensitive (RFC 9110 section 9.1)
	URL     Token   // path and query as sent, relative to the database: "/users/jack.json?auth=..."
	Headers []Field // as received; names may repeat
	TLS     *bool   // whether the request came over TLS; nil if unknown
}

// A Field is a header field.
type Field struct {
	Name  string
	Value Token
}

// A reading is a parsed request before any rule has been checked. A reading says nothing about the validity of the credentials.
type reading struct {
	policy *Policy
	method string // after applying an override
	tls    fact
	field  field  // the class of the Authorization field
	named  bool   // there is an Authorization field with white space around its name
	fields int    // the number of Authorization fields
	target string // the URL

	isVisible bool // whether the target consists of visible ASCII, as almost every target does

	path   path
	params paramForms

	// The following fields are used only in the dialect of the public service.
	sentMethod string
	methods    []string // the distinct method overrides, at most two
	databases  []string // the distinct database names, at most two
	override   override

	// credentials contains up to [maxCredentials] + 1 credentials in the request, in the order header, access_token, auth.
	credentials []credential
}

// maxCredentials is the maximum number of credentials in a request under any policy, which limits the number of [Verifier]
// calls for a hostile request.
const maxCredentials = 8

// read parses a request, takes all values of a repeated field or parameter into account, and decodes names and values once.
func read(m Message, policy *Policy) *reading {
	in := &reading{policy: policy, method: m.Method, sentMethod: m.Method, tls: known(m.TLS), target: m.URL.Reveal()}
	in.readFields(m.Headers)
	if policy.Dialect == diag.Google {
		in.cutAddress()
	}
	in.isVisible = isVisible(in.target)
	raw, query, _ := strings.Cut(in.target, "?")
	in.path = readPath(raw)
	in.readQuery(query)
	if policy.Dialect == diag.Google {
		in.overrideMethod()
		in.placeDatabase()
	}
	slices.SortStableFunc(in.credentials, func(a, b credential) int { return cmp.Compare(a.Place, b.Place) })
	return in
}

// present adds a credential, keeping one credential more than the maximum, which allows a rule to detect the excess.
func (in *reading) present(at Place, token string, isVisible bool) {
	if len(in.credentials) <= maxCredentials {
		in.credentials = append(in.credentials, credential{at, NewToken(token), isVisible})
	}
}

// isOpen reports whether the request is unspecified regardless of its credentials.
func (in *reading) isOpen() bool {
	return !isKnown(in.method) || in.policy.RequireTLS && in.tls == unknown
}

// presented contains the result of [extract].
type presented struct {
	*reading

	// Reads is no if the request is rejected regardless of its credentials, unknown if it is unspecified regardless of its
	// credentials, and yes if the decision depends on its credentials.
	Reads fact

	// OtherScheme reports whether there is an Authorization field with a scheme other than Bearer, unless the policy
	// ignores such a field.
	OtherScheme bool

	// Findings contains the findings about the form of the request. Reads is no if and only if a finding about the form rejects
	// the request.
	Findings diag.Findings
}

// extract finds all credentials in a request and the location that its path identifies. The rules about the form of a request
// reject a credential that different servers could interpret differently, and a credential that cannot be a token of any kind.
func extract(m Message, policy *Policy) presented {
	in := read(m, policy)
	report := engine.Collector{Dialect: policy.Dialect}
	engine.Run(rules, diag.DatabaseRequest|diag.Token, in, &report, wholeRequest)
	out := presented{reading: in, Reads: yes, OtherScheme: in.field == otherScheme && !in.ignoresScheme(), Findings: report.Findings}
	switch {
	case report.Refused:
		out.Reads, in.credentials = no, in.credentials[:min(len(in.credentials), maxCredentials)]
	case in.isOpen():
		out.Reads = unknown
	}
	return out
}

// A check function implements a rule about the form of a request.
type check = func(*reading, engine.Reporter)

// hasInvalid reports whether the request target contains a character that RFC 9112 section 3.2 forbids, except non-ASCII
// characters, which are also forbidden, but which all servers interpret alike.
func (in *reading) hasInvalid() bool {
	isInvalid := func(c rune) bool { return c <= ' ' || c == 0x7f }
	return strings.Contains(in.target, "#") || !in.isVisible && strings.ContainsFunc(in.target, isInvalid)
}

// A field classifies the Authorization fields in a request.
type field uint8

// The classes of Authorization fields.
const (
	noField field = iota
	severalFields
	emptyField
	emptyBearer // Bearer without a token
	bearerToken // Bearer followed by a possible token
	notB64Token // Bearer followed by a string that cannot be a token
	malformedField
	otherScheme
)

// readFields parses the Authorization field. If there are several fields, readFields ignores their values, to make the result
// independent of their order.
func (in *reading) readFields(fields []Field) {
	value := ""
	for _, f := range fields {
		switch {
		case strings.EqualFold(f.Name, headerName):
			in.fields++
			value = f.Value.Reveal()
		case redact.IsField(f.Name):
			in.named = true
		case in.policy.Dialect == diag.Google && strings.EqualFold(f.Name, methodField):
			in.methods = appendNew(in.methods, strings.Trim(f.Value.Reveal(), " \t"))
		}
	}
	switch in.fields {
	case 0:
	case 1:
		in.readField(value)
	default:
		in.field = severalFields
	}
}

func (in *reading) readField(value string) {
	value = strings.Trim(value, " \t") // RFC 9110 section 5.5
	scheme, token, _ := strings.Cut(value, " ")
	token = strings.TrimLeft(token, " ")
	isBearer := strings.EqualFold(scheme, "Bearer")
	switch {
	case value == "":
		in.field = emptyField
	case isBearer && token == "":
		in.field = emptyBearer
	case isBearer && form.IsB64Token(token):
		in.field = bearerToken
		in.present(InHeader, token, true)
	case isBearer:
		in.field = notB64Token
	case token == "" || !form.IsFieldToken(scheme) || hasControl(token):
		in.field = malformedField
	default:
		in.field = otherScheme
	}
}

// ignoresScheme reports whether the policy ignores authentication schemes other than Bearer.
func (in *reading) ignoresScheme() bool {
	return in.policy.IgnoreOtherSchemes && !in.policy.RejectOtherSchemes
}

const (
	malformedAuthorization = "The Authorization field is not a scheme, a space and a token. Write Bearer before the token."
	emptyIgnored           = "The credential is empty, and the policy ignores it. Send a token, or leave the credential out."
)

// reportEmpty rejects an empty credential, unless the policy ignores it.
func (in *reading) reportEmpty(r engine.Reporter, at Place) {
	if in.policy.IgnoreEmpty {
		r.WithKind(diag.Ignore).Report(at.pointer(), "empty-ignored")
		return
	}
	r.WithKind(diag.Reject).Report(at.pointer(), "empty")
}

// isVisible reports whether a string consists of visible ASCII characters, as almost every target and token does, examining
// sixteen bytes at a time.
func isVisible(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	text := []byte(s) // the compiler does not copy s
	var found uint64
	for ; len(text) > 16; text = text[16:] {
		v, w := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])
		// The high bit of a byte is set if the byte is below '!' and the subtraction borrows, if the byte is above '~' and the
		// addition carries, or if the byte is not ASCII.
		found |= (v - ones*'!') | (v + ones) | v | (w - ones*'!') | (w + ones) | w
	}
	if found&highs != 0 {
		return false
	}
	for _, c := range text {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}
