package command

import (
	"fmt"
	"strings"
	"testing"
)

// TestCassetteAliases tests that aliases may repeat a text, within the bound.
func TestCassetteAliases(t *testing.T) {
	text := `http_interactions:
- request: {method: get, uri: &u "https://example.com/a", headers: {Accept: [&a "x/y"], Other: [*a]}}
  response: {status: {code: 200}, body: {string: "{}"}}
- request: {method: get, uri: *u}
  response: {status: {code: 200}}
`
	all, err := readCassette([]byte(text), 1000)
	if err != nil || len(all) != 2 || all[1].url != "https://example.com/a" || all[0].header["Other"][0] != "x/y" {
		t.Errorf("got %+v, %v", all, err)
	}
	if _, err := readCassette([]byte(text), 10); err == nil || !strings.Contains(err.Error(), "stand for more bytes") {
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
	const request = "interactions:\n- request: "
	for name, test := range map[string]struct{ text, want string }{
		"empty":         {"", "no list of interactions"},
		"text":          {"secret", "no list of interactions"},
		"laughs":        {laughs.String() + "interactions: *a39\n", "no list of interactions"},
		"laughs inside": {laughs.String() + request + "{method: GET, url: x, headers: *a39}\n", "more than a text"},
		"itself":        {"interactions: &i\n- *i\n", "entry 1: "},
		"deep":          {strings.Repeat("[", 100_000), "not a cassette"},
		"cut":           {request + "{method: GET, url: 'secret", "not a cassette"},
		"tab":           {request + "\n\tsecret", "not a cassette"},
		"unknown alias": {request + "*secret", "not a cassette"},
		"no request":    {"interactions:\n- {}\n", "entry 1: line 2: it has no request"},
		"no url":        {request + "{method: GET}", "entry 1: line 2: its request has no url"},
		"number":        {"interactions: [7]\n", "it has no request"},
	} {
		_, err := readCassette([]byte(test.text), 1<<20)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v; want %q", name, err, test.want)
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
		all, err := readCassette([]byte("interactions:\n- {request: {method: get, url: x}, response: "+test.response+"}\n"), 1000)
		if err != nil || string(all[0].answer) != test.answer || all[0].status != test.status || all[0].answerErr != nil || all[0].method != "GET" {
			t.Errorf("%s: got %+v, %v", name, all, err)
		}
	}
	all, err := readCassette([]byte(`interactions: [{request: {method: GET, url: x, body: !!binary "*"}, response: {code: 200, body: {base64_string: "*"}}}]`), 1000)
	if err != nil || all[0].bodyErr == nil || all[0].answerErr == nil {
		t.Errorf("bad base64: got %+v, %v", all, err)
	}
}
