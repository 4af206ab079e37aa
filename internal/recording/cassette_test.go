package recording

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestCassetteAliases tests that aliases may repeat a text, within the bound.
func TestCassetteAliases(t *testing.T) {
	text := `http_interactions:
- request: {method: get, uri: &u "https://example.com/a", headers: {Accept: [&a "x/y"], Other: [*a]}}
  response: {status: {code: 200}, body: {string: "{}"}}
- request: {method: get, uri: *u}
  response: {status: {code: 200}}
`
	all, err := Read([]byte(text), 1000)
	if err != nil || len(all) != 2 || all[1].URL != "https://example.com/a" || all[0].Header["Other"][0] != "x/y" {
		t.Errorf("got %+v, %v", all, err)
	}
	const repeated = len("x/y" + "https://example.com/a")
	if _, err := Read([]byte(text), repeated); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	if _, err := Read([]byte(text), repeated-1); err == nil || !strings.Contains(err.Error(), "repeat more bytes") {
		t.Errorf("beyond the bound: %v", err)
	}
}

// TestCassetteHostile tests that hostile texts are refused with a line, and that no line quotes them.
func TestCassetteHostile(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [secret]\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	directives := func(n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%%TAG !a%d! tag:secret\n", i)
		}
		return text.String() + "---\n"
	}
	const request = "interactions:\n- request: "
	for name, test := range map[string]struct{ text, want string }{
		"directives":    {directives(1001) + "interactions: []\n", "more than 1000 directives"},
		"1000 of them":  {directives(1000) + "interactions: [7]\n", "it contains no request"},
		"empty":         {"", "no list of interactions"},
		"text":          {"secret", "no list of interactions"},
		"laughs":        {laughs.String() + "interactions: *a39\n", "no list of interactions"},
		"laughs inside": {laughs.String() + request + "{method: GET, url: x, headers: *a39}\n", "does not refer to a string"},
		"itself":        {"interactions: &i\n- *i\n", "entry 1: "},
		"deep":          {strings.Repeat("[", 100_000), "not a cassette"},
		"cut":           {request + "{method: GET, url: 'secret", "not a cassette"},
		"tab":           {request + "\n\tsecret", "not a cassette"},
		"unknown alias": {request + "*secret", "not a cassette"},
		"no request":    {"interactions:\n- {}\n", "entry 1: line 2: it contains no request"},
		"no url":        {request + "{method: GET}", "entry 1: line 2: its request has no url"},
		"number":        {"interactions: [7]\n", "it contains no request"},
	} {
		_, err := Read([]byte(test.text), 1<<20)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
	}
}

// TestCassetteBreaks tests that the offsets of exchanges never decrease and are in the file, whatever YAML takes for a line break.
func TestCassetteBreaks(t *testing.T) {
	for _, br := range []string{"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"} {
		for _, text := range []string{
			"interactions: [{request: {url: /a}},\v{request: {url: /b}}, {request: {url: /c}},\v\v{request: {url: /d}}]\v",
			"a:\v\v\v\ninteractions: [{request: {url: /a}},\n\v{request: {url: /b}},\n {request: {url: /c}},\v{request: {url: /d}}]\n",
		} {
			text = strings.ReplaceAll(text, "\v", br)
			all, err := readCassette([]byte(text), 0)
			if err != nil || len(all) != 4 {
				t.Fatalf("%q: %d exchanges, %v", text, len(all), err)
			}
			last := 0
			for i, e := range all {
				isExact := e.Offset < len(text) && strings.HasPrefix(text[e.Offset:], "{request: {url: "+e.URL)
				if e.Offset < last || e.Offset > len(text) || strings.HasSuffix(br, "\n") && !isExact {
					t.Errorf("%q: exchange %d is at %d, and the one before at %d", text, i, e.Offset, last)
				}
				last = e.Offset
			}
		}
	}
}

// TestCassetteForms tests the forms of bodies and of the status.
func TestCassetteForms(t *testing.T) {
	for name, test := range map[string]struct {
		response, answer string
		status           int
	}{
		"go-vcr 2": {`{body: "{}", headers: {}, status: 200 OK, code: 200}`, "{}", 200},
		"go-vcr 4": {`{body: !!binary e30=, code: 404, status: 404 Not Found}`, "{}", 404},
		"VCR":      {`{status: {code: 200, message: OK}, body: {encoding: UTF-8, string: "{}"}}`, "{}", 200},
		"VCR, b64": {`{status: {code: 200}, body: {encoding: ASCII-8BIT, base64_string: "e3\n0="}}`, "{}", 200},
		"binary":   {`{status: {code: 200}, body: {string: !binary "e30="}}`, "{}", 200},
		"line":     {`{status: 204 No Content, body: null}`, "", 204},
		"none":     {`null`, "", 0},
		"odd":      {`{status: [1], body: [2]}`, "", 0},
	} {
		all, err := Read([]byte("interactions:\n- {request: {method: get, url: x}, response: "+test.response+"}\n"), 1000)
		if err != nil || string(all[0].Answer) != test.answer || all[0].Status != test.status || all[0].AnswerErr != nil || all[0].Method != "GET" {
			t.Errorf("%s: got %+v, %v", name, all, err)
		}
	}
	all, err := Read([]byte(`interactions: [{request: {method: GET, url: x, body: !!binary "*"}, response: {code: 200, body: {base64_string: "*"}}}]`), 1000)
	if err != nil || all[0].BodyErr == nil || all[0].AnswerErr == nil {
		t.Errorf("bad base64: got %+v, %v", all, err)
	}
}

// vcrpyTape is a recording as vcrpy 6 writes it: fields and status in its own forms, a compressed body, an error.
const vcrpyTape = `interactions:
- request:
    body: null
    headers:
      accept:
      - application/json
      accept-encoding:
      - gzip, deflate
      authorization:
      - Bearer very-secret
      user-agent:
      - (gzip)
    method: GET
    uri: https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde?alt=json&key=very-secret
  response:
    body:
      string: !!binary |
        H4sIAAAAAAACA3WNwQrCQAxE/2V6tZCtILjf0ZP0EpsoS9stbKOX0n83i+BNmMtMXmZ2TCkLIkae
        NQuXRt+aDSeo8dPzAWGA21Qhvo+ibjZje231a82PVBaVb1gMcYewaZ8W9XtH3aWlcxuop2skct1w
        eHnd/EcG+pHHB3OSfLGgAAAA
    headers:
      Content-Encoding:
      - gzip
      Content-Type:
      - application/json; charset=UTF-8
    status:
      code: 200
      message: OK
- request:
    body: '{"end": {"dateTime": "2026-03-10T08:00:00Z"}}'
    headers:
      Content-Length:
      - '45'
      authorization:
      - Bearer very-secret
    method: PATCH
    uri: https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde?alt=json&key=very-secret
  response:
    body:
      string: '{"error": {"code": 400}}'
    headers: {}
    status:
      code: 400
      message: Bad Request
version: 1
`

// goVCRTape is a recording as go-vcr 3 and 4 write it.
const goVCRTape = `---
version: 2
interactions:
    - id: 0
      request:
        proto: HTTP/1.1
        proto_major: 1
        proto_minor: 1
        content_length: 0
        transfer_encoding: []
        trailer: {}
        host: www.googleapis.com
        remote_addr: ""
        request_uri: ""
        body: ""
        form: {}
        headers:
            Authorization:
                - Bearer very-secret
        url: https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde?alt=json&prettyPrint=false
        method: GET
      response:
        proto: HTTP/2.0
        proto_major: 2
        proto_minor: 0
        transfer_encoding: []
        trailer: {}
        content_length: -1
        uncompressed: true
        body: |
            {"kind": "calendar#event", "etag": "\"1\"", "id": "abcde", "status": "confirmed",
             "start": {"dateTime": "2026-03-10T09:00:00Z"}, "end": {"dateTime": "2026-03-10T10:00:00Z"}}
        headers:
            Content-Type:
                - application/json; charset=UTF-8
        status: 200 OK
        code: 200
        duration: 112.003542ms
    - id: 1
      request:
        proto: HTTP/1.1
        proto_major: 1
        proto_minor: 1
        content_length: 44
        transfer_encoding: []
        trailer: {}
        host: www.googleapis.com
        remote_addr: ""
        request_uri: ""
        body: |
            {"end":{"dateTime":"2026-03-10T08:00:00Z"}}
        form: {}
        headers:
            Authorization:
                - Bearer very-secret
            Content-Type:
                - application/json
        url: https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde?alt=json&prettyPrint=false
        method: PATCH
      response:
        body: '{"error": {"code": 400}}'
        headers: {}
        status: 400 Bad Request
        code: 400
        duration: 98.1ms
`

// TestCassetteLibraries tests recordings in the forms of the libraries: the patch is wrong only beside what the get returned.
func TestCassetteLibraries(t *testing.T) {
	asJSON, err := yamlToJSON(vcrpyTape)
	if err != nil {
		t.Fatal(err)
	}
	for name, tape := range map[string]string{"vcrpy": vcrpyTape, "vcrpy, JSON": asJSON, "go-vcr": goVCRTape} {
		all, err := Read([]byte(tape), 1<<20)
		if err != nil || len(all) != 2 {
			t.Fatalf("%s: %d exchanges, %v", name, len(all), err)
		}
		get, patch := &all[0], &all[1]
		if get.Method != "GET" || get.Status != 200 || !strings.Contains(string(get.Answer)+strings.Join(get.AnswerHeader["Content-Encoding"], ""), map[bool]string{true: "gzip", false: `"abcde"`}[name == "vcrpy"]) {
			t.Errorf("%s: the get is %+v", name, get)
		}
		if patch.Method != "PATCH" || patch.Status != 400 || !strings.Contains(string(patch.Body), "2026-03-10T08:00:00Z") {
			t.Errorf("%s: the patch is %+v", name, patch)
		}
	}
}

// yamlToJSON returns a tape as the serializer of vcrpy for JSON writes it, with bodies that are not compressed.
func yamlToJSON(tape string) (string, error) {
	var tree map[string]any
	if err := yaml.Unmarshal([]byte(tape), &tree); err != nil {
		return "", err
	}
	first := tree["interactions"].([]any)[0].(map[string]any)["response"].(map[string]any)
	first["body"] = map[string]any{"string": `{"kind":"calendar#event","id":"abcde","status":"confirmed","start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`}
	text, err := json.MarshalIndent(tree, "", "  ")
	return string(text), err
}
