package recording

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
)

var update = flag.Bool("update", false, "write what is read to testdata/read.ndjson and testdata/request.ndjson")

// shown is an exchange as a line of JSON.
type shown struct {
	File, Method, URL string
	Begins            string              `json:",omitempty"` // the text where it begins
	Header            map[string][]string `json:",omitempty"`
	Body              string              `json:",omitempty"`
	Status            int                 `json:",omitempty"`
	AnswerHeader      map[string][]string `json:",omitempty"`
	Answer            string              `json:",omitempty"`
	Unknown           string              `json:",omitempty"`
	BodyErr           string              `json:",omitempty"`
	AnswerErr         string              `json:",omitempty"`
	Err               string              `json:",omitempty"`
}

func show(file string, whole []byte, e Exchange, err error) shown {
	text := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	begins, _, _ := strings.Cut(string(whole[e.Offset:]), "\n")
	return shown{
		file, e.Method, e.URL, begins[:min(len(begins), 20)], e.Header, string(e.Body), e.Status, e.AnswerHeader, string(e.Answer), text(e.Unknown), text(e.BodyErr), text(e.AnswerErr), text(err),
	}
}

// eachFile calls visit with the files of a folder of testdata.
func eachFile(t *testing.T, folder string, visit func(name string, text []byte)) {
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/%s has %d files, %v", folder, len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		visit(filepath.Base(file), text)
	}
}

// compareLines compares lines with those of a file, or writes them to it.
func compareLines(t *testing.T, file string, all []shown) {
	var lines strings.Builder
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, one := range all {
		if err := encoder.Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(lines.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), lines.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// TestRead reads a recording of each library, whatever the names of the files.
func TestRead(t *testing.T) {
	var all []shown
	eachFile(t, "read", func(name string, text []byte) {
		exchanges, err := Read(text, 1<<20)
		if err != nil || !FormOf(text).IsRecording() {
			t.Errorf("%s: %v, %v", name, FormOf(text), err)
		}
		for _, e := range exchanges {
			all = append(all, show(name, text, e, nil))
		}
	})
	compareLines(t, "testdata/read.ndjson", all)
}

// TestReadRequest reads requests as browsers and editors write them.
func TestReadRequest(t *testing.T) {
	var all []shown
	eachFile(t, "request", func(name string, text []byte) {
		e, err := ReadRequest(text)
		if !FormOf(text).IsRequest() {
			t.Errorf("%s looks like %s", name, FormOf(text))
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error quotes the text: %v", name, err)
		}
		all = append(all, show(name, text, e, err))
	})
	compareLines(t, "testdata/request.ndjson", all)
}

// TestFormOf tests what texts look like that no reader reads.
func TestFormOf(t *testing.T) {
	want := map[string]Form{
		"postman.json": Postman, "pact.json": Pact, "lines.ndjson": Lines, "event.yaml": YAML, "event.json": Other, "cut.json": Other, "objects.json": Other, "text.txt": Other, "empty.txt": Other,
		"list.json": Other, "log.json": Other, "object-and-text.txt": Other,
	}
	eachFile(t, "form", func(name string, text []byte) {
		form, listed := want[name]
		if got := FormOf(text); got != form || !listed {
			t.Errorf("%s looks like %s; want %s", name, got, form)
		}
		if _, err := ReadRequest(text); err == nil {
			t.Errorf("%s is a request", name)
		}
		if _, err := Read(text, 1000); err == nil {
			t.Errorf("%s is a recording", name)
		}
	})
}

// TestMessage tests that a path is at the origin of the service.
func TestMessage(t *testing.T) {
	for url, want := range map[string]string{"/a": "https://b.example/a", "https://c.example/a": "https://c.example/a", "": ""} {
		if got := (&Exchange{URL: url}).Message("https://b.example").URL; got != want {
			t.Errorf("%q is at %q", url, got)
		}
	}
}

// TestTell tests that an exchange without an answer is compared with none.
func TestTell(t *testing.T) {
	for status, want := range map[int]between.Verdict{0: between.Unjudged, 204: between.Agreed} {
		w, err := between.New(between.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := Exchange{Method: "DELETE", URL: "/calendar/v3/calendars/primary/events/abcde", Status: status}
		x := w.Request(e.Message("https://www.googleapis.com"))
		if e.Tell(x); x.Op != "events.delete" || x.Verdict != want {
			t.Errorf("%d: the verdict about %q is %q, want %q", status, x.Op, x.Verdict, want)
		}
	}
}

// TestHostile tests that hostile texts are refused or read, and not quoted.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"nock/deep": `[{"scope":"a","path":"b","body":` + strings.Repeat("[", 20_000), "nock/type": `[{"scope":"a","path":"b","status":"secret"}]`,
		"nock/secret number": `[{"scope":5318008,"path":"b"}]`, "wiremock/type": `{"mappings":[{"request":"secret"}]}`, "wiremock/list": `{"mappings":"secret"}`,
		"json/deep": strings.Repeat(`{"interactions":[`, 20_000), "json/interactions": `{"interactions":"secret"}`,
		"curl/quote": `curl 'secret`, "curl/escape": `curl $'\xsecret'`, "http/field": "GET https://a\nsecret", "postman": `{"info":"secret","item":[]}`,
	} {
		_, err := Read([]byte(text), 1<<20)
		if _, asRequest := ReadRequest([]byte(text)); err == nil || asRequest == nil {
			t.Errorf("%s: %v, %v", name, err, asRequest)
		} else if said := err.Error() + asRequest.Error(); strings.Contains(said, "secret") || strings.Contains(said, "5318008") || strings.Contains(said, "recording.") {
			t.Errorf("%s is quoted: %s", name, said)
		}
	}
}

// scalars matches the parts of a recording that are texts or numbers.
var scalars = regexp.MustCompile(`"[^"]*"|[0-9A-Za-z]+`)

// TestErrorsQuoteNothing plants a secret in place of each part of each recording and request, in values of each type, and behind
// each of its bytes. Whatever a reader refuses then, and for whatever reason, it does not quote the secret.
func TestErrorsQuoteNothing(t *testing.T) {
	failed := map[string]int{}
	try := func(name, text string) {
		all, err := Read([]byte(text), 1<<20)
		e, asRequest := ReadRequest([]byte(text))
		checkQuotes(t, all, err)
		checkQuotes(t, []Exchange{e}, asRequest)
		if err != nil {
			failed[name]++
		}
	}
	for _, folder := range []string{"read", "request"} {
		eachFile(t, folder, func(name string, text []byte) {
			for _, at := range scalars.FindAllIndex(text, -1) {
				before, after := string(text[:at[0]]), string(text[at[1]:])
				for _, value := range []string{"secret", `"secret"`, "5318008.5", `["secret"]`, `{"secret": 5318008}`, `"secret":5318008,` + string(text[at[0]:at[1]]), "*secret", "!secret x", "%secret"} {
					try(name, before+value+after)
				}
				try(name, before+`"secret`)
			}
			for i := range text {
				try(name, string(text[:i])+"secret"+string(text[i:]))
			}
		})
	}
	eachFile(t, "read", func(name string, _ []byte) {
		if failed[name] < 50 {
			t.Errorf("%s is refused %d times", name, failed[name])
		}
	})
}

// checkQuotes checks that no error and no reason has a text or number that stands for a secret.
func checkQuotes(t *testing.T, all []Exchange, err error) {
	t.Helper()
	for _, e := range all {
		for _, reason := range []error{e.Unknown, e.BodyErr, e.AnswerErr} {
			checkQuote(t, reason)
		}
	}
	checkQuote(t, err)
}

func checkQuote(t *testing.T, err error) {
	t.Helper()
	if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "5318008")) {
		t.Errorf("the text is quoted: %v", err)
	}
}

// seed adds the files of a folder of testdata whose names begin with a prefix.
func seed(f *testing.F, folder string, prefixes ...string) {
	for _, prefix := range prefixes {
		files, _ := filepath.Glob(filepath.Join("testdata", folder, prefix+"*"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
}

// FuzzHAR has any text be a HAR file.
func FuzzHAR(f *testing.F) {
	seed(f, "read", "polly")
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := ReadHAR(text)
		checkQuotes(t, all, err)
	})
}

// FuzzCassette has any text be a cassette.
func FuzzCassette(f *testing.F) {
	seed(f, "read", "vcr", "go-vcr", "betamax")
	f.Add([]byte("interactions: [{request: {method: GET, url: &u x, headers: {a: *u}}, response: {code: 200, body: !!binary e30=}}]"))
	f.Add([]byte("http_interactions: &a [{request: {uri: x, <<: *a}}]"))
	f.Add([]byte("interactions:\n- request: {method: GET, url: 'very-secret"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := readCassette(text, 1<<20)
		checkQuotes(t, all, err)
	})
}

// FuzzNock has any text be a fixture of nock.
func FuzzNock(f *testing.F) {
	seed(f, "read", "nock")
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := readNock(text)
		checkQuotes(t, all, err)
	})
}

// FuzzWireMock has any text be a mapping of WireMock.
func FuzzWireMock(f *testing.F) {
	seed(f, "read", "wiremock")
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := readWireMock(text)
		checkQuotes(t, all, err)
	})
}

// FuzzRequest has any text be a request.
func FuzzRequest(f *testing.F) {
	seed(f, "request", "")
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := ReadRequest(text)
		checkQuotes(t, []Exchange{e}, err)
	})
}
