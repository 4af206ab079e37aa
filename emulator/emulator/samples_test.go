package emulator_test

import (
	"bytes"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event/eventhttp"
)

// The sample of the README reads the calendars of an emulator.
func TestSample(t *testing.T) {
	ctx := t.Context()
	server := httptest.NewServer(emulator.New())
	defer server.Close()
	service, err := calendar.NewService(ctx,
		option.WithEndpoint(server.URL+"/calendar/v3/"), option.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Events.List("primary").Do(); err != nil {
		t.Error(err)
	}
	isSample(t, "../README.md")
}

// The sample of docs/between.md logs what is wrong with a request.
func TestSampleOfTransport(t *testing.T) {
	ctx := t.Context()
	next := toEmulator(t)
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	watcher, err := between.New(between.Options{})
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &eventhttp.Transport{
		Next:    next, // the transport that adds credentials
		Watcher: watcher,
		Report: func(r eventhttp.Report) {
			for _, f := range r.Exchange.Findings { // f.Message() contains values from the request
				log.Printf("%s %s [%s]", f.Kind, r.Exchange.Op, f.Rule.ID)
			}
		},
	}}
	service, err := calendar.NewService(ctx, option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	broken := &calendar.Event{Start: &calendar.EventDateTime{Date: "2026-03-10"}, End: &calendar.EventDateTime{Date: "2026-03-09"}}
	if _, err := service.Events.Insert("primary", broken).Do(); err == nil {
		t.Error("the emulator takes the event")
	}
	if want := "reject events.insert [time.order]\n"; !strings.HasSuffix(logged.String(), want) {
		t.Errorf("%q was logged, want %q", &logged, want)
	}
	isSample(t, "../../docs/between.md")
}

// toEmulator returns a transport that sends all requests to an emulator, whatever their host is.
func toEmulator(t *testing.T) http.RoundTripper {
	t.Helper()
	server := httptest.NewServer(emulator.New())
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return transportFunc(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host, r.Host = base.Scheme, base.Host, base.Host
		return http.DefaultTransport.RoundTrip(r)
	})
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// isSample reports a page whose Go code is not in this file.
func isSample(t *testing.T, page string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("samples_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.ReplaceAll(string(source), "\n\t", "\n")
	blocks := strings.Split(string(text), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Errorf("%s has no Go code", page)
	}
	for _, block := range blocks {
		if block, _, _ := strings.Cut(block, "```"); !strings.Contains(code, "\n"+block) {
			t.Errorf("no test has this code of %s:\n%s", page, block)
		}
	}
}
