package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event/eventhttp"
)

// ofTraffic returns the subjects that watch a request and its response, with a [between.Watcher] or with the transport that
// reads the bodies.
func ofTraffic() []subject {
	const stored = `{"id":"a#","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"x":"#"}`
	events := diag.Google.BaseURL() + "/calendars/primary/events"
	multipart := between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}
	// repeat returns n copies of an element between open and end, with # replaced by the number of the copy.
	repeat := func(open, element, end string) func(n int) string {
		return func(n int) string {
			var text strings.Builder
			text.WriteString(open)
			for i := range n {
				text.WriteString(strings.ReplaceAll(element, "#", strconv.Itoa(i)))
			}
			return text.String() + end
		}
	}
	parts := func(part string) func(n int) string { // stays below the limit on parts
		all := repeat("", "--b\r\n\r\n"+part+"\r\n", "--b--")
		return func(n int) string { return all(n / 4) }
	}
	text := func(s shape) func(n int) string { return func(n int) string { return s.value(n, 0) } }
	at := func(address string) func(n int) string { return func(int) string { return address } }
	none := func(int) string { return "" }
	var all []subject
	for _, s := range []struct {
		name                string
		method              string
		url, body, answer   func(n int) string
		header, answerField between.Header
	}{
		{name: "a page of events", method: "GET", url: repeat(events+"?q=", "a", ""), body: none, answer: text(list(`{"items":[`, stored, "]}"))},
		{name: "a page of numbers", method: "GET", url: at(events), body: none, answer: text(list(`{"items":[`, "#", "]}"))},
		{name: "members of a page", method: "GET", url: at(events), body: none, answer: text(list(`{`, `"u#":[]`, "}"))},
		{name: "a page that repeats its items", method: "GET", url: at(events), body: none, answer: text(list(`{`, `"items":[0]`, "}"))},
		{name: "depth in a page", method: "GET", url: at(events), body: none, answer: repeat(`{"items":`, "[", "")},
		{name: "parameters", method: "GET", url: repeat(events+"?", "p#=1&access_token=#&", ""), body: none, answer: none},
		{name: "a long path", method: "GET", url: repeat(events+"/", "a%2F", ""), body: none, answer: none},
		{name: "a patch", method: "PATCH", url: at(events + "/abcde"), body: text(list("{", `"u#":0`, "}")), answer: text(list("{", `"u#":0`, "}"))},
		{name: "a batch", method: "POST", header: multipart, answerField: multipart, url: at("https://www.googleapis.com/batch"),
			body: parts("POST /calendar/v3/calendars/#/events HTTP/1.1\r\n\r\n{}"), answer: parts("HTTP/1.1 200 OK\r\n\r\n" + stored)},
		{name: "fields of a part", method: "POST", header: multipart, answerField: multipart, url: at("https://www.googleapis.com/batch"),
			body: repeat("--b\r\n\r\nGET /calendar/v3/colors HTTP/1.1\r\n", "X-#: 1\r\n", "\r\n\r\n--b--"), answer: none},
		{name: "batches in batches", method: "POST", header: multipart, answerField: multipart, url: at("https://www.googleapis.com/batch"),
			body: repeat("--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\nPOST /batch HTTP/1.1\r\n\r\n", "--c#\r\n\r\nPOST /batch HTTP/1.1\r\nContent-Type: multipart/mixed; boundary=c#\r\n\r\n", ""), answer: none},
		{name: "a form", method: "POST", header: between.Header{"X-HTTP-Method-Override": {"GET"}, "Content-Type": {"application/x-www-form-urlencoded"}},
			url: at(events), body: repeat("", "p#=1&", ""), answer: none},
	} {
		watch := func(n int) func() {
			m := between.Message{Method: s.method, URL: s.url(n), Header: s.header, Body: []byte(s.body(n))}
			answer := []byte(s.answer(n))
			return func() {
				w, err := between.New(between.Options{})
				check(err)
				for range 2 { // the second time, the watcher remembers the events
					x := w.Request(m)
					x.Refusal()
					x.Answer(http.StatusOK, s.answerField, answer, "")
				}
			}
		}
		through := func(n int) func() {
			request, body, answer := s.url(n), s.body(n), s.answer(n)
			return func() {
				w, err := between.New(between.Options{})
				check(err)
				transport := &eventhttp.Transport{Next: answering{answer, s.answerField}, Watcher: w, Block: true}
				r, err := http.NewRequest(s.method, request, strings.NewReader(body))
				check(err)
				r.Header = http.Header(s.header)
				got, err := transport.RoundTrip(r)
				check(err)
				_, err = io.Copy(io.Discard, got.Body)
				check(err)
			}
		}
		all = append(all, subject{"watch " + s.name, watch}, subject{"transport " + s.name, through})
	}
	return append(all, ofMemory()...)
}

// ofMemory returns the subjects that remember many events. The time for a change to one event must not depend on the number of
// events.
func ofMemory() []subject {
	const instance = `{"id":"abcde_%d","recurringEventId":"abcde","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
	events := diag.Google.BaseURL() + "/calendars/primary/events"
	var all []subject
	for _, s := range []struct{ name, method, url string }{
		{"patches of instances", "PATCH", events + "/abcde_%d"},
		{"patches of their series", "PATCH", events + "/abcde"},
		{"deletes of instances", "DELETE", events + "/abcde_%d"},
		{"clears of the calendar", "POST", diag.Google.BaseURL() + "/calendars/primary/clear"},
		{"imports to another calendar", "POST", diag.Google.BaseURL() + "/calendars/other/events/import"},
	} {
		all = append(all, subject{"remember, " + s.name, func(n int) func() {
			return func() {
				w, err := between.New(between.Options{MaxEvents: n})
				check(err)
				for i := range n {
					x := w.Request(between.Message{Method: "GET", URL: fmt.Sprintf(events+"/abcde_%d", i)})
					x.Answer(http.StatusOK, nil, fmt.Appendf(nil, instance, i), "")
				}
				for i := range n {
					address := s.url
					if strings.Contains(address, "%") {
						address = fmt.Sprintf(address, i)
					}
					w.Request(between.Message{Method: s.method, URL: address, Body: []byte("{}")}).Answer(http.StatusNoContent, nil, nil, "")
				}
			}
		}})
	}
	return all
}

// answering is an [http.RoundTripper] that always returns the same response.
type answering struct {
	body   string
	header between.Header
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header(a.header), Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, err
}

// ofRecordings returns the subjects that check a HAR file, a cassette in each form, and a request as a curl command line or
// as HTTP.
func ofRecordings() []subject {
	const (
		get   = `"method":"GET","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events/a#?x=#"`
		entry = `{"request":{` + get + `,"headers":[{"name":"A","value":"#"}]},"response":{"status":200,"content":{"text":"{\"id\":\"a#\"}"}}}`
	)
	var all []subject
	addCheck := func(about, name string, s shape, flags ...string) {
		all = append(all, subject{about + " " + name, func(n int) func() {
			text := []byte(s.value(n, 0))
			return func() {
				command.Run(append([]string{"check", "--exit-zero", "-"}, flags...), bytes.NewReader(text), io.Discard, io.Discard)
			}
		}})
	}
	add := func(flag, name string, s shape) { addCheck(flag, name, s, flag) }
	add("--har", "entries", list(`{"log":{"entries":[`, entry, `]}}`))
	add("--har", "fields", list(`{"log":{"entries":[{"request":{`+get+`,"headers":[`, `{"name":"A#","value":"#"}`, `]}}]}}`))
	add("--har", "members", list(`{"log":{"entries":[{"request":{`+get+`}}],`, `"x#":[0]`, `}}`))
	add("--har", "a text", within(`{"log":{"entries":[{"request":{`+get+`,"postData":{"text":"`, `\u00e9`, `"}}}]}}`))
	add("--cassette", "interactions", list(`interactions: [`, entry, `]`))
	add("--cassette", "fields", list(`interactions: [{request: {method: GET, url: x, headers: {`, `A#: [a]`, `}}}]`))
	add("--cassette", "fields in a list", list(`interactions: [{request: {method: GET, url: x, headers: {A: [`, `#`, `]}}}]`))
	add("--cassette", "aliases", list(`interactions: [&a x,`, `*a `, `]`))
	add("--cassette", "anchors", list(`interactions: [`, `&a# x`, `]`))
	add("--cassette", "lists", within("interactions: ", "[", ""))
	add("--cassette", "mappings", within("interactions: ", "{a: ", ""))
	add("--cassette", "comments", within("interactions:\n", "# a\n- a\n", ""))
	add("--cassette", "lines", within("interactions: |\n", "  a\n", ""))
	add("--cassette", "directives", within("", "%TAG !a! tag:x\n", ""))
	const call = `{"scope":"https://www.googleapis.com:443","method":"GET","path":"/calendar/v3/calendars/primary/events/a#","status":200,`
	add("--cassette", "calls of nock", list(`[`, call+`"response":{"id":"a#"}}`, `]`))
	add("--cassette", "pieces of a body of nock", list(`[`+call+`"response":[`, `"61"`, `]}]`))
	add("--cassette", "fields of nock", list(`[`+call+`"rawHeaders":[`, `"A#","#"`, `]}]`))
	const mapping = `{"request":{"method":"GET","url":"/calendar/v3/calendars/primary/events/a#"`
	add("--cassette", "mappings of WireMock", list(`{"mappings":[`, mapping+`},"response":{"status":200,"jsonBody":{"id":"a#"}}}`, `]}`))
	add("--cassette", "parameters of WireMock", list(mapping+`,"queryParameters":{`, `"p#":{"equalTo":"#"}`, `}}}`))
	add("--cassette", "patterns of WireMock", list(mapping+`,"bodyPatterns":[`, `{"matches":"#"}`, `]}}`))
	const url = "https://www.googleapis.com/calendar/v3/calendars/primary/events"
	addCheck("curl", "options", within("curl "+url+" -H 'A: ", "' -H 'A: ", "'"))
	addCheck("curl", "letters", within("curl "+url+" -", "s", ""))
	addCheck("curl", "data", within("curl "+url+" -G -d ", "a -d ", ""))
	addCheck("curl", "escapes", within("curl "+url+" -d $'", `\u00e9`, "'"))
	addCheck("curl", "quotes", within("curl "+url+` -d "`, `\"`, `"`))
	addCheck("HTTP", "fields", within("GET "+url+"\nA: ", "a\nA: ", "\n"))
	addCheck("HTTP", "comments", within("", "# a\n", "\nGET "+url+"\n"))
	return all
}
