package proxy

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/internal/traffic"
)

// markup is HTML text. A template would add a third to the size of the command: templates call methods by name, so the linker
// would keep the exported methods of all types.
type markup struct{ strings.Builder }

// printf writes HTML in the given format. The arguments, which are text or quoted attributes, are escaped.
func (m *markup) printf(format string, args ...any) {
	for i, arg := range args {
		args[i] = html.EscapeString(fmt.Sprint(arg))
	}
	fmt.Fprintf(m, format, args...)
}

// write writes the page.
func (m *markup) write(v pageView) {
	m.WriteString(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>calrules proxy</title><style>` + style + `</style></head>
<body>
<main>
<h1>calrules proxy</h1>
`)
	m.printf("<p>%v requests so far, with ", v.Count)
	for i, total := range v.Totals {
		m.printf("%s%v %s", [...]string{"", ", "}[min(i, 1)], total.N, total.Kind)
	}
	if len(v.Totals) == 0 {
		m.printf("no findings")
	}
	m.printf(". These are the last %v requests, the newest first. Load the page again for newer ones.</p>\n", v.Kept)
	m.nav(v)
	m.list("With findings", "found", v.Found)
	m.list("Without findings", "clean", v.Clean)
	m.WriteString("</main>\n</body>\n</html>\n")
}

// nav writes the links to the pages with findings of a single kind.
func (m *markup) nav(v pageView) {
	link := func(isHere bool, address, name string) {
		m.printf(`<a href="%s"`, address)
		if isHere {
			m.WriteString(` aria-current="page"`)
		}
		m.printf(">%s</a>\n", name)
	}
	m.WriteString(`<nav aria-label="Findings">`)
	link(v.Only == "", "?", "All requests")
	for _, total := range v.Totals {
		link(total.Kind == v.Only, "?only="+string(total.Kind), "Only "+string(total.Kind))
	}
	m.WriteString("</nav>\n")
}

// list writes a list of requests with its heading, or nothing if there are no requests.
func (m *markup) list(heading, class string, entries []pageEntry) {
	if len(entries) == 0 {
		return
	}
	m.printf("<h2>%s</h2>\n<ul class=\"%s\">\n", heading, class)
	for i := range entries {
		m.WriteString("<li>")
		m.line(&entries[i])
		m.remarks(&entries[i])
		m.WriteString("</li>\n")
	}
	m.WriteString("</ul>\n")
}

// line writes the request and the status of the response.
func (m *markup) line(e *pageEntry) {
	status := any("no answer")
	if e.Status != 0 {
		status = e.Status
	}
	m.printf("<time>%s</time> <b>%v</b>", e.Time.Format("15:04:05"), status)
	if e.Blocked {
		m.WriteString(", not sent")
	}
	m.printf(` <code>%s %s</code> <span class="quiet">`, cmp.Or(e.Method, "another method"), cmp.Or(e.Path, "another path"))
	switch {
	case e.Op != "":
		m.printf("%s", e.Op)
	case e.Database != nil:
		m.printf("principal %v, rules %s", e.Database.Principal, e.Database.Rules)
		for _, credential := range e.Database.Credentials {
			m.printf("; %v: %s", credential.In, credential.Kind)
		}
	case e.Batch != 0:
		m.printf("a batch of %v", e.Batch)
	default:
		m.WriteString("not an operation of the service")
	}
	m.printf(", %v</span>", e.Took)
}

// remarks writes the findings and the other remarks about a request.
func (m *markup) remarks(e *pageEntry) {
	for _, f := range e.Shown {
		m.finding(f)
	}
	if e.More > 0 {
		m.printf("<p class=\"quiet\">and %v more</p>\n", e.More)
	}
	if e.Unchecked != "" {
		m.printf("<p class=\"quiet\">not checked: %s</p>\n", e.Unchecked)
	}
	switch {
	case e.Refusal != nil && e.Refusal.Reason != "":
		m.printf("<p class=\"reject\">refused by the service for a reason that calrules does not know: %s</p>\n", e.Refusal.Reason)
	case e.Refusal != nil:
		m.printf("<p class=\"reject\">refused by the service for a reason that calrules does not know</p>\n")
	case e.Verdict == between.AcceptedThere:
		m.printf("<p class=\"reject\">accepted by the service, but rejected by the rules</p>\n")
	}
	if e.Failure != "" {
		m.printf("<p class=\"reject\">%s</p>\n", e.Failure)
	}
}

func (m *markup) finding(f traffic.Finding) {
	m.printf(`<p class="%[1]s"><span class="kind">%[1]s</span> `, f.Kind)
	if f.Path != "" {
		m.printf("<code>%s</code> ", f.Path)
	}
	m.printf(`%s <span class="quiet">`, f.Message)
	if f.Remembered {
		m.WriteString("(compared with the event read earlier) ")
	}
	m.printf("</span><a href=\"%s\">%s</a></p>\n", f.Of.URL(), f.Rule)
}
