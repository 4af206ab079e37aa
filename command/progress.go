package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/internal/visible"
)

// progress shows the progress of a long run on a terminal. A nil progress shows nothing.
type progress struct {
	screen       io.Writer
	now          func() time.Time
	thing        string // the singular noun for the counted items
	share        share
	done         int
	began, shown time.Time
	width        int // the width of the line on the screen
}

// share returns the share of the work that is complete after done items, from 0 to 1, or 0 if the share is unknown.
type share func(done int) float64

// shareOf returns a share function for the given total.
func shareOf(all int) share { return func(done int) float64 { return float64(done) / float64(all) } }

const (
	quietTime = time.Second            // shorter runs show nothing
	showEvery = 200 * time.Millisecond // how often the numbers change
)

// newProgress returns a progress for a run, or nil if standard error is not a terminal or standard output is also a terminal.
func (c *console) newProgress(thing string, share share) *progress {
	_, shown := screen(c.err)
	if _, mixed := screen(c.streams.out); !shown || mixed || c.quiet {
		return nil
	}
	return startProgress(c.err, time.Now, thing, share)
}

func startProgress(screen io.Writer, now func() time.Time, thing string, share share) *progress {
	return &progress{screen: screen, now: now, thing: thing, share: share, began: now(), shown: now()}
}

// add counts n more items.
func (p *progress) add(n int) {
	if p == nil {
		return
	}
	p.done += n
	now := p.now()
	if now.Sub(p.began) < quietTime || now.Sub(p.shown) < showEvery {
		return
	}
	p.shown = now
	p.show(p.String())
}

// show replaces the line on the screen.
func (p *progress) show(text string) {
	fmt.Fprintf(p.screen, "\r%s%s", text, strings.Repeat(" ", max(0, p.width-len(text))))
	p.width = len(text)
}

// String returns the progress so far, such as "12000 requests, 4000/s, 10%, 27s left".
func (p *progress) String() string {
	elapsed := p.now().Sub(p.began)
	text := fmt.Sprintf("%s, %.0f/s", visible.Count(p.done, p.thing), float64(p.done)/elapsed.Seconds())
	if share := p.share(p.done); share > 0 {
		left := time.Duration(float64(elapsed) * (1 - share) / share)
		text += fmt.Sprintf(", %.0f%%, %v left", 100*share, left.Round(time.Second))
	}
	return text
}

// clear clears the line on the screen.
func (p *progress) clear() {
	if p != nil && p.width > 0 {
		p.show("")
		fmt.Fprint(p.screen, "\r")
	}
}

// counting returns a writer that counts the lines written to out.
func (p *progress) counting(out io.Writer) io.Writer {
	if p == nil {
		return out
	}
	return &lineCounter{out, p}
}

type lineCounter struct {
	out io.Writer
	*progress
}

func (l *lineCounter) Write(text []byte) (int, error) {
	n, err := l.out.Write(text)
	l.add(bytes.Count(text[:n], []byte("\n")))
	return n, err
}

// measured is a reader that knows the share of its input that has been read.
type measured struct {
	io.Reader
	read  atomic.Int64
	total int64 // 0 if unknown
}

// measure returns a measured reader of in. The total is known if in is a regular file.
func measure(in io.Reader) *measured {
	m := &measured{Reader: in}
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			m.total = info.Size()
		}
	}
	return m
}

func (m *measured) Read(text []byte) (int, error) {
	n, err := m.Reader.Read(text)
	m.read.Add(int64(n))
	return n, err
}

func (m *measured) share(int) float64 {
	if m.total == 0 {
		return 0
	}
	return min(1, float64(m.read.Load())/float64(m.total))
}
