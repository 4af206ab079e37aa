package proxy

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/rtdbauth"
)

// Values cannot add markup, in text or in attributes.
func TestMarkupEscapes(t *testing.T) {
	var m markup
	m.printf("<a href=\"%s\">%v</a>", `"><script>`, errors.New("<&"))
	if want := `<a href="&#34;&gt;&lt;script&gt;">&lt;&amp;</a>`; m.String() != want {
		t.Errorf("got %s, want %s", m.String(), want)
	}
}

// The page counts the findings, and links to the pages for their kinds, except to itself.
func TestMarkupOfTotals(t *testing.T) {
	totals := []pageTotal{{diag.Reject, 2}, {diag.Advise, 1}}
	for _, test := range []struct {
		view pageView
		want []string
	}{
		{pageView{Count: 1, Kept: 1}, []string{"1 requests so far, with no findings. ", `<a href="?" aria-current="page">All requests</a>`}},
		{pageView{Count: 3, Kept: 2, Totals: totals}, []string{
			"3 requests so far, with 2 reject, 1 advise. These are the last 2 requests,", `<a href="?" aria-current="page">All requests</a>`,
			`<a href="?only=reject">Only reject</a>`, `<a href="?only=advise">Only advise</a>`,
		}},
		{pageView{Totals: totals, Only: diag.Reject}, []string{
			`<a href="?">All requests</a>`, `<a href="?only=reject" aria-current="page">Only reject</a>`, `<a href="?only=advise">Only advise</a>`,
		}},
	} {
		var m markup
		m.write(test.view)
		for _, want := range test.want {
			if !strings.Contains(m.String(), want) {
				t.Errorf("%+v lacks %s:\n%s", test.view, want, m.String())
			}
		}
	}
}

// A line describes a request, its response and what is remarkable about them.
func TestMarkupOfRequests(t *testing.T) {
	rule := &diag.Rule{ID: "a.b"}
	link := `</span><a href="` + rule.URL() + `">a.b</a></p>` + "\n"
	insert := traffic.Exchange{Method: "POST", Path: "/events", Op: "events.insert", Status: 200}
	as := func(change func(*traffic.Exchange)) Exchange {
		x := insert
		change(&x)
		return Exchange{Exchange: x}
	}
	const (
		line = `<time>09:05:07</time> <b>200</b> <code>POST /events</code> <span class="quiet">events.insert, 2ms</span>`
		none = `<time>09:05:07</time> <b>no answer</b> <code>POST /events</code> <span class="quiet">events.insert, 2ms</span>`
	)
	for name, test := range map[string]struct {
		entry pageEntry
		want  string
	}{
		"agreed":    {pageEntry{Exchange: Exchange{Exchange: insert}}, line},
		"no answer": {pageEntry{Exchange: as(func(x *traffic.Exchange) { x.Status = 0 })}, none},
		"failed": {pageEntry{Exchange: Exchange{Exchange: insert, Failure: "it fails"}},
			line + `<p class="reject">it fails</p>` + "\n"},
		"blocked": {pageEntry{Exchange: Exchange{Exchange: insert, Blocked: true}}, strings.Replace(line, "</b>", "</b>, not sent", 1)},
		"unknown": {pageEntry{Exchange: as(func(x *traffic.Exchange) { x.Method, x.Path, x.Op = "", "", "" })},
			`<time>09:05:07</time> <b>200</b> <code>another method another path</code> <span class="quiet">not an operation of the service, 2ms</span>`},
		"batch": {pageEntry{Exchange: as(func(x *traffic.Exchange) { x.Op = "" }), Batch: 3}, strings.Replace(line, "events.insert", "a batch of 3", 1)},
		"database": {pageEntry{Exchange: Exchange{Exchange: as(func(x *traffic.Exchange) { x.Op = "" }).Exchange, Database: &Authentication{
			Principal: rtdbauth.User, Rules: "evaluate", Credentials: []Credential{{rtdbauth.InAuth, "id_token"}},
		}}}, strings.Replace(line, "events.insert", "principal user, rules evaluate; auth: id_token", 1)},
		"findings": {pageEntry{Exchange: Exchange{Exchange: insert}, More: 1, Shown: []traffic.Finding{
			{Kind: diag.Reject, Rule: "a.b", Of: rule, Path: "/start", Message: "It is late."},
			{Kind: diag.Advise, Rule: "a.b", Of: rule, Message: "It changes.", Remembered: true},
		}}, line +
			`<p class="reject"><span class="kind">reject</span> <code>/start</code> It is late. <span class="quiet">` + link +
			`<p class="advise"><span class="kind">advise</span> It changes. <span class="quiet">(compared with the event read earlier) ` + link +
			`<p class="quiet">and 1 more</p>` + "\n"},
		"not checked": {pageEntry{Exchange: as(func(x *traffic.Exchange) { x.Unchecked = "it is a stream" })}, line + `<p class="quiet">not checked: it is a stream</p>` + "\n"},
		"refused": {pageEntry{Exchange: as(func(x *traffic.Exchange) {
			x.Verdict, x.Refusal = between.RefusedThere, &traffic.Refusal{Reason: "backendError"}
		})}, line + `<p class="reject">refused by the service for a reason that calrules does not know: backendError</p>` + "\n"},
		"refused without a reason": {pageEntry{Exchange: as(func(x *traffic.Exchange) { x.Verdict, x.Refusal = between.RefusedThere, &traffic.Refusal{} })},
			line + `<p class="reject">refused by the service for a reason that calrules does not know</p>` + "\n"},
		"accepted": {pageEntry{Exchange: as(func(x *traffic.Exchange) { x.Verdict = between.AcceptedThere })},
			line + `<p class="reject">accepted by the service, but rejected by the rules</p>` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			test.entry.Time, test.entry.Took = time.Date(2026, 3, 10, 9, 5, 7, 0, time.UTC), 2*time.Millisecond
			var m markup
			m.line(&test.entry)
			m.remarks(&test.entry)
			if diff := cmp.Diff(test.want, m.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
