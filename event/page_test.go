package event_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
)

const pageOfTwo = `{"kind":"calendar#events","etag":"\"p32\"","summary":"Team","timeZone":"America/New_York","accessRole":"owner",
	"defaultReminders":[{"method":"popup","minutes":10}],"nextSyncToken":"token","other":[1],
	"items":[{"id":"one12","summary":"One","eventType":"fromGmail","x":1},{"id":"two12","status":"cancelled"}]}`

func TestDecodePage(t *testing.T) {
	p, findings := event.DecodePage([]byte(pageOfTwo), diag.Google)
	if got := rulesAndPaths(findings); cmp.Diff([]string{"json.unknown-field /other", "json.unknown-field /items/0/x"}, got) != "" {
		t.Errorf("the findings are %v", got)
	}
	if len(p.Items) != 2 || p.Items[0].EventType != "fromMail" || p.Items[1].Status != "cancelled" || p.NextSyncToken != "token" ||
		p.TimeZone != "America/New_York" || p.AccessRole != "owner" || *p.DefaultReminders[0].Minutes != 10 {
		t.Errorf("the page is %s", p)
	}
	var want bytes.Buffer
	if err := json.Compact(&want, []byte(pageOfTwo)); err != nil {
		t.Fatal(err)
	}
	var got, wanted any
	if err := errors.Join(json.Unmarshal(p.AppendIn(diag.Google, nil), &got), json.Unmarshal(want.Bytes(), &wanted)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("the page that is written differs (-read +written):\n%s", diff)
	}
	if text := (*event.Page)(nil).AppendIn(diag.Google, nil); string(text) != "null" {
		t.Errorf("no page is written as %s", text)
	}
	if (*event.Page)(nil).UnmarshalJSON([]byte("{}")) == nil {
		t.Error("nil is written to")
	}
}

// rulesAndPaths returns the rules and the paths of findings.
func rulesAndPaths(findings diag.Findings) (list []string) {
	for _, f := range findings {
		list = append(list, f.Rule.ID+" "+string(f.Path))
	}
	return list
}

// Faults of a page have their places, and leave the other events as they are.
func TestDecodePageFaults(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
		items      int
	}{
		{"an event of a wrong type", `{"items":[{"id":"a"},5,{"id":"b"}]}`, []string{"json.type /items/1"}, 3},
		{"a member of a wrong type", `{"items":[{"summary":5},{"start":"x"}]}`, []string{"json.type /items/0/summary", "json.type /items/1/start"}, 2},
		{"no array", `{"items":{}}`, []string{"json.type /items"}, 0},
		{"cut", `{"items":[{"id":"a"},{"id":"b"`, []string{"json.syntax "}, 2},
		{"no object", `[]`, []string{"json.syntax "}, 0},
		{"empty", ``, []string{"json.syntax "}, 0},
		{"two lists", `{"items":[],"items":[]}`, []string{"json.duplicate-name /items"}, 0},
	} {
		p, findings := event.DecodePage([]byte(test.text), diag.Documents)
		got := rulesAndPaths(findings)
		if len(got) == 1 && strings.HasPrefix(got[0], "json.syntax") {
			got[0] = "json.syntax "
		}
		if diff := cmp.Diff(test.want, got); diff != "" || len(p.Items) != test.items {
			t.Errorf("%s: %d events (-want +got):\n%s", test.name, len(p.Items), diff)
		}
		var read event.Page
		if err := json.Unmarshal([]byte(test.text), &read); err == nil {
			t.Errorf("%s is read without an error", test.name)
		}
	}
}

// An event of a page is the event that is read alone.
func TestPageLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dialect := rapid.SampledFrom([]diag.Dialect{diag.Documents, diag.Google}).Draw(t, "dialect")
		n := rapid.IntRange(0, 4).Draw(t, "n")
		var texts [][]byte
		for range n {
			e := fuzz.Event("").Draw(t, "event")
			texts = append(texts, e.AppendIn(dialect, nil))
		}
		page, findings := event.DecodePage(fmt.Appendf(nil, `{"items":[%s]}`, bytes.Join(texts, []byte(","))), dialect)
		if findings.Rejected() || len(page.Items) != n {
			t.Fatalf("%d events: %v", len(page.Items), findings)
		}
		for i, text := range texts {
			if alone, _ := event.Decode(text, dialect); cmp.Diff(*alone, page.Items[i]) != "" {
				t.Fatalf("event %d of the page differs from %s", i, text)
			}
		}
	})
}

func FuzzDecodePage(f *testing.F) {
	f.Add([]byte(pageOfTwo))
	f.Add([]byte(`{"items":[{"start":{"date":"2026-03-10"}},5,null,[{}]],"items":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		page, findings := event.DecodePage(text, diag.Google)
		var plain struct{ Items []json.RawMessage }
		if findings.Rejected() || json.Unmarshal(text, &plain) != nil {
			return
		}
		if len(plain.Items) != len(page.Items) {
			t.Skip() // encoding/json takes other spellings of the member
		}
		for i, item := range plain.Items {
			if alone, _ := event.Decode(item, diag.Google); cmp.Diff(*alone, page.Items[i]) != "" {
				t.Errorf("event %d differs from %s", i, item)
			}
		}
	})
}

// A client reads all pages of a calendar.
func ExampleDecodePage() {
	page, findings := event.DecodePage([]byte(`{"items":[{"summary":"Standup","start":{"date":"2026-03-10"}}],"nextPageToken":"p2"}`), diag.Google)
	if err := findings.Err(); err != nil {
		log.Fatal(err)
	}
	for _, e := range page.Items {
		fmt.Println(e.Start.Date, e.Summary)
	}
	fmt.Println("next:", page.NextPageToken)
	// Output:
	// 2026-03-10 Standup
	// next: p2
}

func TestPages(t *testing.T) {
	for name, test := range map[string]struct {
		next map[string]string // the nextPageToken of the page of a token
		want []string          // the tokens that are asked for, then the error
	}{
		"one page":               {map[string]string{"": ""}, []string{""}},
		"three pages":            {map[string]string{"": "b", "b": "c", "c": ""}, []string{"", "b", "c"}},
		"an error on the second": {map[string]string{"": "fails"}, []string{"", "fails", "503"}},
		"no second page":         {map[string]string{"": "absent"}, []string{"", "absent", "there is no page"}},
		"a page before itself":   {map[string]string{"": "b", "b": "b"}, []string{"", "b", "the page names itself as the next page"}},
	} {
		var got []string
		fetch := func(token string) (*event.Page, error) {
			got = append(got, token)
			if token == "fails" {
				return nil, errors.New("503")
			}
			next, known := test.next[token]
			if !known {
				return nil, nil
			}
			return &event.Page{NextPageToken: next}, nil
		}
		for page, err := range event.Pages(fetch) {
			if (page == nil) != (err != nil) {
				t.Errorf("%s: %v beside %v", name, page, err)
			}
			if err != nil {
				got = append(got, err.Error())
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Nothing is fetched after the caller has seen enough.
func TestPagesEnd(t *testing.T) {
	fetched := 0
	for range event.Pages(func(string) (*event.Page, error) {
		fetched++
		return &event.Page{NextPageToken: fmt.Sprint(fetched)}, nil
	}) {
		if fetched == 2 {
			break
		}
	}
	if fetched != 2 {
		t.Errorf("%d pages were fetched", fetched)
	}
}

// A client reads all events of a calendar.
func ExamplePages() {
	answers := map[string]string{ // a client sends GET /calendars/primary/events?pageToken=TOKEN
		"":   `{"items":[{"summary":"Standup"},{"summary":"Review"}],"nextPageToken":"p2"}`,
		"p2": `{"items":[{"summary":"Lunch"}],"nextSyncToken":"s1"}`,
	}
	fetch := func(pageToken string) (*event.Page, error) {
		page, findings := event.DecodePage([]byte(answers[pageToken]), diag.Google)
		return page, findings.Err()
	}
	for page, err := range event.Pages(fetch) {
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range page.Items {
			fmt.Println(e.Summary)
		}
		fmt.Printf("next sync: %q\n", page.NextSyncToken)
	}
	// Output:
	// Standup
	// Review
	// next sync: ""
	// Lunch
	// next sync: "s1"
}
