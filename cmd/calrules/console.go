package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"
)

// console is what a command reads from and writes to.
type console struct {
	streams
	out    *bufio.Writer // standard output; run flushes it
	getenv func(string) string
}

func newConsole(std streams, getenv func(string) string) *console {
	return &console{streams: std, out: bufio.NewWriter(std.out), getenv: getenv}
}

// complain tells on standard error, after what has been written so far, of something that
// could not be done. Of an error with a file it leaves out the system call.
func (c *console) complain(err error) {
	c.out.Flush() // its error stays with the writer
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	fmt.Fprintln(c.err, "calrules:", err)
}

// look is how text output looks.
type look struct {
	color   bool
	excerpt bool // show the line that a finding is about
	width   int  // of the screen, in characters
}

// When output is coloured, as the flag --color has it.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// chooseLook decides how output looks: as on a screen on a terminal, or where that is asked
// for, and plain otherwise. NO_COLOR (https://no-color.org) and dumb terminals are heeded
// unless colour is asked for.
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

// defaultWidth is the width of a screen that does not tell.
const defaultWidth = 80

// look decides how text looks on one of the standard streams.
func (c *console) look(stream io.Writer, color string) look {
	width, terminal := screen(stream)
	l := chooseLook(color, terminal, c.getenv)
	l.width = width
	return l
}

// screen reports whether w is a terminal, and how many characters a line of it holds.
func screen(w io.Writer) (width int, terminal bool) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return defaultWidth, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		width = defaultWidth
	}
	return width, true
}
