package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/reference"
)

// console is the environment of a command: its streams, flags and rules.
type console struct {
	streams
	out    *bufio.Writer // standard output; run flushes it and reports its error
	getenv func(string) string
	quiet  bool // shows no progress and no notes
	config config
	configFlags
	reading

	own     []*diag.Rule    // the custom rules
	checker event.Checker   // includes the custom rules; has no grading
	known   *diag.Catalogue // all rules; nil if there are no custom rules
}

// newConsole returns a console with custom rules. If a custom rule is invalid, newConsole returns an error and a console that
// can only report errors.
func newConsole(std streams, getenv func(string) string, own []*diag.Rule) (*console, error) {
	c := &console{streams: std, out: bufio.NewWriter(std.out), getenv: getenv, own: own}
	if len(own) == 0 {
		return c, nil
	}
	known, err := reference.Catalogue().With(own...)
	if err != nil {
		return c, err
	}
	checker, err := c.checker.WithRules(own...)
	if err != nil {
		return c, err
	}
	c.known, c.checker = known, *checker
	return c, nil
}

// catalogue returns all rules, including custom rules and rules for the realtime database.
func (c *console) catalogue() *diag.Catalogue {
	if c.known == nil {
		return reference.Catalogue()
	}
	return c.known
}

// graded returns the checker with the grading that results from the configuration, a profile and a selection of rules, and
// prints a note if the configuration accepts requests that the service rejects.
func (c *console) graded(profile string, rules selection) event.Checker {
	checker, known := c.checker, c.checker.Catalogue()
	checker.Grading = c.config.gradingWith(profile, rules, known)
	if accepted := c.config.accepts(known); accepted != "" && !c.quiet {
		c.complain(errors.New(accepted))
	}
	return checker
}

// complain flushes the output and writes an error to standard error. Joined errors appear on separate lines.
func (c *console) complain(err error) {
	c.out.Flush()
	for _, err := range separate(err) {
		fmt.Fprintln(c.err, "calrules:", err)
	}
}

// separate returns the errors joined in err, without the names of failed system calls.
func separate(err error) (all []error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			all = append(all, separate(err)...)
		}
		return all
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return []error{err}
}

// look describes the appearance of text output.
type look struct {
	color   bool
	excerpt bool // show the line of each finding
	width   int  // the width of the screen, in characters
}

// The values of the --color flag.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// look returns the appearance of the output to stream, which is a standard stream or c.out.
func (c *console) look(stream io.Writer, color string) look {
	if stream == c.out {
		stream = c.streams.out
	}
	width, terminal := screen(stream)
	l := chooseLook(color, terminal, c.getenv)
	l.width = width
	return l
}

// chooseLook enables color and excerpts if the output is a terminal or color is always. In auto mode, NO_COLOR
// (https://no-color.org) or a dumb terminal turns color off.
func chooseLook(color string, terminal bool, getenv func(string) string) look {
	switch color {
	case colorAlways:
		return look{color: true, excerpt: true}
	case colorNever:
		return look{excerpt: terminal}
	default:
		plain := getenv("NO_COLOR") != "" || getenv("TERM") == "dumb"
		return look{color: terminal && !plain, excerpt: terminal}
	}
}

// defaultWidth is the width assumed if the width of the screen is unknown.
const defaultWidth = 80

// screen returns the width of w in characters and reports whether w is a terminal.
func screen(w io.Writer) (width int, terminal bool) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return defaultWidth, false
	}
	if width, _, _ := term.GetSize(int(file.Fd())); width > 0 { // the width is 0 if it is unknown or there is an error
		return width, true
	}
	return defaultWidth, true
}
