package command

import (
	"github.com/google/go-cmp/cmp"

	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/calrules/calrules/between"
)

// TestHARForms tests what the formats of browsers and proxies differ in.
func TestHARForms(t *testing.T) {
	const post = `"method":"POST","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events"`
	for name, test := range map[string]struct {
		request   string
		unchecked string
		findings  int
	}{
		"text":                {post + `,"bodySize":2,"postData":{"text":"{}"}`, "", 2},
		"nothing":             {post, "", 1},
		"no size":             {post + `,"bodySize":-1`, "", 1},
		"a body left out":     {post + `,"bodySize":2`, "the recording does not have it", 0},
		"a body in a file":    {post + `,"bodySize":2.0,"postData":{"mimeType":"application/json","_file":"a.json"}`, "the recording does not have it", 0},
		"a length":            {post + `,"headers":[{"name":"content-length","value":"2"}]`, "the recording does not have it", 0},
		"the length 0":        {post + `,"headers":[{"name":"content-length","value":"0"}]`, "", 1},
		"an unknown encoding": {post + `,"postData":{"text":"e30=","encoding":"rot13"}`, "must be base64", 0},
		"not base64":          {post + `,"postData":{"text":"*","encoding":"base64"}`, "illegal base64", 0},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			all, err := readHAR([]byte(mark+`{"log":{"entries":[{"request":{`+test.request+`},"response":{"status":400}}]}}`), 0)
			if err != nil || len(all) != 1 {
				t.Fatalf("%s: %d exchanges, %v", name, len(all), err)
			}
			w, err := between.New(between.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := watchEntry(w, &all[0], false)[0]
			if len(a.Findings) != test.findings || !strings.Contains(string(a.Unchecked), test.unchecked) || (a.Unchecked == "") != (test.unchecked == "") {
				t.Errorf("%s: %+v", name, a)
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
		all, err := readHAR([]byte(text), 0)
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "5318008") || strings.Contains(err.Error(), "command.") {
			t.Errorf("%s: %d exchanges, %v", name, len(all), err)
		}
	}
}

// FuzzHAR has any text be a HAR file: it is read or refused, and no output has a header field or a value of the query.
func FuzzHAR(f *testing.F) {
	for _, seed := range []string{
		`{"log":{"entries":[{"request":{"method":"GET","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events?key=very-secret","headers":[{"name":"Authorization","value":"very-secret"}]},"response":{"status":200,"content":{"text":"{\"items\":[{}]}"}}}]}}`,
		`{"log":{"entries":[{"request":{"method":"POST","url":"https://www.googleapis.com/batch","headers":[{"name":"Content-Type","value":"multipart/mixed; boundary=b"}],"postData":{"text":"--b\r\n\r\nvery-secret"}}}]}}`,
		`{"log":{"entries":[{"request":{"method":"PATCH","url":"https://www.googleapis.com/calendar/v3/colors","bodySize":1e9}}]}}`,
		"\ufeff{}", `{"log":{"entries":[null]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkRecording(t, readHAR, text) })
}

// FuzzCassette is [FuzzHAR] for cassettes.
func FuzzCassette(f *testing.F) {
	f.Add([]byte(vcrpyTape))
	f.Add([]byte(goVCRTape))
	f.Add([]byte("interactions: [{request: {method: GET, url: &u x, headers: {a: *u}}, response: {code: 200, body: !!binary e30=}}]"))
	f.Add([]byte("http_interactions: &a [{request: {uri: x, <<: *a}}]"))
	f.Add([]byte("interactions:\n- request: {method: GET, url: 'very-secret"))
	f.Fuzz(func(t *testing.T, text []byte) { checkRecording(t, readCassette, text) })
}

// checkRecording reads a text as a recording, and checks what is said about its exchanges beside one secret, which only
// header fields and queries have.
func checkRecording(t *testing.T, read func([]byte, size) ([]exchange, error), text []byte) {
	const secret = "very-secret"
	all, err := read(text, 1<<20)
	if err != nil {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error quotes the text: %v", err)
		}
		return
	}
	w, err := between.New(between.Options{MaxEvents: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		e := &all[i]
		path, query, _ := strings.Cut(e.url, "?")
		quotable := path + e.method + string(e.body) + string(e.answer)
		for pair := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(pair, "=")
			quotable += name // the path of a finding
		}
		if name, err := url.QueryUnescape(quotable); err != nil || strings.Contains(name+quotable, secret) {
			continue // a finding may quote it
		}
		if a := watchEntry(w, e, false); strings.Contains(fmt.Sprintf("%+v", a), secret) {
			t.Errorf("a secret is shown: %+v", a)
		}
	}
}

// The parts of a recorded batch are checked, and what is not checked of an answer is said.
func TestRecordedAnswers(t *testing.T) {
	const (
		get   = `"request":{"method":"GET","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde"}`
		batch = `"request":{"method":"POST","url":"https://www.googleapis.com/batch/calendar/v3","headers":[{"name":"Content-Type","value":"multipart/mixed; boundary=b"}],` +
			`"postData":{"text":"--b\r\nContent-ID: 1\r\n\r\nGET /calendar/v3/colors HTTP/1.1\r\n\r\n\r\n--b\r\nContent-ID: 2\r\n\r\nPOST /calendar/v3/calendars/primary/events HTTP/1.1\r\n\r\n{}\r\n--b--"}}`
		fields = `"headers":[{"name":"Content-Type","value":"multipart/mixed; boundary=b"}]`
	)
	for name, test := range map[string]struct {
		entry string
		want  []string
	}{
		"base64":             {get + `,"response":{"status":200,"content":{"text":"e30=","encoding":"base64"}}`, []string{"0 events.get 200"}},
		"not base64":         {get + `,"response":{"status":200,"content":{"text":"*","encoding":"base64"}}`, []string{"0 events.get 200 unchecked"}},
		"another encoding":   {get + `,"response":{"status":200,"content":{"text":"e30=","encoding":"rot13"}}`, []string{"0 events.get 200 unchecked"}},
		"no answer":          {get + `,"response":{"status":0}`, []string{"0 events.get 0"}},
		"a batch":            {batch + `,"response":{"status":200,` + fields + `,"content":{"text":"--b\r\nContent-ID: response-2\r\n\r\nHTTP/1.1 400 Bad\r\n\r\n\r\n--b\r\nContent-ID: response-1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n--b--"}}`, []string{"1 colors.get 200", "2 events.insert 400 findings"}},
		"a cut batch":        {batch + `,"response":{"status":200,` + fields + `,"content":{"text":"--b\r\nContent-ID: response-1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n--b--"}}`, []string{"1 colors.get 200", "2 events.insert 0 findings", "0  200 unchecked"}},
		"an unreadable part": {batch + `,"response":{"status":200,` + fields + `,"content":{"text":"--b\r\nContent-ID: response-2\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n{}\r\n--b\r\nContent-ID: response-1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n--b--"}}`, []string{"1 colors.get 200", "2 events.insert 200 findings unchecked"}},
		"an unread batch":    {strings.Replace(batch, `"text":"`, `"encoding":"x","text":"`, 1) + `,"response":{"status":200}`, []string{"0  200 unchecked"}},
		"another service":    {strings.Replace(strings.Replace(get, "calendar/v3", "drive/v3", 1), `"GET"`, `"POST","postData":{"encoding":"x"}`, 1) + `,"response":{"status":200}`, nil},
	} {
		all, err := readHAR([]byte(`{"log":{"entries":[{`+test.entry+`}]}}`), 0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w, err := between.New(between.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range watchEntry(w, &all[0], false) {
			text := fmt.Sprint(a.Part, " ", a.Op, " ", a.Status)
			if len(a.Findings) > 0 {
				text += " findings"
			}
			if a.Unchecked != "" {
				text += " unchecked"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A patch that is mended and sent again has the findings that it would have without the refusal.
func TestHARMended(t *testing.T) {
	const (
		url   = `"url":"https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde"`
		get   = `{"request":{"method":"GET",` + url + `},"response":{"status":200,"content":{"text":"{\"id\":\"abcde\",\"start\":{\"dateTime\":\"2026-03-10T09:00:00Z\"},\"end\":{\"dateTime\":\"2026-03-10T10:00:00Z\"}}"}}}`
		patch = `{"request":{"method":"PATCH",` + url + `,"postData":{"text":"{\"end\":{\"dateTime\":\"2026-03-10T0%d:00:00Z\"}}"}},"response":{"status":400}}`
	)
	check := func(entries ...string) string {
		all, err := readHAR([]byte(`{"log":{"entries":[`+strings.Join(entries, ",")+`]}}`), 0)
		if err != nil {
			t.Fatal(err)
		}
		w, err := between.New(between.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var last []harAnswer
		for i := range all {
			last = watchEntry(w, &all[i], false)
		}
		return fmt.Sprint(last[0].Findings)
	}
	mended := fmt.Sprintf(patch, 8)
	want := check(get, mended)
	if got := check(get, fmt.Sprintf(patch, 7), mended); got != want || !strings.Contains(got, "patch.whole") {
		t.Errorf("after a refusal the findings are %s, want %s", got, want)
	}
}
