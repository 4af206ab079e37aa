package form_test

import (
	"testing"

	"github.com/calrules/calrules/internal/form"
)

func TestIsHTTPURL(t *testing.T) {
	verdict(t, "IsHTTPURL", form.IsHTTPURL, httpURLs, []string{
		"", "http", "http:", "http:/", "http://", "http:///x", "http://?q", "http://#f", "http://:80", "http://:80/",
		"http://user@", "http://user@/x", "http://user@:80", "http://a@b@c", "http://a/../@b c",
		"https:example.com", "https:/example.com", "//example.com", "example.com", "www.example.com/x",
		"ftp://example.com", "httpx://example.com", "shttp://example.com", "httpſ://example.com", "javascript:alert(1)",
		" http://a", "http://a ", "http://a/b c", "http://a/\n", "http://a/\tb", "http://a/\x00", "http://a/\x7f", "http://a/\u0085", "\uFEFFhttp://a",
		"http://a:b", "http://a:80a/", "http://a:+80", "http://a:80:80", "http://1::2/",
		"http://a/%", "http://a/%2", "http://a/%zz", "http://a/%2g", "http://%zz/", "http://a%2/",
		"http://[::1", "http://::1]", "http://[]", "http://[::1]x", "http://[::1]:x", "http://[1.2.3.4]", "http://[::1%25eth0]",
		"http://[fe80::1%eth0]", "http://[1:2:3:4:5:6:7:8:9]", "http://[12345::]", "http://[::01.2.3.4]", "http://[1:2:3:4:5:6:7:8::]",
		"http://[v]", "http://[v.a]", "http://[v7.]", "http://[vg.a]", "http://[v7.a/b]", "http://a[::1]", "http://us[er@a", "http://a]b",
		`http://a\b`, "http://a/<b>", `http://a/"b"`, "http://a/{b}", "http://a/b|c", "http://a/b^c", "http://a/`b`",
		"http://a/\xff", "http://a/\xed\xa0\x80", "http://a/\ufffd", "http://a/\ue000", "http://a/\U000FFFFE", "http://a/\U0001FFFE", "http://a/\ufdd0",
	})
}

func TestIsTelURI(t *testing.T) {
	verdict(t, "IsTelURI", form.IsTelURI, telURIs, []string{
		"", "tel", "tel:", "+15550100", "tel +1", "tel:+1 555", "tel:+1\n", "tel:%", "tel:%2", "phone:+1", "sip:+1", "http://tel:1", " tel:1",
		"tel:hello", "tel:+", "tel:++1", "tel:1+2", "tel:-", "tel:%23", "tel:;ext=1", "tel://1", "tel:1/2", "tel:1@2", "tel:é1", "tel:1?x",
	})
}

func TestIsSIPURI(t *testing.T) {
	verdict(t, "IsSIPURI", form.IsSIPURI, sipURIs, []string{
		"", "sip", "sip:", "sips:room@example.com", "ſip:room@example.com", "room@example.com", "sip:room @example.com", "sip:<room@example.com>", "tel:1",
		"sip:room@", "sip:@example.com", "sip:@", "sip:a@b@c", "sip:a@b:port", "sip:a@:5060", "sip:a@[::1", "sip:a@b/c", "sip:a@b#c",
		"sip:a#b@c", "sip:[a]@b", "sip:;transport=tcp", "sip:?subject=a", "sip:a@b;c@d", "sip:a;b@c@d", "sip:a@b?c#d",
	})
}

func TestHasScheme(t *testing.T) {
	is := func(s string) bool { return form.HasScheme(s, "http", "https") }
	verdict(t, "HasScheme", is, []string{"http:", "HTTPS://a b", "hTTp://"}, []string{"", "http", ":", " http:", "httpſ:", "ftp:", "http :", "//http:"})
}

func TestIsWellFormedURI(t *testing.T) {
	verdict(t, "IsWellFormedURI", form.IsWellFormedURI, uris, []string{
		"", ":", ":a", "a", "1a:b", "+a:b", "a_b:c", "é:a", "a b:c", "/a:b", "#a:b", "mailto:a b",
		"https:///a", "https:a", "http://a b", "tel:", "tel:+1 2", "sip:",
	})
}
