package filter

import (
	"encoding/json"
	"sync"

	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/stream"
)

// Counts contains the numbers of lines, rejected lines, and findings by rule.
type Counts struct {
	Lines    int            `json:"lines"`
	Rejected int            `json:"rejected"`
	Rules    map[string]int `json:"rules"`
}

// Add adds the counts of other to c.
func (c *Counts) Add(other Counts) {
	c.Lines += other.Lines
	c.Rejected += other.Rejected
	if c.Rules == nil {
		c.Rules = map[string]int{}
	}
	for rule, n := range other.Rules {
		c.Rules[rule] += n
	}
}

// Counted returns a filter that behaves like f, and the counts of its answers.
func Counted(f stream.Filter) (stream.Filter, *Counts) {
	c := &counter{}
	f.Handle, f.TooLong = c.count(f.Handle), c.count(f.TooLong)
	return f, &c.Counts
}

// counter counts the answers from several goroutines.
type counter struct {
	mu sync.Mutex
	Counts
}

func (c *counter) count(handle func(line, dst []byte) []byte) func(line, dst []byte) []byte {
	return func(line, dst []byte) []byte {
		before := len(dst)
		dst = handle(line, dst)
		counts := countsOf(dst[before:])
		c.mu.Lock()
		defer c.mu.Unlock()
		c.Add(counts)
		return dst
	}
}

func countsOf(answer []byte) Counts {
	counts := Counts{Lines: 1}
	for name, value := range jsonscan.Of(answer).Members() {
		switch name.String() {
		case "accepted":
			if string(value.Text) == "false" {
				counts.Rejected = 1
			}
		case "findings":
			counts.Rules = rulesOf(value.Text)
		}
	}
	return counts
}

func rulesOf(findings []byte) map[string]int {
	if string(findings) == "[]" {
		return nil
	}
	var list []struct{ Rule string }
	if err := json.Unmarshal(findings, &list); err != nil {
		panic(err) // impossible: the filter wrote valid JSON
	}
	rules := map[string]int{}
	for _, f := range list {
		rules[f.Rule]++
	}
	return rules
}
