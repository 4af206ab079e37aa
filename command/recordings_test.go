package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/internal/recording"
	"github.com/calrules/calrules/internal/traffic"
)

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
		all, err := recording.ReadHAR([]byte(`{"log":{"entries":[{` + test.entry + `}]}}`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w, err := between.New(between.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x, isOurs := watchEntry(w, &all[0], "", traffic.Options{})
		var got []string
		describe := func(part int, x *traffic.Exchange) {
			text := fmt.Sprint(part, " ", x.Op, " ", x.Status)
			if len(x.Findings) > 0 {
				text += " findings"
			}
			if x.Unchecked != "" {
				text += " unchecked"
			}
			got = append(got, text)
		}
		for i := range x.Parts {
			describe(i+1, &x.Parts[i])
		}
		if isOurs && (x.Parts == nil || x.Unchecked != "") {
			describe(0, &x)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A patch that is fixed and sent again has the findings that it would have without the refusal.
func TestHARFixed(t *testing.T) {
	const (
		url   = `"url":"https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde"`
		get   = `{"request":{"method":"GET",` + url + `},"response":{"status":200,"content":{"text":"{\"id\":\"abcde\",\"start\":{\"dateTime\":\"2026-03-10T09:00:00Z\"},\"end\":{\"dateTime\":\"2026-03-10T10:00:00Z\"}}"}}}`
		patch = `{"request":{"method":"PATCH",` + url + `,"postData":{"text":"{\"end\":{\"dateTime\":\"2026-03-10T0%d:00:00Z\"}}"}},"response":{"status":400}}`
	)
	check := func(entries ...string) string {
		all, err := recording.ReadHAR([]byte(`{"log":{"entries":[` + strings.Join(entries, ",") + `]}}`))
		if err != nil {
			t.Fatal(err)
		}
		w, err := between.New(between.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var last traffic.Exchange
		for i := range all {
			last, _ = watchEntry(w, &all[i], "", traffic.Options{})
		}
		return fmt.Sprint(last.Findings)
	}
	fixed := fmt.Sprintf(patch, 8)
	want := check(get, fixed)
	if got := check(get, fmt.Sprintf(patch, 7), fixed); got != want || !strings.Contains(got, "patch.whole") {
		t.Errorf("after a refusal the findings are %s, want %s", got, want)
	}
}
