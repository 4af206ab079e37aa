package command

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/proxy"
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
		BodySize float64    `json:"bodySize"` // -1 if it is not known
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

// exchange is an exchange in a recording of any format.
type exchange struct {
	method, url string
	header      between.Header
	body        []byte
	bodyErr     error // why the body of the request cannot be read

	status       int // 0 if there was no answer
	answerHeader between.Header
	answer       []byte
	answerErr    error
}

// exchange returns the entry without the form of a HAR file.
func (e *harEntry) exchange() exchange {
	x := exchange{
		method: e.Request.Method, url: e.Request.URL, header: harHeader(e.Request.Headers),
		status: e.Response.Status, answerHeader: harHeader(e.Response.Headers),
	}
	x.body, x.bodyErr = e.Request.PostData.bytes()
	x.expectBody(e.Request.BodySize > 0 || hasLength(x.header))
	x.answer, x.answerErr = e.Response.Content.bytes()
	return x
}

// readHAR returns the exchanges of a HAR file.
func readHAR(text []byte, _ size) (all []exchange, err error) {
	var har harFile
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // HAR 1.2: a reader ignores it
	if err := json.Unmarshal(text, &har); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // may quote a number, which may be a credential
			kind, _, _ := strings.Cut(wrong.Value, " ")
			err = fmt.Errorf("%s is a JSON %s (byte %d)", wrong.Field, kind, wrong.Offset)
		}
		return nil, fmt.Errorf("not a HAR file: %w", err)
	}
	if har.Log.Entries == nil {
		return nil, errors.New("not a HAR file: it has no log.entries")
	}
	for i := range har.Log.Entries {
		all = append(all, har.Log.Entries[i].exchange())
	}
	return all, nil
}

// harAnswer is the answer about an entry.
type harAnswer struct {
	File      string          `json:"file"`
	Entry     int             `json:"entry"`          // from 1
	Part      int             `json:"part,omitempty"` // of a batch, from 1
	Op        string          `json:"op"`
	Status    int             `json:"status"`
	Findings  []proxy.Finding `json:"findings"`
	Answer    []proxy.Finding `json:"answer"`
	Unchecked between.Reason  `json:"unchecked,omitempty"`

	method, path string
}

// recordingFlags are the flags of the commands that read recordings.
type recordingFlags struct {
	har, cassette bool
	base          string // of the service
}

func (f *recordingFlags) add(command *cobra.Command) {
	set := command.Flags()
	set.BoolVar(&f.har, "har", false, "FILE is a recording of HTTP traffic (HAR 1.2)")
	set.BoolVar(&f.cassette, "cassette", false, "FILE is a recording of go-vcr or VCR (YAML)")
	set.StringVar(&f.base, "base", "", "`URL` of the service in a recording (default that of the Google Calendar API)")
	exclude(command, "har", "cassette")
}

// withoutRecording is when the other flags for recordings cannot be used.
const withoutRecording = "without --har or --cassette"

// recordings returns the flag for the format of the recordings, and the function that reads one, or "".
func (f *recordingFlags) recordings() (flag string, read func(text []byte, limit size) ([]exchange, error)) {
	switch {
	case f.har:
		return "har", readHAR
	case f.cassette:
		return "cassette", readCassette
	}
	return "", nil
}

// exchanges returns the exchanges in a recording.
func (f *recordingFlags) exchanges(doc document, limit size) ([]exchange, error) {
	_, read := f.recordings()
	all, err := read(doc.text, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doc.name, err)
	}
	return all, nil
}

// checkRecordings checks the exchanges in recordings.
func checkRecordings(c *console, flags *checkFlags, args []string) error {
	if err := flags.validateRecordings(c, args); err != nil {
		return err
	}
	watcher, err := between.New(between.Options{Checker: flags.checker(c), Base: flags.base, Dialect: c.dialect})
	if err != nil {
		return err
	}
	if flags.cassette {
		if args, err = flags.cassettes(args); err != nil {
			return failure{err}
		}
	}
	all, exchanges, err := flags.watchRecordings(c, watcher, args)
	if err != nil {
		return failure{err}
	}
	if flags.cassette && len(all) == 0 && !flags.quiet {
		fmt.Fprintf(c.err, "calrules: 0 requests to the service in %s; --base names the address of another\n", number(exchanges, "exchange"))
	}
	return flags.writeRecordings(c, all)
}

// validateRecordings returns an error for flags and arguments that do not go with recordings.
func (f *checkFlags) validateRecordings(c *console, args []string) error {
	format, _ := f.recordings()
	switch {
	case f.format.value != formatText && f.format.value != formatNDJSON && f.format.value != formatJSON:
		return fmt.Errorf("--%s cannot be written in the format %s; use text, json or ndjson", format, f.format.value)
	case len(args) == 0 && f.cassette:
		return errors.New("--cassette requires a FILE, a directory, or - for standard input")
	case len(args) == 0:
		return errors.New("--har requires a FILE, or - for standard input")
	}
	return cmp.Or(f.unused("with --"+format+"; each request has its own", "op", "param", "stored"), f.validate(c))
}

// watchRecordings passes the exchanges in files through a watcher. It returns the answers about those with the service,
// and the number of all exchanges.
func (f *checkFlags) watchRecordings(c *console, w *between.Watcher, files []string) (all []harAnswer, exchanges int, err error) {
	for _, file := range files {
		doc, err := c.read(file, f.maxSize)
		if err != nil {
			return nil, 0, err
		}
		recorded, err := f.exchanges(doc, f.maxSize)
		if err != nil {
			return nil, 0, err
		}
		exchanges += len(recorded)
		for i := range recorded {
			for _, a := range watchEntry(w, &recorded[i], f.redact) {
				a.File, a.Entry = doc.name, i+1
				all = append(all, a)
			}
		}
	}
	return all, exchanges, nil
}

// cassettes returns the files that the arguments name.
func (f *checkFlags) cassettes(args []string) (names []string, err error) {
	for _, arg := range args {
		found, err := f.filesOf(arg, ".yaml", ".yml")
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// expectBody notes whether the request had a body, which the recording may lack.
func (e *exchange) expectBody(hadBody bool) {
	if hadBody && e.bodyErr == nil && len(e.body) == 0 {
		e.bodyErr = errors.New("the recording does not have it")
	}
}

// message returns the request.
func (e *exchange) message() between.Message {
	return between.Message{Method: e.method, URL: e.url, Header: e.header, Body: e.body, Unread: unread(e.bodyErr)}
}

// tell passes the answer to a request, if there was one.
func (e *exchange) tell(x *between.Exchange) (found diag.Findings, unchecked between.Reason) {
	if e.status == 0 {
		x.Fail()
		return nil, ""
	}
	return x.Answer(e.status, e.answerHeader, e.answer, unread(e.answerErr))
}

// unread returns the reason for not having a body that cannot be read.
func unread(err error) between.Reason {
	if err == nil {
		return ""
	}
	return between.Reason("the body cannot be read: " + err.Error())
}

// hasLength reports whether a header says that a body follows.
func hasLength(header between.Header) bool {
	for name, values := range header {
		if strings.EqualFold(name, "Content-Length") && len(values) > 0 {
			n, err := strconv.ParseUint(values[0], 10, 64)
			return err == nil && n > 0
		}
	}
	return false
}

// watchEntry passes an exchange through a watcher. There is an answer for each request to the service, or none.
func watchEntry(w *between.Watcher, e *exchange, redact bool) (all []harAnswer) {
	x := w.Request(e.message())
	found, unchecked := e.tell(x)
	newAnswer := func(x *between.Exchange, answered between.Answered) harAnswer {
		a := harAnswer{
			Op: string(x.Op), Status: answered.Status, Unchecked: cmp.Or(x.Unchecked, answered.Unchecked), method: e.method,
			Findings: proxy.RequestFindings(x.Findings, redact), Answer: proxy.AnswerFindings(answered.Findings, redact),
		}
		if u, err := url.Parse(e.url); err == nil {
			a.path = u.EscapedPath() // the query may have a credential
		}
		return a
	}
	for i, part := range x.Parts {
		all = append(all, newAnswer(part, part.Answered))
		all[i].Part = i + 1
		if part.Answered.Unchecked == unchecked {
			unchecked = "" // of the batch
		}
	}
	if x.Parts != nil {
		found = nil // of the parts
	}
	if a := newAnswer(x, between.Answered{Status: e.status, Findings: found, Unchecked: unchecked}); x.Op != "" || len(a.Findings) > 0 || a.Unchecked != "" {
		all = append(all, a)
	}
	return all
}

// writeRecordings writes the answers about recordings.
func (f *checkFlags) writeRecordings(c *console, all []harAnswer) error {
	t := tally{findings: map[diag.Kind]int{}}
	rejected := false
	for _, a := range all {
		isRejected := false
		for _, finding := range append(append([]proxy.Finding{}, a.Findings...), a.Answer...) {
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

// write writes an answer as text, a line for each finding.
func (a *harAnswer) write(c *console) {
	where := fmt.Sprintf("%s: entry %d: %s %s", visible(a.File), a.Entry, visible(a.method), visible(a.path))
	if a.Part > 0 {
		where += fmt.Sprintf(": part %d: %s", a.Part, cmp.Or(a.Op, "no operation"))
	}
	writeFindings(c.out, where, "", a.Findings)
	writeFindings(c.out, where, "answer ", a.Answer)
	if a.Unchecked != "" {
		fmt.Fprintf(c.out, "%s: not checked: %s\n", where, visible(string(a.Unchecked)))
	}
}
