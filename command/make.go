package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/jsonscan"
)

// makeFlags are the flags of the make command. The flags for the arguments of verbs are named after the arguments.
type makeFlags struct {
	texts        []string // NAME=VALUE for each flag without a field
	overlap      bool
	limit        int64
	exceptions   string
	change, with string
	maxSize      size
	optionFlags
	streamFlags
}

// makeLong is the help text that describes the verbs.
func makeLong() string {
	var b strings.Builder
	b.WriteString(`Answer a question about a recurring event, change the event, or make the requests for an
intended change. FILE contains the event; - is standard input. VERB is one of the
following; its arguments are flags:

`)
	var intents strings.Builder
	for _, v := range batch.Verbs {
		to := &b
		if v.IsIntent() {
			to = &intents
		}
		describe(to, v.Name, arguments(&v), v.Sentence)
	}
	for _, v := range pairVerbs {
		describe(&b, v.name, v.flags, v.sentence)
	}
	b.WriteString(`
The answer to one of the following verbs is the list of requests to send, in order: objects
with op, params (with the eventId), body and ifMatch. make does not send them. If the
service would refuse a request, make writes only the reason. free-busy reads no FILE.

` + intents.String() + `
A time is a date for an all-day event, and otherwise an RFC 3339 time; without an offset,
the time is in the time zone of the event. --at can be repeated for exclude and add,
--email for add-guest and remove-guest, and --calendar for free-busy.

The answer contains instances, count or contains; or event and exceptions, the resulting
series, with its recurrence in canonical spelling as set; or before and after, two such
series. If no recurrence has exactly the required instances, make writes only the reason.

--exceptions names a file with the changed, moved and cancelled instances, as for
calrules expand; --gap and the flags after it are the same too.

` + streamHelp)
	return b.String()
}

// describe writes the name, the flags and the description of a verb.
func describe(b *strings.Builder, name, flags, sentence string) {
	fmt.Fprintf(b, "  %s\n%s\n", strings.TrimSpace(name+" "+flags), indented(wrap(sentence, pageWidth-len(margin))))
}

// arguments returns the flags for the arguments of a verb.
func arguments(v *batch.Verb) string {
	var flags []string
	for _, name := range v.Args {
		flag := "--" + batch.FlagOf(name)
		if name == "change" || name == "other" {
			flag += " FILE"
		}
		flags = append(flags, flag)
	}
	for _, name := range v.Optional {
		flags = append(flags, "[--"+batch.FlagOf(name)+"]")
	}
	return strings.Join(flags, " ")
}

func newMake(c *console) *cobra.Command {
	flags := &makeFlags{}
	command := &cobra.Command{
		Use:   "make [flags] VERB FILE",
		Short: "Make another recurring event, or the requests for a change",
		Long:  makeLong(),
		Example: `  calrules make split --at 2026-03-10T09:00:00-04:00 event.json
  calrules make exclude --at 2026-03-10 --at 2026-03-12 all-day.json
  calrules make rezone --zone Europe/Berlin --exceptions exceptions.json event.json
  calrules make respond --email ada@example.com --status accepted event.json
  calrules make change-following --at 2026-03-10T09:00:00-04:00 --change patch.json event.json
  calrules make --ndjson <requests.ndjson >answers.ndjson`,
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.ndjson {
				return makeStream(c, flags, args)
			}
			return flags.run(c, args)
		},
	}
	set := command.Flags()
	set.SortFlags = false
	flags.addArguments(set)
	set.StringVar(&flags.exceptions, "exceptions", "", "`file` with the changed, moved and cancelled instances")
	complete(command, "zone", completeZone)
	addMaxSize(command, &flags.maxSize)
	flags.optionFlags.add(command)
	flags.streamFlags.add(command)
	return command
}

// addArguments adds the flags for the arguments of all verbs.
func (f *makeFlags) addArguments(set *pflag.FlagSet) {
	for _, a := range batch.Arguments {
		switch name := batch.FlagOf(a.Name); a.Name {
		case "window":
			set.BoolVar(&f.overlap, name, false, a.Usage)
		case "limit":
			set.Int64Var(&f.limit, name, 0, a.Usage)
		case "change":
			set.StringVar(&f.change, name, "", "`file` with "+a.Usage)
		case "other":
			set.StringVar(&f.with, name, "", "`file` with "+a.Usage+", for copy-conference, "+listOf(pairNames()))
		default:
			set.Var(&argumentFlag{name: a.Name, all: &f.texts}, name, a.Usage)
		}
	}
}

// listOf joins names with commas.
func listOf(names []string) string { return strings.Join(names, ", ") }

// ofVerbs returns the flags that correspond to members of requests in a stream.
func ofVerbs() []string {
	names := append([]string{"exceptions"}, ofOptions...)
	for _, a := range batch.Arguments {
		names = append(names, batch.FlagOf(a.Name))
	}
	return names
}

// argumentFlag is a repeatable flag that appends NAME=VALUE to a list.
type argumentFlag struct {
	name string
	all  *[]string
}

func (f *argumentFlag) Set(value string) error {
	*f.all = append(*f.all, f.name+"="+value)
	return nil
}

func (f *argumentFlag) String() string { return "" }
func (f *argumentFlag) Type() string   { return "string" }

// makeStream answers a stream of requests.
func makeStream(c *console, flags *makeFlags, args []string) error {
	err := cmp.Or(flags.unused("with --ndjson; each line has its own", ofVerbs()...), flags.unused("with --ndjson; use --max-line", "max-size"))
	if err != nil {
		return err
	}
	return c.filter(args, &flags.streamFlags, filter.Make(c.dialect))
}

// asFlags replaces argument names in an error with flag names.
var asFlags = strings.NewReplacer("with.other", "--with", "with.window", "--overlap", "with.", "--")

var errVerbAndFile = errors.New("make requires a VERB and a FILE; 'calrules make --help' lists the verbs")

// mustHaveFile returns an error unless the arguments are a verb and a file. The error lists the flags of the verb.
func mustHaveFile(args []string, flags string) error {
	switch {
	case len(args) == 1:
		return fmt.Errorf("%s requires a FILE with the event; - is standard input", args[0])
	case len(args) > 2 && flags == "":
		return fmt.Errorf("%s requires exactly one FILE", args[0])
	case len(args) > 2:
		return fmt.Errorf("%s requires exactly one FILE; its arguments are flags: %s", args[0], flags)
	}
	return nil
}

// run applies a verb to the series in a file.
func (f *makeFlags) run(c *console, args []string) error {
	if len(args) == 0 {
		return errVerbAndFile
	}
	name := args[0]
	if err := f.unusedWithout(); err != nil {
		return err
	}
	var others []string
	for i := range pairVerbs {
		v := &pairVerbs[i]
		if v.name == name {
			if err := mustHaveFile(args, v.flags); err != nil {
				return err
			}
			return f.runPair(c, v, args[1])
		}
		others = append(others, v.name)
	}
	v, err := batch.FindVerb(name, others...)
	switch {
	case err != nil:
		return err
	case v.Alone && len(args) != 1:
		return fmt.Errorf("%s does not read a FILE", name)
	case !v.Alone:
		if err := mustHaveFile(args, arguments(v)); err != nil {
			return err
		}
	}
	files, err := f.read(c, args[1:])
	if err != nil {
		return err
	}
	with, err := f.arguments(files)
	if err != nil {
		return err
	}
	request, doc, exceptions := &batch.Making{}, document{name: name}, &exceptions{}
	if !v.Alone {
		doc = files.event
		if request.Event, err = c.event(doc); err != nil {
			return failure{err}
		}
		if exceptions, err = readExceptions(c, files.exceptions, request.Event.ID); err != nil {
			return failure{err}
		}
	}
	request.Verb, request.With, request.Exceptions, request.Dialect = name, with, exceptions.events, c.dialect
	request.Options = f.options()
	made := batch.Make(request)
	if made.Findings != nil {
		c.reportRejected(doc, exceptions, made.Findings)
		return errFound
	}
	if made.Error != "" {
		if place, ok := exceptions.place("/" + made.Error); ok {
			return failure{fmt.Errorf("%s: %s", exceptions.name, place)}
		}
		return failure{fmt.Errorf("%s: %s", doc.name, asFlags.Replace(made.Error))}
	}
	c.writeMade(request, made)
	return nil
}

// writeMade writes an answer with the dialect of its events.
func (c *console) writeMade(request *batch.Making, made batch.Expanded) {
	text := batch.AppendMade(nil, request, made)
	text = fmt.Appendf(text[:len(text)-1], `,"dialect":"%s"}`, request.Dialect)
	c.untold = true
	fmt.Fprintln(c.out, pretty(string(text)))
}

// makeFiles contains the files named on the command line. A file that is not named is empty.
type makeFiles struct{ event, exceptions, change, other document }

// read reads the event file, if any, and the files named by flags.
func (f *makeFlags) read(c *console, event []string) (files makeFiles, err error) {
	c.flags = f.conference()
	docs, err := c.readAll(f.maxSize, strings.Join(event, ""), f.exceptions, f.change, f.with)
	if err != nil {
		return files, failure{err}
	}
	return makeFiles{docs[0], docs[1], docs[2], docs[3]}, nil
}

// conference returns an event with a conference of the type given by --type, or nil if --type is not set.
func (f *makeFlags) conference() []byte {
	for _, argument := range f.texts {
		if value, isType := strings.CutPrefix(argument, "type="); isType {
			return fmt.Appendf(nil, `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":%s}}}}`, jsonscan.AppendQuote(nil, value))
		}
	}
	return nil
}

// arguments returns the arguments of the verb, as given by the flags.
func (f *makeFlags) arguments(files makeFiles) (*batch.With, error) {
	with := map[string]any{}
	for _, text := range f.texts {
		name, value, _ := strings.Cut(text, "=")
		switch list, _ := with[name].([]string); {
		case with[name] == nil:
			with[name] = []string{value}
		default:
			with[name] = append(list, value)
		}
	}
	for name, values := range with {
		if list := values.([]string); len(list) == 1 {
			with[name] = list[0]
		}
	}
	if f.overlap {
		with["window"] = "overlap"
	}
	if f.limit < 0 {
		return nil, fmt.Errorf("--limit is %d; it must be 0 or more", f.limit)
	}
	if f.changed("limit") {
		with["limit"] = f.limit
	}
	for name, doc := range map[string]document{"change": files.change, "other": files.other} {
		if doc.name == "" {
			continue
		}
		if !json.Valid(doc.text) {
			return nil, failure{fmt.Errorf("%s: the file is not JSON", doc.name)}
		}
		with[name] = json.RawMessage(doc.text)
	}
	text, err := json.Marshal(with)
	if err != nil {
		return nil, failure{err}
	}
	return batch.ReadWith(text)
}
