package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/aim"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/visible"
	"github.com/calrules/calrules/operation"
)

// aimFlags are the flags of the aim command.
type aimFlags struct {
	calendar       string
	second, story  string
	tidy           bool
	headers        []string
	owned          bool
	ops, rules     []string
	count          int
	seed           uint64
	rate           float64
	limit, timeout time.Duration
	profile        *choice
	format         *format
	quiet          bool
	selection
	changed func(name string) bool
}

const aimLong = `Send requests to a calendar server that you own, both valid requests and requests that
break one rule, and compare its behavior with the rules. The report lists the rules that
the server misses, the valid requests that it refuses, and the faults in its responses.

URL is the base URL of the API, such as http://127.0.0.1:8085/calendar/v3. --calendar
is a calendar for the test: aim creates all events in it, and deletes them again. All
guests are in reserved domains such as example.com, and sendUpdates is none. The server
must be on this machine, unless you add --i-own-this-server.

By default, aim uses the operations that only read, and the operations that write events
in the calendar. --op selects other operations; operations on access rules and calendars
change more than events. --rule limits the rules. A rule is not tried if no HTTP request
can break it or create the stored event that it needs; the report counts such rules.

--header 'Authorization=@FILE' sends a header field with the content of a file, which is
never shown.

Each disagreement is shown once per rule and operation, with the smallest example
found, as shell commands. The kinds of disagreements are:

  missed   the server accepts a request that a rule rejects, or keeps a value without effect
  refused  the server refuses a request that no rule rejects
  answer   the response is not a representation of an event
  lost     a response to the write or to a later read does not show the effect of the write
  failed   the server responds with a 5xx status

The exit status is 0 if the server agrees with all verdicts, 1 if it disagrees, leaves a
request without a verdict or keeps an event, and 2 if nothing could be compared.`

func newAim(c *console) *cobra.Command {
	flags := &aimFlags{profile: newProfile(), format: newFormat(aimFormats)}
	command := &cobra.Command{
		Use:   "aim [flags] URL",
		Short: "Send requests to your server, and compare its behavior with the rules",
		Long:  aimLong,
		Example: `  calrules aim --dialect google http://127.0.0.1:8085/calendar/v3
  calrules aim --op events.patch --rule patch.whole http://127.0.0.1:8080
  calrules aim --i-own-this-server --calendar test --header Authorization=@token https://calendar.example.com/v3`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("aim requires the URL of a server")
			}
			return runAim(c, flags, args[0])
		},
	}
	flags.add(command, c)
	return command
}

func (f *aimFlags) add(command *cobra.Command, c *console) {
	set := command.Flags()
	set.SortFlags = false
	f.changed = set.Changed
	set.StringVar(&f.calendar, "calendar", "primary", "`id` of the calendar in which events are created")
	set.StringVar(&f.second, "second", "", "`id` of another calendar for the test, to which events are moved; without it, no event is moved")
	set.StringArrayVar(&f.headers, "header", nil, "header field to send, as `NAME=@FILE`; may be repeated")
	set.BoolVar(&f.owned, "i-own-this-server", false, "send to a server on another machine")
	set.StringSliceVar(&f.ops, "op", nil, "`operations` of the requests, separated by commas; may be repeated")
	set.StringSliceVar(&f.rules, "rule", nil, "`rules` that the requests break, separated by commas; may be repeated (default all, and valid requests)")
	set.StringVar(&f.story, "story", "", "repeat one `story` from a report, such as time.order:3, with the same --seed, --op and --calendar")
	set.BoolVar(&f.tidy, "tidy", false, "only delete the events that earlier runs left in the calendar")
	set.IntVarP(&f.count, "count", "n", 500, "number of verdicts to compare; each requires one or more requests")
	set.Uint64Var(&f.seed, "seed", 1, "`number` that determines the requests")
	set.Float64Var(&f.rate, "rate", 0, "maximum number of requests per second; 0 means no maximum")
	set.DurationVar(&f.limit, "time", 5*time.Minute, "send requests for at most this `duration`")
	set.DurationVar(&f.timeout, "timeout", 10*time.Second, "maximum `duration` of the wait for a response")
	f.profile.add(command, "profile", profileUsage)
	f.selection.add(command, c.completeRules)
	f.format.add(command, "output format")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "write disagreements, but not the table of rules")
	complete(command, "op", operations.completeFlag)
	complete(command, "rule", c.rules().completeFlag)
}

// validate returns an error if a flag has an invalid value.
func (f *aimFlags) validate(c *console) error {
	switch {
	case f.count < 1:
		return fmt.Errorf("--count is %d; it must be 1 or more", f.count)
	case !(f.rate >= 0):
		return fmt.Errorf("--rate is %v; it must be 0 or more", f.rate)
	case f.limit <= 0:
		return fmt.Errorf("--time is %s; it must be positive", f.limit)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout is %s; it must be positive", f.timeout)
	case f.calendar == "":
		return errors.New("--calendar is empty; it must be the id of a calendar")
	}
	return f.selection.validate(c.checker.Catalogue())
}

// target returns the URL of a server, or an error if requests must not be sent to that server.
func (f *aimFlags) target(text string) (*url.URL, error) {
	u, err := readURL(text, text)
	if err != nil {
		return nil, err
	}
	host := strings.TrimRight(strings.ToLower(u.Hostname()), ".") // trailing dots change nothing
	switch {
	case strings.ContainsFunc(host, isNotASCII): // net/http would map the name to a different host, perhaps of the public service
		return nil, fmt.Errorf("the host %s is not in ASCII; give its name as in the DNS", host)
	case isPublic(host):
		return nil, fmt.Errorf("%s is the public service, which is not yours to test", host)
	case !isLoopback(host) && !f.owned:
		return nil, fmt.Errorf("%s is not on this machine; if the server is yours, add --i-own-this-server", host)
	}
	return u, nil
}

// isPublic reports whether a host belongs to the public service, which also answers at clients6.google.com.
func isPublic(host string) bool {
	return slices.ContainsFunc([]string{"googleapis.com", "google.com"}, func(domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) })
}

func isNotASCII(r rune) bool { return r > unicode.MaxASCII }

// header parses the header fields given by --header.
func (f *aimFlags) header(c *console) (http.Header, error) {
	header := http.Header{}
	for _, field := range f.headers {
		name, file, ok := strings.Cut(field, "=@")
		if !ok || !isFieldName(name) || file == "" {
			return nil, fmt.Errorf("a value of --header does not have the form NAME=@FILE with a valid header field name; put the value in the file, to hide it from the process list")
		}
		doc, err := c.read(file, 64<<10)
		if err != nil {
			return nil, failure{err}
		}
		header.Add(name, strings.TrimSpace(string(doc.text)))
	}
	return header, nil
}

// isFieldName reports whether name is a valid header field name, that is, a token as defined in RFC 9110.
func isFieldName(name string) bool {
	return name != "" && strings.Trim(name, "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == ""
}

// operations returns the operations selected by --op, or nil if --op is not set.
func (f *aimFlags) operations(c *console) (ids []operation.ID, err error) {
	for _, op := range f.ops {
		found, err := operations.find(op)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found.ID)
	}
	for _, rule := range f.rules {
		if _, err := c.rules().find(rule); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// runAim sends requests to a server and writes the report.
func runAim(c *console, flags *aimFlags, server string) error {
	if err := flags.validate(c); err != nil {
		return err
	}
	u, err := flags.target(server)
	if err != nil {
		return err
	}
	ops, err := flags.operations(c)
	if err != nil {
		return err
	}
	header, err := flags.header(c)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, flags.limit)
	defer cancel()
	defer silenceLog()()
	p := c.newProgress("verdict", shareOf(flags.count))
	options := aim.Options{
		Base: u.String(), Calendar: flags.calendar, Second: flags.second, Dialect: c.dialect, Checker: c.checkerWith(flags.changed, flags.profile.value, flags.selection),
		Header: header, Client: &http.Transport{}, Operations: ops, Rules: flags.rules, Seed: flags.seed, Count: flags.count,
		Every: flags.every(), Timeout: flags.timeout, Nonce: nonce(), Progress: func() { p.add(1) },
		Story: flags.story,
	}
	if flags.tidy {
		return tidy(ctx, c, options)
	}
	report, err := aim.Run(ctx, options)
	p.clear()
	if err != nil {
		return err
	}
	return flags.write(c, report)
}

// tidy deletes and lists the events that earlier runs left behind.
func tidy(ctx context.Context, c *console, options aim.Options) error {
	report, err := aim.Tidy(ctx, options)
	if err != nil {
		return failure{err}
	}
	for _, id := range report.Tidied {
		fmt.Fprintf(c.out, "deleted: %s\n", visible.Text(id))
	}
	for _, at := range report.Left {
		fmt.Fprintf(c.out, "not deleted: %s\n", visible.Text(at))
	}
	if len(report.Left) > 0 {
		return errFound
	}
	return nil
}

// every returns the minimum interval between requests.
func (f *aimFlags) every() time.Duration {
	if f.rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / f.rate)
}

// nonce returns random letters and digits, for the ids of one run.
func nonce() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return form.NewEventID(random)[:12]
}

// write writes the report and returns the error that sets the exit status.
func (f *aimFlags) write(c *console, report *aim.Report) error {
	if report.Stories == 0 && report.Stopped != "" && len(report.Left) == 0 {
		return failure{errors.New(report.Stopped)}
	}
	switch f.format.value {
	case formatJSON:
		writeJSON(c.out, report)
	case formatText:
		f.writeText(c, report)
	default:
		writeSubjects(newToolReport(c, c.out, f.format.value, f.quiet), report)
	}
	if report.Stories == 0 {
		return failure{errors.New("nothing could be compared")}
	}
	if len(report.Disagreements)+len(report.Unclear)+len(report.Left) > 0 || report.Stopped != "" {
		return errFound
	}
	return nil
}

// writeText writes the report for people.
func (f *aimFlags) writeText(c *console, report *aim.Report) {
	for _, d := range report.Disagreements {
		fmt.Fprintf(c.out, "%s: %s %s\n", d.Op, d.Fault, orValid(d.Rule))
		fmt.Fprintf(c.out, "  rules:   %s\n  server:  %s\n  again:   --seed %d --story %s\n", visible.Text(d.Message), visible.Text(d.Server), f.seed, visible.Text(d.Story))
		for _, line := range d.Curl {
			fmt.Fprintf(c.out, "  %s\n", visible.Text(line))
		}
		if d.Count > 1 {
			fmt.Fprintf(c.out, "  (and %s)\n", visible.Count(d.Count-1, "more such request"))
		}
	}
	if !f.quiet {
		f.writeTable(c, report)
	}
	for _, reason := range report.Unclear {
		fmt.Fprintf(c.out, "no verdict: %s\n", visible.Text(reason))
	}
	for _, at := range report.Left {
		fmt.Fprintf(c.out, "not deleted: %s\n", visible.Text(at))
	}
	if report.Stopped != "" {
		fmt.Fprintf(c.out, "stopped: %s\n", visible.Text(report.Stopped))
	}
	if !f.quiet {
		fmt.Fprintf(c.out, "%s, %s: %s\n", visible.Count(report.Stories, "verdict"), visible.Count(report.Requests, "request"), visible.Count(len(report.Disagreements), "disagreement"))
	}
}

func orValid(rule string) string {
	if rule == "" {
		return "(a valid request)"
	}
	return rule
}

// writeTable writes the score of each rule, and the number of untried rules for each reason.
func (f *aimFlags) writeTable(c *console, report *aim.Report) {
	reasons, width := map[string]int{}, 0
	for _, s := range report.Scores {
		width = max(width, len(orValid(s.Rule)))
	}
	fmt.Fprintf(c.out, "%-*s %6s %6s\n", width, "rule", "tried", "agreed")
	for _, s := range report.Scores {
		if s.Tried == 0 {
			reasons[s.NotTried]++
			continue
		}
		fmt.Fprintf(c.out, "%-*s %6d %6d\n", width, orValid(s.Rule), s.Tried, s.Agreed)
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(c.out, "not tried: %s: %s\n", visible.Count(reasons[reason], "rule"), reason)
	}
}

// writeSubjects writes each disagreement, and each rule without disagreements, in a format for tools.
func writeSubjects(out toolReport, report *aim.Report) {
	for _, d := range report.Disagreements {
		out.subject(subject{file: "<aim>", name: fmt.Sprintf("%s: %s %s", d.Op, d.Fault, orValid(d.Rule)), about: string(d.Op), findings: []located{{
			rule: d.Of, id: cmp.Or(d.Rule, string(d.Fault)), kind: diag.Reject, start: textStart, end: textStart,
			message: fmt.Sprintf("%s: %s Server: %s Requests: %s", d.Fault, d.Message, d.Server, strings.Join(d.Curl, "; ")),
		}}})
	}
	for _, s := range report.Scores {
		if s.Tried > 0 && s.Agreed == s.Tried {
			out.subject(subject{file: "<aim>", name: orValid(s.Rule)})
		}
	}
	for _, reason := range report.Unclear {
		out.unread(errors.New(reason))
	}
	out.end(nil)
}
