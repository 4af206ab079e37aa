package filter_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/stream"
)

// gauge counts the bytes that are in memory now, and their maximum.
type gauge struct{ now, most atomic.Int64 }

func (g *gauge) add(n int) {
	now := g.now.Add(int64(n))
	for most := g.most.Load(); now > most && !g.most.CompareAndSwap(most, now); most = g.most.Load() {
	}
}

// metered passes on lines and answers, and counts those that are in memory: a line from when it is read until it is
// answered, an answer from when it is made until it is written.
type metered struct {
	lines, answers gauge
	longest        atomic.Int64 // answer
	in             io.Reader
}

func (m *metered) Read(dst []byte) (int, error) {
	n, err := m.in.Read(dst)
	m.lines.add(n)
	return n, err
}

func (m *metered) Write(answers []byte) (int, error) {
	runtime.Gosched()
	m.answers.add(-len(answers))
	return len(answers), nil
}

// handler delays the answer to the first line until the other workers have made many.
func (m *metered) handler(answer func(line, dst []byte) []byte, enough int64) func(line, dst []byte) []byte {
	return func(line, dst []byte) []byte {
		for strings.HasPrefix(string(line), `{"id":0,`) && m.answers.most.Load() < enough {
			runtime.Gosched()
		}
		before := len(dst)
		dst = answer(line, dst)
		made := len(dst) - before + len("\n")
		m.answers.add(made)
		m.lines.add(-len(line) - len("\n"))
		for longest := m.longest.Load(); int64(made) > longest && !m.longest.CompareAndSwap(longest, int64(made)); longest = m.longest.Load() {
		}
		return dst
	}
}

// However many workers there are, and however slow the consumer is, a filter keeps no more in memory than package
// stream promises, for long requests and for requests with long answers.
func TestMemory(t *testing.T) {
	const (
		workers = 16
		lines   = 60
		ahead   = 1 << 20
		part    = 256 << 10
		long    = 50_000
	)
	for name, test := range map[string]struct {
		filter stream.Filter
		line   string // after its id
	}{
		"check": {
			filter.Check(event.Checker{}, filter.Defaults{}),
			`"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"x":"` + strings.Repeat("x", long) + `"}}`,
		},
		"expand": {
			filter.Expand(diag.Documents),
			`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY"],"limit":500}`,
		},
		"rtdb": {
			filter.Database(diag.Documents),
			`"method":"GET","url":"/a.json","known":{},"headers":[` + strings.Repeat(`["Authorization","Bearer x"],`, 300) + `["Accept","*/*"]]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var in strings.Builder
			for i := range lines {
				fmt.Fprintf(&in, `{"id":%d,%s`+"\n", i, test.line)
			}
			longestLine := int64(in.Len()/lines + 3)
			m := &metered{in: strings.NewReader(in.String())}
			f := test.filter
			f.Workers, f.MaxAhead, f.MaxLine = workers, ahead, int(longestLine)
			f.Handle = m.handler(f.Handle, min(ahead, lines*int64(len(f.Handle([]byte(`{"id":1,`+test.line), nil))))/4)
			if err := f.Run(t.Context(), m, m); err != nil {
				t.Fatal(err)
			}
			if most := ahead + longestLine + 2*64<<10; m.lines.most.Load() > most {
				t.Errorf("%d bytes of lines were in memory, want at most %d", m.lines.most.Load(), most)
			}
			if most := ahead + (workers+2)*(part+m.longest.Load()); m.answers.most.Load() > most {
				t.Errorf("%d bytes of answers were in memory, want at most %d", m.answers.most.Load(), most)
			}
			if m.lines.now.Load() != 0 || m.answers.now.Load() != 0 {
				t.Errorf("%d bytes of lines and %d of answers remain", m.lines.now.Load(), m.answers.now.Load())
			}
			t.Logf("at most %d bytes of lines, %d of answers; the longest answer has %d bytes", m.lines.most.Load(), m.answers.most.Load(), m.longest.Load())
		})
	}
}
