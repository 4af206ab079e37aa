package fuzz

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// access is a request to a realtime database in parts, so that what is drawn can be broken.
type access struct {
	method  string
	path    string      // as sent, without the query
	pairs   []string    // of the query, as sent
	headers [][2]string // names and values
	tls     *bool
	known   map[string]any // by token: [facts], or what is none
	policy  rtdbauth.Policy

	now     float64 // by which the times of tokens are good
	clocked bool    // whether now is known
	uid     string  // of every user, where it is not empty
}

// drawAccess draws a request that presents nothing, in which nothing is left open but what
// other methods than GET do.
func drawAccess(t *rapid.T) *access {
	s := &access{
		method:  rapid.OneOf(rapid.Just("GET"), rapid.SampledFrom(otherMethods)).Draw(t, "method"),
		path:    locationPath().Draw(t, "path"),
		known:   map[string]any{},
		policy:  drawPolicy(t),
		clocked: draw.Maybe(t, "clock"),
		now:     rapid.SampledFrom(nows).Draw(t, "now"),
	}
	if s.tls = draw.Pointer(t, "TLS", rapid.Bool()); s.policy.RequireTLS {
		s.tls = new(true)
	}
	return s
}

// otherMethods are the methods that the document does not show (RFC 9110 section 9, RFC 5789).
var otherMethods = []string{"HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

// noMethod draws words that are no method of HTTP.
var noMethod = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"get", "Get", "FETCH", "GETS", "", " GET"})
})

// nows are clocks, in unix seconds.
var nows = []float64{float64(usualDay.Unix()), 0, 1, 1<<31 - 1, 1 << 31, 1767225600.5, -86400, 253402300799}

// drawPolicy draws a policy. That it refuses, or leaves open, what a request does not present
// makes no difference to it.
func drawPolicy(t *rapid.T) (p rtdbauth.Policy) {
	if !draw.Maybe(t, "policy") {
		return p
	}
	p.Legacy = silentOr(t, "legacy", rtdbauth.Refuse)
	p.LegacyIn = draw.Optional(t, "legacy in", rapid.SliceOfNDistinct(credentialPlace(), 0, 3, rapid.ID[rtdbauth.Place]))
	p.LegacyRules = silentOr(t, "legacy rules", rtdbauth.Apply, rtdbauth.Bypass)
	p.EmptyCredential = silentOr(t, "empty credential", rtdbauth.Ignore)
	p.UnsupportedScheme = silentOr(t, "unsupported scheme", rtdbauth.Ignore, rtdbauth.Reject)
	p.OnConflict = silentOr(t, "on conflict", rtdbauth.LeastPrivilege)
	p.AmbiguousPath = silentOr(t, "ambiguous path", rtdbauth.Reject)
	p.LeewaySeconds = rapid.SampledFrom([]int64{0, 1, 60, 3600, -5}).Draw(t, "leeway")
	p.RequireTLS = draw.Maybe(t, "require TLS")
	p.ScopeBase = draw.Optional(t, "scope base", scopeBase())
	return p
}

// silentOr draws one of the words or, at first, that nothing is said. A word that the policy
// does not know says nothing either.
func silentOr(t *rapid.T, label string, words ...rtdbauth.Choice) rtdbauth.Choice {
	return rapid.SampledFrom(slices.Concat([]rtdbauth.Choice{rtdbauth.Strict}, words, []rtdbauth.Choice{"as_ever"})).Draw(t, label)
}

var scopeBase = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"https://scope.example", "https://scope.example/v1", "https://scope.example/"})
})

// request puts the request together: its parts in any order, among others that have nothing
// to do with who the caller is.
func (s *access) request(t *rapid.T) *RTDB {
	pairs := append(s.pairs, draw.Optional(t, "other parameters", rapid.SliceOfN(rapid.SampledFrom(otherPairs), 1, 3))...)
	headers := append(s.headers, draw.Optional(t, "other headers", rapid.SliceOfN(rapid.SampledFrom(otherHeaders), 1, 3))...)
	if draw.Seldom(t, "another token") {
		s.known["not sent"] = rapid.SampledFrom(knowingNothing()).Draw(t, "another token")
	}
	if len(pairs) > 1 {
		pairs = rapid.Permutation(pairs).Draw(t, "order of parameters")
	}
	if len(headers) > 1 {
		headers = rapid.Permutation(headers).Draw(t, "order of headers")
	}
	url := s.path
	if len(pairs) > 0 {
		url += "?" + strings.Join(pairs, "&")
	}
	return &RTDB{Line: draw.EncodeJSON(struct {
		Method  string          `json:"method"`
		URL     string          `json:"url"`
		Headers [][2]string     `json:"headers,omitempty"`
		Known   map[string]any  `json:"known,omitempty"`
		Policy  rtdbauth.Policy `json:"policy,omitzero"`
	}{s.method, url, headers, s.knowledge(), s.policy})}
}

// knowledge returns the member known: that about the tokens, the clock and the transport.
func (s *access) knowledge() map[string]any {
	known := maps.Clone(s.known)
	if s.clocked {
		known["_now"] = s.now
	}
	if s.tls != nil {
		known["_request"] = map[string]bool{"tls": *s.tls}
	}
	return known
}

// otherPairs are parameters that present nothing, though some look as if they did.
var otherPairs = []string{
	"print=pretty", "shallow=true", "orderBy=%22%24key%22", "timeout=3ms", "", "=", "x", "a=b=c", "%41=%42",
	"x=auth=1", "authx=1", "xauth=1", "auth%20=1", "auth%00=1", "access-token=1", "authorization=Bearer%20x",
	"callback=auth", "x=%FF", "q=a+b", "auth[]=1", "a%26auth=1",
}

// otherHeaders are the like among header fields.
var otherHeaders = [][2]string{
	{"Accept", "*/*"}, {"User-Agent", "curl/8"}, {"Cookie", "auth=abc"}, {"Proxy-Authorization", "Bearer abc"},
	{"X-Authorization", "Bearer abc"}, {"X-Access-Token", "abc"}, {"Authentication", "Bearer abc"}, {"X-Empty", ""},
	{"Accept", "application/json"},
}

// locationPath draws the path of a location, which has one reading only.
func locationPath() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		segments := draw.Optional(t, "segments", rapid.SliceOfN(pathSegment(), 1, 4))
		path := "/" + strings.Join(segments, "/")
		if draw.Seldom(t, "slash before .json") && len(segments) > 0 {
			path += "/"
		}
		return path + rapid.SampledFrom([]string{".json", "%2Ejson", ".%6as%6Fn", "%2e%6A%73%6F%6E"}).Draw(t, "suffix")
	})
}

// pathSegment draws a segment of a path.
var pathSegment = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		plain := rapid.OneOf(
			rapid.StringMatching(`[a-z]{1,6}`),
			rapid.SampledFrom([]string{
				"-", "_", "~", "$key", "a b", "a?b", "a#b", "a&auth=b", "a;b", "a=b", "x@y:z", "100%", "é", "漢字", "...", ".a", ".json", "x.JSON",
			}),
		).Draw(t, "segment")
		return percentEncoded(t, plain, "%?#/ ")
	})
})

// ambiguousPath draws paths that end well, but that servers and proxies read differently.
var ambiguousPath = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"/./a.json", "/a/../b.json", "/../a.json", "/a/%2e%2E/b.json", "/%2e/a.json", "/a/..%2fb.json", // dot segments
		"//a.json", "/a//b.json", "//.json", // empty segments
		"/a%2Fb.json", "/a%2f.json", "/%2f.json", // encoded slashes
		"/a%252Fb.json", "/a%2541.json", "/%252e%252e/a.json", // encoded twice
	})
})

// percentEncoded percent-encodes what of a text must be: the control characters, what is beyond ASCII
// and those given, and perhaps others too.
func percentEncoded(t *rapid.T, plain, must string) string {
	if plain == "" {
		return ""
	}
	digits := "0123456789ABCDEF"
	every := rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "encoded") // of the others one in so many is
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
