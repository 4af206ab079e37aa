package rtdbauth_test

import (
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/rtdbauth"
)

func TestRedactURL(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		"/a.json":                              "/a.json",
		"/authors/token.json?print=pretty&b":   "/authors/token.json?print=pretty&b",
		"/a.json?auth=x":                       "/a.json?auth=REDACTED",
		"/a.json?x=1&access_token=a&y=2":       "/a.json?x=1&access_token=REDACTED&y=2",
		"/a.json?%61uth=x":                     "/a.json?%61uth=REDACTED",
		"/a.json?%2561uth=x":                   "/a.json?%2561uth=REDACTED",
		"/a.json?Access_Token=x":               "/a.json?Access_Token=REDACTED",
		"/a.json?auth=x;y#z?w":                 "/a.json?auth=REDACTED",
		"/a.json?b=1;auth=x":                   "/a.json?b=1;auth=REDACTED",
		"/a.json&auth=x":                       "/a.json&auth=REDACTED",
		"/a.json?auth%3Dx":                     "/a.json?REDACTED",
		"/a.json?b=%zz":                        "/a.json?REDACTED",
		"/a.json?oauth_token=x":                "/a.json?REDACTED",
		"/a.json?next=%2Fb.json%3Fauth%3Dx":    "/a.json?REDACTED",
		"/a.json?h=Bearer%20x":                 "/a.json?REDACTED",
		"/a.json?h=Bearer%09x":                 "/a.json?REDACTED",
		"/a.json?h=Bearer\tx":                  "/a.json?REDACTED",
		"/a.json?h=Bearer%C2%A0x":              "/a.json?REDACTED",
		"/a.json?h=bearer:x":                   "/a.json?REDACTED",
		"/a.json?bearer=x&b=1":                 "/a.json?REDACTED&b=1",
		"/a.json?%2562earer%253Dx":             "/a.json?REDACTED",
		"/a.json?h=Authorization:%20Basic%20x": "/a.json?REDACTED",
		"/a.json?h=Bearer%0Bx":                 "/a.json?REDACTED",
		"/a.json?h=Bearer%00x":                 "/a.json?REDACTED",
		"/a.json?h=Bearer%E2%80%8Bx":           "/a.json?REDACTED", // a space without width
		"/a.json?h=Bearer%A0x":                 "/a.json?REDACTED", // a space in Latin-1
		"/a.json?h=Authorization%20:%20x":      "/a.json?REDACTED",
		"/a.json?b={%22auth%22:%22x%22}":       "/a.json?REDACTED",
		"/a.json?b='access_token'+:+x":         "/a.json?REDACTED",
		`/a.json?b={\"auth\":\"x\"}`:           "/a.json?REDACTED",
		"/a.json?b=[auth]:x":                   "/a.json?REDACTED",
		"/a.json?b=%E2%80%9Cauth%E2%80%9D:x":   "/a.json?REDACTED",
		"/auth/x:y.json":                       "/auth/x:y.json",
		"/a.json?au\tth=x":                     "/a.json?REDACTED",
		"/a.json?b=au%0Ath%3Dx":                "/a.json?REDACTED",
		"/a.json?b=c%0Ad@e":                    "/a.json?b=c%0Ad@e",
		"/authors:all.json":                    "/authors:all.json",
		"/a.json?who=bearer":                   "/a.json?who=bearer",
		"/a.json#auth=x":                       "/a.json#REDACTED",
		"https://u:p@db.example/a.json?auth=x": "https://REDACTED@db.example/a.json?auth=REDACTED",
		"https://db.example/a@b.json":          "https://db.example/a@b.json",
		"//u:p@db.example/a.json":              "//REDACTED@db.example/a.json",
		"//u@db.example/a.json":                "//REDACTED@db.example/a.json",
		"https://u@p@db.example?x=@":           "https://REDACTED@db.example?x=@",
		"///a@b.json":                          "///REDACTED@b.json", // some servers skip slashes
		"https:///a@b.json":                    "https:///REDACTED@b.json",
		"?auth=x":                              "?auth=REDACTED",
		"/a.json?auth":                         "/a.json?REDACTED",
		"/a.json?x;%61uth;b":                   "/a.json?x;REDACTED",
		"#x":                                   "#REDACTED",
		"/a.json?#x":                           "/a.json?#REDACTED",
		"/a.json?b=1;#x":                       "/a.json?b=1;#REDACTED",
		// It does not show either whether there was something to hide.
		"/a.json?auth=&access_token=": "/a.json?auth=REDACTED&access_token=REDACTED",
		"https://@db.example/a.json":  "https://REDACTED@db.example/a.json",
		"/a.json#":                    "/a.json#REDACTED",
	} {
		if got := rtdbauth.RedactURL(in); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestRedactURLUserInformation uses URLs in every position, and text that only looks like user information.
func TestRedactURLUserInformation(t *testing.T) {
	for in, want := range map[string]string{
		"https://db.example/x.json?next=https://user:PASSWORD@h/":      "https://db.example/x.json?next=https://REDACTED@h/",
		"/x.json?next=https%3A%2F%2Fuser%3APASSWORD%40h%2F&b=1":        "/x.json?next=https%3A%2F%2FREDACTED%40h%2F&b=1",
		"/x.json?next=https%253A%252F%252FUSER%2540h&b=1":              "/x.json?next=https%253A%252F%252FREDACTED%2540h&b=1",
		"/x.json?a=https://h&b=v@i":                                    "/x.json?a=https://REDACTED@i", // user information may contain a &
		"/x.json?a=https://u:p@h/&b=//v@i":                             "/x.json?a=https://REDACTED@h/&b=//REDACTED@i",
		"/https://u:p@h/x.json":                                        "/https://REDACTED@h/x.json",
		"https://u:1%2FPASSWORD@h/x.json":                              "https://REDACTED@h/x.json", // after decoding, it would end at the slash
		"/x.json?next=https%3A%2F%2Fu%3A1%252FPASSWORD%40h":            "/x.json?next=https%3A%2F%2FREDACTED%40h",
		"/x.json?next=https%3A%2F%2Fu:p;PASSWORD%40h":                  "/x.json?next=https%3A%2F%2FREDACTED%40h",
		"https://u:1%2FPASSWORD%40h/x.json":                            "https://REDACTED/x.json",
		"https://SECRET;%" + strings.Repeat("25", 20) + "40h/x.json":   "https://REDACTED",
		"https://u:p&ss@h/x.json":                                      "https://REDACTED@h/x.json",
		"https://u:p/ss@h/x.json":                                      "https://REDACTED@h/x.json",
		"https://u:p?ss@h/x.json":                                      "https://REDACTED@h/x.json",
		"https://u:p#ss@h/x.json":                                      "https://REDACTED",
		"https://[::1]:p/ss@h/x.json":                                  "https://REDACTED@h/x.json",
		"https:u:p@h/x.json":                                           "REDACTED@h/x.json",
		"https:///u:p@h/x.json":                                        "https:///REDACTED@h/x.json",
		"u:p@h/x.json":                                                 "REDACTED@h/x.json",
		"see https://db.example/a.json or https://u:p@h/b.json?auth=x": "see https://db.example/a.json or https://REDACTED@h/b.json?auth=REDACTED",
		"/x.json?auth=a:b@SECRET":                                      "/x.json?REDACTED",
		"/x.json?auth=x;//u@SECRET":                                    "/x.json?auth=REDACTED",
		"/x.json?next=//u;auth=@SECRET":                                "/x.json?next=//REDACTED",
		"/x.json?next=//u@h;auth=SECRET&b=1":                           "/x.json?next=//REDACTED@h;auth=REDACTED&b=1",
		"https://user:8080/SECRET@h/x.json":                            "https://REDACTED@h/x.json", // not a port
		"https://SECRET:/x@h/x.json":                                   "https://REDACTED@h/x.json", // nor an empty one
		"https://[::1]:8080/a@b.json":                                  "https://REDACTED@b.json",
		"https://db.example:8080/a.json?b=c":                           "https://db.example:8080/a.json?b=c",
		"https://SECRET:@h:80/x.json":                                  "https://REDACTED@h:80/x.json",
		"https:/SECRET@h/x":                                            "https:/REDACTED@h/x",
		`https:\\SECRET@h/x`:                                           `https:\\REDACTED@h/x`,
		`https:\/\/SECRET@h/x`:                                         `https:\/\/REDACTED@h/x`,
		`https:/\SECRET@h/x`:                                           `https:/\REDACTED@h/x`,
		`https:\SECRET@h/x`:                                            `https:\REDACTED@h/x`,
		"/x.json?next=https:/SECRET@h":                                 "/x.json?next=https:/REDACTED@h",
		"/x.json?next=https%3A%5C%5CSECRET@h":                          "/x.json?next=https%3A%5C%5CREDACTED@h",
		"/x.json?next=https%253A%252FSECRET%2540h":                     "/x.json?next=https%253A%252FREDACTED%2540h",
		"/x.json?next=https:/%09/SECRET@h":                             "/x.json?next=https:/%09/REDACTED@h", // browsers remove the tab
		"/x.json?next=https:\n/SECRET@h":                               "/x.json?next=https:\n/REDACTED@h",
		"https:/\t/SECRET;@h/x.json":                                   "https:/\t/REDACTED@h/x.json",
		"/x.json?next=https:/%0D/SECRET&b=SECRET@h":                    "/x.json?next=https:/%0D/REDACTED@h",
		"https:\n/\n/u:SECRET?\tSECRET@h/x":                            "https:\n/\n/REDACTED@h/x",
		"/x.json?next=https:%252\nF/SECRET&SECRET@h":                   "/x.json?next=https:%252\nF/REDACTED@h",
		"https://[::1]/a@b.json":                                       "https://[::1]/a@b.json",
		"https://@h:80/a@b.json":                                       "https://REDACTED@h:80/a@b.json", // empty, so the colon is that of the port
		"/a.json?from=12:30&to=a@b":                                    "/a.json?from=12:30&to=a@b",
		"/a:b.json?who=a@b":                                            "/a:b.json?who=a@b",
		"/a.json?who=a@b:80":                                           "/a.json?who=a@b:80",
		"/a//b:c.json":                                                 "/a//b:c.json",
	} {
		if got := rtdbauth.RedactURL(in); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestRedactURLEncoding uses text that is encoded many times, invalid escapes, and an encoded = in a name.
func TestRedactURLEncoding(t *testing.T) {
	for in, want := range map[string]string{
		"/x.json?%2561uth=SECRET%25zz":                   "/x.json?%2561uth=REDACTED",
		"/x.json?b=%2561uth%253DSECRET%25zz&c=1":         "/x.json?REDACTED&c=1",
		"/x.json?auth%3DSECRET=x":                        "/x.json?REDACTED",
		"/x.json?%61uth%3DSECRET=x&b=1":                  "/x.json?REDACTED&b=1",
		"/x.json?h=Bearer%252Bx":                         "/x.json?REDACTED",
		"/x.json#b=1&id=SECRET":                          "/x.json#REDACTED",
		"/x.json?auth=x#y&id=SECRET":                     "/x.json?auth=REDACTED",
		"/x.json?off=100%25&b=1":                         "/x.json?off=100%25&b=1",
		"/x.json?off=100%2525zz":                         "/x.json?off=100%2525zz",
		"/100%25.json":                                   "/100%25.json",
		"/x.json?b=%zz&c=%4":                             "/x.json?REDACTED&REDACTED",
		"/x.json?b=%" + strings.Repeat("25", 6) + "41&c": "/x.json?b=%" + strings.Repeat("25", 6) + "41&c",
		"/x.json?b=%" + strings.Repeat("25", 7) + "41&c": "/x.json?REDACTED&c",
		"/x.json?b=%" + strings.Repeat("25", 9) + "2F%" + strings.Repeat("25", 9) + "2FSECRET&SECRET@h": "/x.json?REDACTED@h",
		"/x.json?%" + strings.Repeat("25", 90) + "61uth=":                                               "/x.json?REDACTED",
	} {
		if got := rtdbauth.RedactURL(in); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", in, got, want)
		}
	}
}

// genNested draws URLs with user information, alone and within other URLs, percent-encoded up to 12 times.
var genNested = rapid.Custom(func(t *rapid.T) string {
	inner := rapid.SampledFrom([]string{
		"https://u:SECRET@h/", "//SECRET@h", "http://h@SECRET@i:80/x.json?b=1", "https:u:SECRET@h", "https://u:1%2FSECRET@h/a@b",
		"https://u:p&SECRET@h", "https://u:p/SECRET@h", "https://u:p%40SECRET@h?x=@",
	}).Draw(t, "URL")
	for range rapid.IntRange(0, 12).Draw(t, "times") {
		inner = rapid.SampledFrom([]func(string) string{url.QueryEscape, url.PathEscape, func(s string) string { return encodeSome(t, s) }}).Draw(t, "how")(inner)
	}
	before := rapid.SampledFrom([]string{"", "/a.json?next=", "/a.json?b=a@b&next=", "https://db.example/at", "https://v:p@i/a.json?b;c=", "%zz"}).Draw(t, "before")
	return before + inner + rapid.SampledFrom([]string{"", "&b=1", "#c", "?d=e@f"}).Draw(t, "after")
})

// TestRedactURLNested checks that the user information does not appear, however often the result is decoded.
func TestRedactURLNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genNested.Draw(t, "text")
		out := rtdbauth.RedactURL(in)
		for text, err := out, error(nil); err == nil; {
			if strings.Contains(text, "SECRET") {
				t.Fatalf("RedactURL(%q) = %q", in, out)
			}
			before := text
			if text, err = url.PathUnescape(text); text == before {
				return
			}
		}
	})
}

// TestRedactURLMixed checks that a credential is hidden whichever characters around it are percent-encoded, however
// often each of them is, and wherever browsers remove tabs and line ends.
func TestRedactURLMixed(t *testing.T) {
	shapes := []string{
		"/a.json?auth=SECRET", "/a.json?b=1;access_token=SECRET", "/a.json?h=Bearer SECRET", `/a.json?b={\"token\" : \"SECRET`,
		"https://SECRET@h/", "see //a;SECRET@h", "/a.json?b=https:/a&SECRET:p@h/", `https:\\u:SECRET@h:80`, "/x.json?b=//u:a/SECRET@h",
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after, _ := strings.Cut(rapid.SampledFrom(shapes).Draw(t, "URL"), "SECRET")
		in := mixed(t, before) + "SECRET" + mixed(t, after)
		if out := rtdbauth.RedactURL(in); strings.Contains(out, "SECRET") {
			t.Fatalf("RedactURL(%q) = %q", in, out)
		}
	})
}

// mixed returns a text with some of its characters percent-encoded once or several times, and with characters
// between them that browsers remove.
func mixed(t *rapid.T, text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		removed := rapid.SampledFrom([]string{"", "", "", "", "\t", "\n", "\r"}).Draw(t, "removed")
		for _, c := range append([]byte(removed), c) {
			if times := rapid.IntRange(-2, 2).Draw(t, "times"); times >= 0 {
				fmt.Fprintf(&b, "%%%s%02X", strings.Repeat("25", times), c)
			} else {
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// TestRedactURLHostileText uses texts that take minutes if the time grows with the square of their
// length. The memory must grow in proportion to the length.
func TestRedactURLHostileText(t *testing.T) {
	const small, large, factor = 1_000, 10_000, 20
	for name, text := range map[string]func(n int) string{
		"encoded again and again": func(n int) string { return "/x.json?a=%" + strings.Repeat("25", n) },
		"URLs":                    func(n int) string { return "/x.json?" + strings.Repeat("a=//u@h/&", n) },
		"URLs, encoded":           func(n int) string { return "/x.json?" + strings.Repeat("a=%2F%2Fu%40h/&", n) },
		"authorities, encoded":    func(n int) string { return strings.Repeat("//%2525/", n) },
		"slashes":                 func(n int) string { return strings.Repeat("/", n) + "@" },
		"authorities":             func(n int) string { return strings.Repeat("//a:b/", n) },
		"ports, and an @":         func(n int) string { return strings.Repeat("//a:b/", n) + "@" },
		"colons":                  func(n int) string { return strings.Repeat("a:b@", n) },
		"pieces":                  func(n int) string { return "/x.json?" + strings.Repeat("a;", n) },
		"percent signs":           func(n int) string { return "/x.json?" + strings.Repeat("%", n) + "@" },
		"tabs":                    func(n int) string { return strings.Repeat("//%2509\t/%0A/a@", n) },
		"fragments":               func(n int) string { return strings.Repeat("#&", n) },
		"parameters":              func(n int) string { return "/x.json?" + strings.Repeat("auth=&", n) },
	} {
		t.Run(name, func(t *testing.T) {
			if few, many := allocated(text(small)), allocated(text(large)); many > factor*max(few, small) {
				t.Errorf("%d bytes of memory for %d repetitions, %d for %d", few, small, many, large)
			}
		})
	}
}

// allocated returns how many bytes of memory RedactURL allocates for the text.
func allocated(text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rtdbauth.RedactURL(text)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
