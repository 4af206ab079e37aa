package form_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/internal/form"
)

// This file implements the grammars a second time, slowly: as regular expressions that follow the
// ABNF of the RFCs. The tests compare the checks with them.

// whole compiles an expression that must match its whole input.
func whole(expr string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + expr + `)\z`) }

var (
	// RFC 2938 section 3.1.2, in lower case, and the lengths in the document. (Package regexp limits repetitions to 1000.)
	slowEventID = whole(`[0-9a-v]{5,1000}|[0-9a-v]{1000}[0-9a-v]{1,24}`)

	slowMeetingCode = whole(`[A-Za-z]{3}-[A-Za-z]{4}-[A-Za-z]{3}`)
	slowContactName = whole(`people/[^/\t-\r \x{85}\x{A0}\p{Z}]+`)

	// RFC 3339 section 5.6.
	slowDate     = whole(`([0-9]{4})-([0-9]{2})-([0-9]{2})`)
	slowDateTime = whole(`([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]` +
		`([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?` +
		`([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?`)
)

// RFC 5322 sections 3.2.3, 3.2.4 and 3.4.1, without CFWS, FWS only as blanks, and without the obsolete forms.
var slowAddrSpec = func() *regexp.Regexp {
	const (
		atext        = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]"
		dotAtom      = atext + `+(?:\.` + atext + `+)*`
		qtext        = `[\x21\x23-\x5B\x5D-\x7E]`
		quotedPair   = `\\[\x21-\x7E \t]`
		quotedString = `"(?:[ \t]*(?:` + qtext + `|` + quotedPair + `))*[ \t]*"`
		literal      = `\[[\x21-\x5A\x5E-\x7E]*\]`
	)
	return whole(`(?:` + dotAtom + `|` + quotedString + `)@(?:` + dotAtom + `|` + literal + `)`)
}()

// RFC 3986 appendix A, with the characters of RFC 3987 section 2.2.
const (
	ucschar = `\x{A0}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFEF}\x{10000}-\x{1FFFD}` +
		`\x{20000}-\x{2FFFD}\x{30000}-\x{3FFFD}\x{40000}-\x{4FFFD}\x{50000}-\x{5FFFD}` +
		`\x{60000}-\x{6FFFD}\x{70000}-\x{7FFFD}\x{80000}-\x{8FFFD}\x{90000}-\x{9FFFD}` +
		`\x{A0000}-\x{AFFFD}\x{B0000}-\x{BFFFD}\x{C0000}-\x{CFFFD}\x{D0000}-\x{DFFFD}\x{E1000}-\x{EFFFD}`
	unreserved = `A-Za-z0-9\-._~` + ucschar
	subDelims  = `!$&'()*+,;=`
	pctEncoded = `%[0-9A-Fa-f]{2}`
	text       = `(?:[` + unreserved + subDelims + `:/?#\[\]@]|` + pctEncoded + `)`
	h16        = `[0-9A-Fa-f]{1,4}`
	decOctet   = `(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	ls32       = `(?:` + h16 + `:` + h16 + `|` + decOctet + `\.` + decOctet + `\.` + decOctet + `\.` + decOctet + `)`
	ipv6       = `(?:` + h16 + `:){6}` + ls32 +
		`|::(?:` + h16 + `:){5}` + ls32 +
		`|(?:` + h16 + `)?::(?:` + h16 + `:){4}` + ls32 +
		`|(?:(?:` + h16 + `:){0,1}` + h16 + `)?::(?:` + h16 + `:){3}` + ls32 +
		`|(?:(?:` + h16 + `:){0,2}` + h16 + `)?::(?:` + h16 + `:){2}` + ls32 +
		`|(?:(?:` + h16 + `:){0,3}` + h16 + `)?::` + h16 + `:` + ls32 +
		`|(?:(?:` + h16 + `:){0,4}` + h16 + `)?::` + ls32 +
		`|(?:(?:` + h16 + `:){0,5}` + h16 + `)?::` + h16 +
		`|(?:(?:` + h16 + `:){0,6}` + h16 + `)?::`
	ipvFuture = `[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~` + subDelims + `:]+`
	ipLiteral = `\[(?:` + ipv6 + `|` + ipvFuture + `)\]`
	host      = `(?:` + ipLiteral + `|(?:[` + unreserved + subDelims + `]|` + pctEncoded + `)+)`
	userinfo  = `(?:[` + unreserved + subDelims + `:]|` + pctEncoded + `)*`

	// RFC 3261 section 25.1: parameters follow ";" and headers "?", which a host name does not have.
	sipUser = `(?:[` + unreserved + subDelims + `:/?]|` + pctEncoded + `)+`
	sipName = `(?:[` + unreserved + `!$&'()*+,=]|` + pctEncoded + `)+`
	sipMore = `(?:[` + unreserved + subDelims + `:/?\[\]]|` + pctEncoded + `)*`

	// RFC 3966 section 3, with pauses.
	dialed = `(?:[0-9A-Fa-f*#\-.(),pPwW]|` + pctEncoded + `)`
)

var (
	slowURI  = whole(`([A-Za-z][A-Za-z0-9+\-.]*):` + text + `*`)
	slowHTTP = whole(`[Hh][Tt][Tt][Pp][Ss]?://(?:` + userinfo + `@)?` + host + `(?::[0-9]*)?(?:[/?#]` + text + `*)?`)
	slowTel  = whole(`[Tt][Ee][Ll]:\+?` + dialed + `*[0-9*#]` + dialed + `*(?:;` + text + `*)?`)
	slowSIP  = whole(`[Ss][Ii][Pp]:(?:` + sipUser + `@)?(?:` + ipLiteral + `|` + sipName + `)(?::[0-9]*)?(?:[;?]` + sipMore + `)?`)
)

// atoi parses digits that an expression has matched.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// slowIsDate reports whether s matches the expression and package time does not normalize the
// date.
func slowIsDate(s string) bool {
	m := slowDate.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	t := time.Date(atoi(m[1]), time.Month(atoi(m[2])), atoi(m[3]), 0, 0, 0, 0, time.UTC)
	return t.Format("2006-01-02") == s
}

// slowParseDateTime returns the instant of s, or that in UTC if s has no offset.
func slowParseDateTime(s string) (at time.Time, hasOffset, ok bool) {
	m := slowDateTime.FindStringSubmatch(s)
	if m == nil || !slowIsDate(m[1]) {
		return time.Time{}, false, false
	}
	hour, minute, second := atoi(m[2]), atoi(m[3]), atoi(m[4])
	if hour > 23 || minute > 59 || second > 60 {
		return time.Time{}, false, false
	}
	day, err := time.Parse("2006-01-02", m[1])
	if err != nil {
		panic(err)
	}
	nanoseconds := atoi((m[5] + "000000000")[:9])
	offset := slowOffset(m[6])
	whole := day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second - offset)
	at = whole.Add(time.Duration(nanoseconds))
	if second < 60 {
		return at, m[6] != "", true
	}
	if m[6] == "" {
		return at, false, minute == 59
	}
	// A leap second is followed by the first midnight of a month.
	return at, true, whole.Day() == 1 && whole.Equal(whole.Truncate(24*time.Hour))
}

// slowOffset returns the offset from UTC that an expression has matched.
func slowOffset(s string) time.Duration {
	if len(s) < len("+hh:mm") {
		return 0
	}
	d := time.Duration(atoi(s[1:3]))*time.Hour + time.Duration(atoi(s[4:]))*time.Minute
	if s[0] == '-' {
		return -d
	}
	return d
}

// slowIsZone searches the list from the beginning.
func slowIsZone(s string) bool {
	return slices.Contains(slices.Collect(form.Zones()), s)
}

// slowIsWellFormedURI reports whether s matches the expression for its scheme.
func slowIsWellFormedURI(s string) bool {
	m := slowURI.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	switch slowLower.Replace(m[1]) {
	case "http", "https":
		return slowHTTP.MatchString(s)
	case "tel":
		return slowTel.MatchString(s)
	case "sip":
		return slowSIP.MatchString(s)
	default:
		return true
	}
}

// slowSameAddress compares the addresses with their domains in lower case.
func slowSameAddress(a, b string) bool { return slowAddressKey(a) == slowAddressKey(b) }

func slowAddressKey(s string) string {
	at := strings.LastIndex(s, "@")
	if at < 0 {
		return s
	}
	return s[:at] + slowLower.Replace(s[at:])
}

// slowLower converts ASCII letters to lower case.
var slowLower = strings.NewReplacer("A", "a", "B", "b", "C", "c", "D", "d", "E", "e", "F", "f",
	"G", "g", "H", "h", "I", "i", "J", "j", "K", "k", "L", "l", "M", "m", "N", "n", "O", "o",
	"P", "p", "Q", "q", "R", "r", "S", "s", "T", "t", "U", "u", "V", "v", "W", "w", "X", "x",
	"Y", "y", "Z", "z")

// slowEdits computes the optimal string alignment distance by its recursive definition.
func slowEdits(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	la, lb := len(a)-1, len(b)-1
	change := 1
	if a[la] == b[lb] {
		change = 0
	}
	d := min(slowEdits(a[:la], b)+1, slowEdits(a, b[:lb])+1, slowEdits(a[:la], b[:lb])+change)
	if la > 0 && lb > 0 && a[la] == b[lb-1] && a[la-1] == b[lb] {
		d = min(d, slowEdits(a[:la-1], b[:lb-1])+1)
	}
	return d
}

// slowBools is the checks that return a bool, each with its slow implementation.
var slowBools = []struct {
	name       string
	fast, slow func(string) bool
	seeds      []string // valid strings, which the property tests mutate
}{
	{"EventID", form.IsEventID, slowEventID.MatchString, []string{"abcde", "0123456789abcdefghijklmnopqrstuv", strings.Repeat("v", 1024), strings.Repeat("0", 1023)}},
	{"MeetingCode", form.IsMeetingCode, slowMeetingCode.MatchString, []string{"abc-mnop-xyz", "ABC-mnOP-xyz"}},
	{"ContactName", form.IsContactName, slowContactName.MatchString, []string{"people/c12345", "people/é", "people/me%20"}},
	{"Date", form.IsDate, slowIsDate, dates},
	{"AddrSpec", form.IsAddrSpec, slowAddrSpec.MatchString, addresses},
	{"HTTPURL", form.IsHTTPURL, slowHTTP.MatchString, httpURLs},
	{"TelURI", form.IsTelURI, slowTel.MatchString, telURIs},
	{"SIPURI", form.IsSIPURI, slowSIP.MatchString, sipURIs},
	{"WellFormedURI", form.IsWellFormedURI, slowIsWellFormedURI, uris},
	{"Zone", form.IsZone, slowIsZone, []string{"Europe/Paris", "UTC", "America/Argentina/ComodRivadavia", "GMT+0", "W-SU"}},
}
