// Package filter provides the filters of the calrules command, which answer one request per line. Programs that distribute a
// filter over several machines run the same filters and therefore give the same answers.
package filter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/rtdbauth"
)

// expandRead is the number of bytes that Expand reads at a time, which is small because the answers are much longer than the
// requests.
const expandRead = 4 << 10

// Names lists the names of the filters, which are also the names of their commands.
var Names = []string{"check", "expand", "make", "rtdb"}

// Named returns the filter of the command with the given name, as run without flags.
func Named(name string) (stream.Filter, error) {
	switch name {
	case "check":
		return Check(event.Checker{}, Defaults{}), nil
	case "expand":
		return Expand(diag.Documents), nil
	case "make":
		return Make(diag.Documents), nil
	case "rtdb":
		return Database(diag.Documents), nil
	default:
		return stream.Filter{}, fmt.Errorf("%q is not a filter; use one of %s", name, strings.Join(Names, ", "))
	}
}

// Defaults contains the settings for lines that do not specify them. The field Answers applies to all lines.
type Defaults struct {
	Op      operation.ID // if not empty, a line may be just an event, the body of this operation
	Params  operation.Params
	Dialect diag.Dialect
	Answers Answers
}

// Answers selects the events in the output.
type Answers string

// The values of [Answers]. The zero value means Both.
const (
	Both       Answers = "both"
	OnlyEvent  Answers = "event"
	OnlyStored Answers = "stored"
	None       Answers = "none"
)

// apply removes events that are not selected from a result.
func (a Answers) apply(r *event.Result) {
	switch a {
	case OnlyEvent:
		r.Stored = nil
	case OnlyStored:
		r.Answer, r.CancelledCopy = nil, nil
	case None:
		r.Stored, r.Answer, r.CancelledCopy = nil, nil, nil
	}
}

// read reads a request from a line. If Op is set, a line is an event unless it is blank or contains a member of a request other
// than the id.
func (d *Defaults) read(line []byte, req *batch.Request) error {
	req.Dialect = d.Dialect
	if d.Op != "" && len(bytes.TrimSpace(line)) > 0 && !batch.IsRequest(line) {
		*req = batch.Request{ID: ndjson.FindID(line), Request: event.Request{Body: line, Dialect: d.Dialect}}
	} else if err := req.Read(line); err != nil {
		return err
	}
	req.Op = cmp.Or(req.Op, d.Op)
	for name, values := range d.Params {
		if _, ok := req.Params[name]; ok {
			continue
		}
		if req.Params == nil {
			req.Params = operation.Params{}
		}
		req.Params[name] = values
	}
	return nil
}

// Check returns a filter that checks requests about events with the grading and the rules of a checker.
func Check(base event.Checker, defaults Defaults) stream.Filter {
	checks := sync.Pool{New: func() any { return NewLineCheck(base, &defaults) }}
	return stream.Filter{TooLong: tooLong, Handle: func(line, dst []byte) []byte {
		c := checks.Get().(*LineCheck)
		defer checks.Put(c)
		return c.answer(line, dst)
	}}
}

// LineCheck checks one request at a time. A LineCheck is reused, because it occupies about a thousand bytes of memory.
type LineCheck struct {
	checker  event.Checker
	defaults *Defaults
	line     []byte
	req      batch.Request
}

// NewLineCheck returns a LineCheck that checks lines like the filter of [Check].
func NewLineCheck(base event.Checker, defaults *Defaults) *LineCheck {
	c := &LineCheck{checker: *Checker(base, nil), defaults: defaults}
	c.checker.ShareMemory = true
	c.checker.NewID = func() string { return hashID(c.line) }
	return c
}

// Check checks the request of a line. The result refers to the line, and is valid until the next call.
func (c *LineCheck) Check(line []byte) (event.Result, error) {
	c.line = line
	if err := c.defaults.read(line, &c.req); err != nil {
		return event.Result{}, err
	}
	return c.req.Check(&c.checker)
}

// answer appends the answer to a line.
func (c *LineCheck) answer(line, dst []byte) []byte {
	result, err := c.Check(line)
	if err != nil {
		return batch.AppendError(dst, c.req.ID, err)
	}
	c.defaults.Answers.apply(&result)
	return batch.AppendAnswer(dst, c.req.ID, result)
}

// Checker returns a copy of a checker for one request. The copy derives the ids of new events from the request's JSON text,
// and does not limit the length of the body, because the reader of the request does.
func Checker(base event.Checker, text []byte) *event.Checker {
	base.MaxBytes = math.MaxInt
	base.NewID = func() string { return hashID(text) }
	return &base
}

// Expand returns a filter that lists the instances of recurring events. The requests are in the given dialect unless they
// specify a dialect.
func Expand(dialect diag.Dialect) stream.Filter {
	return stream.Filter{TooLong: tooLong, ReadSize: expandRead, Handle: func(line, dst []byte) []byte {
		req := batch.Expansion{Dialect: dialect}
		if err := req.Read(line); err != nil {
			return batch.AppendError(dst, req.ID, err)
		}
		return batch.AppendExpanded(dst, batch.Expand(&req))
	}}
}

// Make returns a filter that applies verbs to recurring events. The requests are in the given dialect unless they specify a
// dialect.
func Make(dialect diag.Dialect) stream.Filter {
	return stream.Filter{TooLong: tooLong, ReadSize: expandRead, Handle: func(line, dst []byte) []byte {
		req := batch.Making{}
		req.Dialect = dialect
		if err := req.Read(line); err != nil {
			return batch.AppendError(dst, req.ID, err)
		}
		return batch.AppendMade(dst, &req, batch.Make(&req))
	}}
}

// Database returns a filter that determines the principals of requests to a realtime database. The requests are in the given
// dialect unless they specify a dialect. Errors do not quote a line, because it may contain a token.
func Database(dialect diag.Dialect) stream.Filter {
	return stream.Filter{TooLong: tooLong, Handle: func(line, dst []byte) []byte {
		req := rtdbline.Request{Policy: rtdbauth.Policy{Dialect: dialect}}
		if err := req.UnmarshalJSON(line); err != nil {
			return batch.AppendError(dst, req.ID, err)
		}
		return appendJSON(dst, rtdbline.Check(&req))
	}}
}

// tooLong appends the answer to a line that is too long. The given beginning of the line may contain its id.
func tooLong(head, dst []byte) []byte {
	return batch.AppendError(dst, ndjson.FindID(head), ErrTooLong(len(head)))
}

// ErrTooLong returns the error for a line that is longer than a limit in bytes.
func ErrTooLong(limit int) error {
	return fmt.Errorf("the line is longer than the limit of %d bytes", limit)
}

// appendJSON appends the JSON encoding of a value, and panics if the value has no JSON encoding.
func appendJSON(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}
