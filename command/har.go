package command

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
)

// harFile is a recording in the format HAR 1.2, as far as it is of interest.
type harFile struct {
	Log struct {
		Entries []harEntry `json:"entries"`
	} `json:"log"`
}

type harEntry struct {
	Request struct {
		Method   string     `json:"method"`
		URL      string     `json:"url"`
		Headers  []harField `json:"headers"`
		PostData *harText   `json:"postData"`
	} `json:"request"`
	Response struct {
		Status  int        `json:"status"`
		Headers []harField `json:"headers"`
		Content harText    `json:"content"`
	} `json:"response"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harText struct {
	Text     string `json:"text"`
	Encoding string `json:"encoding"`
}

// bytes returns a body. A HAR has it without its content coding, and as base64 if it is not text.
func (t *harText) bytes() ([]byte, error) {
	if t == nil || t.Encoding == "" {
		return []byte(orEmpty(t).Text), nil
	}
	if t.Encoding != "base64" {
		return nil, fmt.Errorf("the encoding is %q; it must be base64", t.Encoding)
	}
	return base64.StdEncoding.DecodeString(t.Text)
}

func orEmpty(t *harText) *harText {
	if t == nil {
		return new(harText)
	}
	return t
}

// harHeader returns the fields of a header, without the pseudo fields of HTTP/2 and the content coding.
func harHeader(fields []harField) between.Header {
	header := between.Header{}
	for _, f := range fields {
		if !strings.HasPrefix(f.Name, ":") && !strings.EqualFold(f.Name, "Content-Encoding") {
			header[f.Name] = append(header[f.Name], f.Value)
		}
	}
	return header
}

// harAnswer is what is said about an entry.
type harAnswer struct {
	File      string       `json:"file"`
	Entry     int          `json:"entry"` // from 0
	Op        string       `json:"op"`
	Status    int          `json:"status"`
	Findings  []harFinding `json:"findings"`
	Answer    []harFinding `json:"answer"`
	Unchecked string       `json:"unchecked,omitempty"`

	method, path string
}

// harFinding is a finding about a request or an answer.
type harFinding struct {
	Rule       string       `json:"rule"`
	Kind       diag.Kind    `json:"kind"`
	Basis      diag.Basis   `json:"basis"`
	Path       diag.Pointer `json:"path"`
	Message    string       `json:"message"`
	Remembered bool         `json:"remembered,omitempty"`
}

// checkRecordings checks the exchanges in recordings.
func checkRecordings(c *console, flags *checkFlags, args []string) error {
	switch {
	case flags.format.value != formatText && flags.format.value != formatNDJSON && flags.format.value != formatJSON:
		return fmt.Errorf("--har cannot be written in the format %s; use text, json or ndjson", flags.format.value)
	case len(args) == 0:
		return errors.New("--har requires a FILE, or - for standard input")
	}
	err := flags.unused("with --har; each request has its own", "op", "param", "stored")
	if err == nil {
		err = flags.validate(c)
	}
	if err != nil {
		return err
	}
	watcher, err := between.New(between.Options{Checker: flags.checker(c), Base: flags.base, Dialect: c.dialect, MaxBody: int(flags.maxSize)})
	if err != nil {
		return err
	}
	var all []harAnswer
	for _, arg := range args {
		answers, err := c.readRecording(watcher, arg, flags.maxSize)
		if err != nil {
			return failure{err}
		}
		all = append(all, answers...)
	}
	return flags.writeRecordings(c, all)
}

// readRecording passes the exchanges of a recording through a watcher, in their order.
func (c *console) readRecording(w *between.Watcher, arg string, maxSize size) (all []harAnswer, err error) {
	doc, err := c.read(arg, maxSize)
	if err != nil {
		return nil, err
	}
	var har harFile
	if err := json.Unmarshal(doc.text, &har); err != nil {
		return nil, fmt.Errorf("%s: not a HAR file: %w", doc.name, err)
	}
	if har.Log.Entries == nil {
		return nil, fmt.Errorf("%s: not a HAR file: it has no log.entries", doc.name)
	}
	for i := range har.Log.Entries {
		if a := watchEntry(w, &har.Log.Entries[i]); a.Op != "" {
			a.File, a.Entry = doc.name, i
			all = append(all, a)
		}
	}
	return all, nil
}

// watchEntry passes an exchange through a watcher. The answer has no operation if the request is none of the service's.
func watchEntry(w *between.Watcher, e *harEntry) (a harAnswer) {
	body, err := e.Request.PostData.bytes()
	x := w.Request(between.Message{Method: e.Request.Method, URL: e.Request.URL, Header: harHeader(e.Request.Headers), Body: body})
	a = harAnswer{Op: string(x.Op), Status: e.Response.Status, Findings: []harFinding{}, Answer: []harFinding{}, Unchecked: x.Unchecked, method: e.Request.Method}
	if u, err := url.Parse(e.Request.URL); err == nil {
		a.path = u.EscapedPath() // the query may have a credential
	}
	if err != nil {
		a.Unchecked = "the body cannot be read: " + err.Error()
		x.Fail()
		return a
	}
	for _, f := range x.Findings {
		a.Findings = append(a.Findings, harFinding{f.Rule.ID, f.Kind, f.Basis, f.Path, f.Message(), f.Remembered})
	}
	text, err := e.Response.Content.bytes()
	if e.Response.Status == 0 || err != nil {
		x.Fail() // the client got no answer
		return a
	}
	found, unchecked := x.Answer(e.Response.Status, harHeader(e.Response.Headers), text, false)
	for _, f := range found {
		a.Answer = append(a.Answer, harFinding{f.Rule.ID, f.Kind, f.Basis, f.Path, f.Message(), false})
	}
	if a.Unchecked == "" {
		a.Unchecked = unchecked
	}
	return a
}

// writeRecordings writes what is said about recordings.
func (f *checkFlags) writeRecordings(c *console, all []harAnswer) error {
	t := tally{findings: map[diag.Kind]int{}}
	rejected := false
	for _, a := range all {
		isRejected := false
		for _, finding := range append(append([]harFinding{}, a.Findings...), a.Answer...) {
			t.findings[finding.Kind]++
			isRejected = isRejected || finding.Kind == diag.Reject
		}
		rejected = rejected || isRejected
	}
	switch {
	case f.format.value != formatText:
		writeList(f.format, c.out, all)
	default:
		for _, a := range all {
			a.write(c)
		}
		if !f.quiet {
			fmt.Fprintf(c.out, "%s: %s\n", number(len(all), "request"), t.kinds())
		}
	}
	if rejected && !f.exitZero {
		return errFound
	}
	return nil
}

// write writes what is said about an entry as text, a line for each finding.
func (a *harAnswer) write(c *console) {
	where := fmt.Sprintf("%s: entry %d: %s %s", visible(a.File), a.Entry+1, visible(a.method), visible(a.path))
	for i, list := range [][]harFinding{a.Findings, a.Answer} {
		about := [...]string{"", "answer "}[i]
		for _, f := range list {
			note := ""
			if f.Remembered {
				note = " (beside the event that was read earlier)"
			}
			path := string(f.Path)
			if path != "" {
				path += ": "
			}
			fmt.Fprintf(c.out, "%s: %s%s %s%s%s [%s]\n", where, about, f.Kind, visible(path), visible(f.Message), note, f.Rule)
		}
	}
	if a.Unchecked != "" {
		fmt.Fprintf(c.out, "%s: not checked: %s\n", where, visible(a.Unchecked))
	}
}
