package recording

import (
	"fmt"
	"strings"
	"testing"
)

// TestHARForms tests what the formats of browsers and proxies differ in.
func TestHARForms(t *testing.T) {
	const post = `"method":"POST","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events"`
	for name, test := range map[string]struct {
		request string
		unknown string
		body    string
	}{
		"text":                {post + `,"bodySize":2,"postData":{"text":"{}"}`, "nil", "{}"},
		"nothing":             {post, "nil", ""},
		"no size":             {post + `,"bodySize":-1`, "nil", ""},
		"a body left out":     {post + `,"bodySize":2`, "the recording does not contain it", ""},
		"a body in a file":    {post + `,"bodySize":2.0,"postData":{"mimeType":"application/json","_file":"a.json"}`, "the recording does not contain it", ""},
		"a length":            {post + `,"headers":[{"name":"content-length","value":"2"}]`, "the recording does not contain it", ""},
		"the length 0":        {post + `,"headers":[{"name":"content-length","value":"0"}]`, "nil", ""},
		"an unknown encoding": {post + `,"postData":{"text":"e30=","encoding":"rot13"}`, "encoding is not base64", ""},
		"not base64":          {post + `,"postData":{"text":"*","encoding":"base64"}`, "not valid base64", ""},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			all, err := ReadHAR([]byte(mark + `{"log":{"entries":[{"request":{` + test.request + `},"response":{"status":400}}]}}`))
			if err != nil || len(all) != 1 {
				t.Fatalf("%s: %d exchanges, %v", name, len(all), err)
			}
			if got := fmt.Sprint(all[0].BodyErr); !strings.Contains(got, test.unknown) || string(all[0].Body) != test.body {
				t.Errorf("%s: %q, %s", name, all[0].Body, got)
			}
		}
	}
}

// TestHARHostile tests that what is not a HAR file is refused, and not quoted.
func TestHARHostile(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "null": "null", "number": "7", "no log": "{}", "entries": `{"log":{"entries":"secret"}}`, "deep": strings.Repeat("[", 100_000),
		"a number for a text": `{"log":{"entries":[{"request":{"headers":[{"name":"Authorization","value":5318008}]}}]}}`,
		"trailing":            `{"log":{"entries":[]}} secret`, "two marks": "\ufeff\ufeff{}", "UTF-16": "\xff\xfe{\x00}\x00", "NaN": `{"log":{"entries":[{"time":NaN}]}}`,
	} {
		all, err := ReadHAR([]byte(text))
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "5318008") || strings.Contains(err.Error(), "recording.") {
			t.Errorf("%s: %d exchanges, %v", name, len(all), err)
		}
	}
}
