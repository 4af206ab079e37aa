package form_test

// Valid strings of each grammar. The tables accept them, the property tests mutate them, and the
// fuzz targets use them as seeds.

var addresses = []string{
	"jdoe@one.test",                   // RFC 5322 appendix A.1.2
	"mary@x.test",                     // RFC 5322 appendix A.1.2
	"john.q.public@example.com",       // RFC 5322 appendix A.1.2
	"jane.o'hara+tag@mail.example.co", // a common address
	"!#$%&'*+-/=?^_`{|}~@example.com", // all special characters of atext
	"user@localhost",                  // a single label
	"user@-a_.example",                // a dot-atom, but not a host name
	`"joe"@example.com`,
	`"joe blow"@example.com`,
	"\"a\tb\"@example.com",
	`""@example.com`,
	`" "@example.com`,
	`"a\"b\\c\ d"@example.com`,
	"\"a\\\tb\"@example.com", // a tab, quoted
	`"a@b"@example.com`,
	"jdoe@[192.0.2.1]",
	"jdoe@[IPv6:2001:db8::1]",
	"jdoe@[]",
	"jdoe@[!Z^~]",
}

var httpURLs = []string{
	"http://www.ietf.org/rfc/rfc2396.txt", // RFC 3986 section 1.1.2
	"http://a",                            // the shortest
	"HTTPS://Example.COM/",                // RFC 3986 section 6.2.2.1
	"http://user:pa%20ss@example.com:8042/over/there?a#b", // RFC 3986 section 3
	"http://example.com:/",                                // RFC 3986 section 6.2.3
	"http://@example.com",
	"http://[2001:db8::7]/c=GB?objectClass?one", // RFC 3986 section 1.1.2, for ldap
	"http://[::ffff:192.0.2.1]:80",
	"http://[::]",
	"http://[1:2:3:4:5:6:7::]",
	"http://[v7.a:b]/",
	"https://192.0.2.16:80/",
	"https://r%C3%A9sum%C3%A9.example.org", // RFC 3987 section 3.2
	"https://résumé.example.org/日本?q=\U0002FFFD",
	"https://example.com?tag[]=a&x=%5B",
	"https://example.com/#/a#b",
	"https://meet.example.com/abc-mnop-xyz",
}

var telURIs = []string{
	"tel:+1-816-555-1212", // RFC 3986 section 1.1.2
	"tel:+12345,,,12345678%23",
	"tel:+1-555-0100;ext=5",
	"tel:+1,,123#",
	"tel:+1,,123#,,456#",
	"tel:*31#5550100",
	"tel:+1(2)34.5p6W7",
	"tel:a-b-1;phone-context=example.com",
	"TEL:1",
}

var sipURIs = []string{
	"sip:room@example.com",
	"SIP:12345@example.com;transport=tcp?subject=a%20b",
	"sip:alice:secret@[2001:db8::1]:5060", // similar to RFC 3261 section 19.1.3
	"sip:x",
	"sip:a/b?c;d@example.com:5060;lr",
	"sip:%61@[::1]?x=[y]",
}

var uris = []string{
	"https://example.com/",
	"TEL:+1",
	"sip:x",
	"urn:oasis:names", // RFC 3986 section 1.1.2
	"mailto:a@b",
	"a+b-c.9:",
	"x:",
	"data:text/plain,%20",
	"x:\U00010000\U000EFFFD",
}

var dates = []string{"2024-02-29", "2025-12-31", "0000-01-01", "9999-12-31", "1900-02-28", "2000-02-29"}

var dateTimes = []string{
	"1985-04-12T23:20:50.52Z",          // RFC 3339 section 5.8
	"1996-12-19T16:39:57-08:00",        // RFC 3339 section 5.8
	"1990-12-31T23:59:60Z",             // RFC 3339 section 5.8
	"1990-12-31T15:59:60-08:00",        // RFC 3339 section 5.8
	"1937-01-01T12:00:27.87+00:20",     // RFC 3339 section 5.8
	"2017-01-01T05:44:60.999+05:45",    // a leap second in Kathmandu
	"1990-12-31t23:59:60z",             // RFC 3339 section 5.6, note
	"2025-03-01T09:30:00-00:00",        // RFC 3339 section 4.3
	"2025-03-01T09:30:00",              // without an offset
	"2025-03-01T09:59:60",              // a leap second somewhere
	"2025-03-01T09:30:00.1234567899Z",  // more precise than a nanosecond
	"0000-01-01T00:59:60+01:00",        // in UTC, the year before
	"9999-12-31T23:59:59.999999-23:59", // in UTC, the year 10000
}
