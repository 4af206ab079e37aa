package rtdbgen

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// draft is a request in parts, which faults can modify.
type draft struct {
	T       *draw.T
	dialect diag.Dialect
	method  string
	path    string      // as sent, without the query
	pairs   []string    // the query parameters, as sent
	headers [][2]string // the names and values of header fields
	tls     *bool
	known   map[string]any // values by token: [facts], or useless values
	policy  rtdbline.Policy

	now     float64 // the time for which the times in good tokens are valid
	clocked bool    // whether the request includes the current time
	uid     string  // if not empty, the uid of every user

	about facts          // the token that was presented last
	in    rtdbauth.Place // the place of that token
}

// newDraft draws a request without credentials. The method is GET or a method that the document does not mention.
func newDraft(t *draw.T) *draft {
	d := &draft{
		T:       t,
		method:  draw.OneOf(draw.Just("GET"), draw.SampledFrom(otherMethods)).Draw(t, "method"),
		path:    locationPath.Draw(t, "path"),
		known:   map[string]any{},
		policy:  drawPolicy(t),
		clocked: draw.Maybe(t, "clock"),
		now:     draw.One(t, "now", unixTimes...),
	}
	if d.tls = draw.Pointer(t, "TLS", draw.Bool); d.policy.RequireTLS {
		d.tls = new(true)
	}
	return d
}

// maxCredentials is the maximum number of credentials in a request that package rtdbauth accepts.
const maxCredentials = 8

// otherMethods are the methods that the document does not mention (RFC 9110 section 9, RFC 5789).
var otherMethods = []string{"HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

// noMethod draws words that are not HTTP methods.
var noMethod = draw.Sampled("get", "Get", "FETCH", "GETS", "", " GET")

// unixTimes are possible clock times, in seconds since the Unix epoch. The first time is 2026-01-01.
var unixTimes = []float64{1767225600, 0, 1, 1<<31 - 1, 1 << 31, 1767225600.5, -86400, 253402300799}

// drawPolicy draws a policy for a request without credentials. The policy must not refuse the request or leave it undecided.
func drawPolicy(t *draw.T) (p rtdbline.Policy) {
	if !draw.Maybe(t, "policy") {
		return p
	}
	p.Legacy = drawChoice(t, "legacy", "refuse")
	p.LegacyIn = draw.Optional(t, "legacy in", draw.SliceOfNDistinct(credentialPlace, 0, 3, draw.Same[rtdbauth.Place]))
	p.LegacyRules = drawChoice(t, "legacy rules", "apply", "bypass")
	p.EmptyCredential = drawChoice(t, "empty credential", "ignore")
	p.UnsupportedScheme = drawChoice(t, "unsupported scheme", "ignore", "reject")
	p.OnConflict = drawChoice(t, "on conflict", "least_privilege")
	p.AmbiguousPath = drawChoice(t, "ambiguous path", "reject")
	p.LeewaySeconds = draw.One[int64](t, "leeway", 0, 1, 60, 3600)
	p.RequireTLS = draw.Maybe(t, "require TLS")
	p.ScopeBase = draw.Optional(t, "scope base", scopeBase)
	return p
}

// drawChoice draws one of the words or, at first, "", which means no decision.
func drawChoice(t *draw.T, label string, words ...string) string {
	return draw.One(t, label, slices.Concat([]string{""}, words)...)
}

var scopeBase = draw.Sampled("https://scope.example", "https://scope.example/v1", "https://scope.example/")

// line returns the request as a line of the batch form. The parts are in any order, among parameters and headers that
// do not identify the caller.
func (d *draft) line() json.RawMessage {
	pairs := append(d.pairs, draw.Optional(d.T, "other parameters", draw.SliceOfN(draw.SampledFrom(otherPairs), 1, 3))...)
	headers := append(d.headers, draw.Optional(d.T, "other headers", draw.SliceOfN(draw.SampledFrom(otherHeaders), 1, 3))...)
	if draw.Seldom(d.T, "another token") {
		d.known["not sent"] = drawUseless(d.T, "another token")
	}
	if len(pairs) > 1 {
		pairs = draw.Permutation(pairs).Draw(d.T, "order of parameters")
	}
	if len(headers) > 1 {
		headers = draw.Permutation(headers).Draw(d.T, "order of headers")
	}
	url := d.path
	if len(pairs) > 0 {
		url += "?" + strings.Join(pairs, "&")
	}
	return draw.EncodeJSON(struct {
		Method  string          `json:"method"`
		URL     string          `json:"url"`
		Headers [][2]string     `json:"headers,omitempty"`
		Known   map[string]any  `json:"known,omitempty"`
		Policy  rtdbline.Policy `json:"policy,omitzero"`
		Dialect diag.Dialect    `json:"dialect,omitzero"`
	}{d.method, url, headers, d.knowledge(), d.policy, d.dialect})
}

// knowledge returns the member known: facts about the tokens, the time and the transport.
func (d *draft) knowledge() map[string]any {
	known := maps.Clone(d.known)
	if d.clocked {
		known["_now"] = d.now
	}
	if d.tls != nil {
		known["_request"] = map[string]bool{"tls": *d.tls}
	}
	return known
}

// otherPairs are parameters without credentials, although some resemble credential parameters.
var otherPairs = []string{
	"print=pretty", "shallow=true", "orderBy=%22%24key%22", "timeout=3ms", "", "=", "x", "a=b=c", "%41=%42",
	"x=auth=1", "authx=1", "xauth=1", "auth%20=1", "auth%00=1", "access-token=1", "authorization=Bearer%20x",
	"callback=auth", "x=%FF", "q=a+b", "auth[]=1", "a%26auth=1",
	"x=%zz", "x=%", "%zz=1", "%", "x=%4", "auth%=1", ";", "x=1;", "x=1;authx=1", "x;auth%zz",
}

// otherHeaders are header fields without credentials, although some resemble credential fields.
var otherHeaders = [][2]string{
	{"Accept", "*/*"}, {"User-Agent", "curl/8"}, {"Cookie", "auth=abc"}, {"Proxy-Authorization", "Bearer abc"},
	{"X-Authorization", "Bearer abc"}, {"X-Access-Token", "abc"}, {"Authentication", "Bearer abc"}, {"X-Empty", ""},
	{"Accept", "application/json"},
}

// locationPath draws the path of a location that all servers and proxies interpret in the same way.
var locationPath = draw.Custom(func(t *draw.T) string {
	segments := draw.Optional(t, "segments", draw.SliceOfN(pathSegment, 1, 4))
	path := "/" + strings.Join(segments, "/")
	if draw.Seldom(t, "slash before .json") && len(segments) > 0 {
		path += "/"
	}
	return path + draw.One(t, "suffix", ".json", "%2Ejson", ".%6as%6Fn", "%2e%6A%73%6F%6E")
})

var pathSegment = draw.Custom(func(t *draw.T) string {
	return percentEncoded(t, plainSegment.Draw(t, "segment"), "%?#/ ")
})

var plainSegment = draw.OneOf(letters, draw.Sampled(
	"-", "_", "~", "$key", "a b", "a?b", "a#b", "a&auth=b", "a;b", "a=b", "x@y:z", "100%", "é", "漢字", "...", ".a", ".json", "x.JSON",
))

// ambiguousPath draws paths that end correctly, but that servers and proxies interpret differently.
var ambiguousPath = draw.Sampled(
	"/./a.json", "/a/../b.json", "/../a.json", "/a/%2e%2E/b.json", "/%2e/a.json", "/a/..%2fb.json", // dot segments
	"//a.json", "/a//b.json", "//.json", // empty segments
	"/a%2Fb.json", "/a%2f.json", "/%2f.json", // encoded slashes
	"/a%252Fb.json", "/a%2541.json", "/%252e%252e/a.json", // encoded twice
	"/a/..;/b.json", "/a/%2e%2e;x=1/b.json", "/a/...json", "/..json", // more dot segments
	"/a/..%5Cb.json", "/a%5Cb.json", // backslashes
)

// percentEncoded percent-encodes control characters, bytes outside ASCII, the characters in must, and possibly other
// characters.
func percentEncoded(t *draw.T, plain, must string) string {
	if plain == "" {
		return ""
	}
	digits := "0123456789ABCDEF"
	every := draw.One(t, "encoded", 0, 0, 1, 3) // also encode every nth byte, or no other byte for 0
	if every > 0 && draw.Maybe(t, "lower case") {
		digits = "0123456789abcdef"
	}
	var b strings.Builder
	for i := range len(plain) {
		c := plain[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(must, c) >= 0 || every > 0 && i%every == 0 {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
