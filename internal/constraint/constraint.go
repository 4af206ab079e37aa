package constraint

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
)

// Constraint is a requirement in the documents on a single value: membership in an enumeration, a form, or a limit. The tables
// of members and query parameters refer to constraints, so each limit is written only once. Constraints are created only in
// this package and never change.
type Constraint struct {
	Name    string // the name of the variable in this package and of the row in limits.Table, such as "ReminderMinutes"
	Subject string // the kind of the constrained value
	Unit    string // the unit of the numbers, or "one of", "alphabet" or "form"

	Inferred bool // whether the limit is inferred, even if other parts of its rule are not

	want      string                                                // completes the phrase "it must be ..."; has places for names
	values    []string                                              // the values of an enumeration
	once      sync.Once                                             // sets words
	words     [2]form.Words                                         // see known
	low, high int64                                                 // the range of a number
	allows    func(s string) bool                                   // reports whether a string is allowed
	hint      func(s string) (sentence diag.Arg, suggestion string) // returns one of hints about s, and a value or ""; may be nil
	fault     func(s string) form.Fault                             // returns the fault of a malformed string; may be nil
	says      diag.Sentence                                         // the sentence about a value that is not allowed
	hints     diag.Sentences                                        // sentences that may follow or replace says
	limit     string                                                // "0 to 40320", with places for names; "" for an enumeration
	forNew    *Constraint                                           // see ForNew; nil if clients can create all values
	refused   []string                                              // set in forNew: the values that clients cannot create
}

// The kinds of constrained values.
const (
	Text  = "text"  // a string
	Int   = "int"   // an integer
	Count = "count" // the number of elements of an array
)

// all lists the constraints, except the results of ForNew.
var all []*Constraint

// Named returns the constraint with the given name, or nil. Other packages describe constraints only by their names and values.
func Named(name string) *Constraint {
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Want returns the completion of the sentence "The value must be ...", with the names of the values in the dialect.
func (c *Constraint) Want(in diag.Dialect) string {
	if c.values != nil {
		return engine.Fill(in, list(c.values, "{", "}"))
	}
	return engine.Fill(in, c.want)
}

// Has reports whether c allows the string s. Has is case-sensitive.
func (c *Constraint) Has(s string) bool {
	if c.values == nil {
		return c.allows == nil || c.allows(s)
	}
	return slices.Contains(c.values, s)
}

// HasInt reports whether c allows n as an integer or as a number of elements.
func (c *Constraint) HasInt(n int64) bool { return c.low <= n && n <= c.high }

// Values returns the values of an enumeration in the order in which the documents list them, in a slice that the caller may
// modify. For any other constraint, Values returns nil.
func (c *Constraint) Values() []string { return slices.Clone(c.values) }

// Range returns the smallest and the largest number that c allows for an integer, for the length of a string in characters, or
// for the number of elements in an array. For a missing limit, Range returns the smallest or largest int64.
func (c *Constraint) Range() (low, high int64) { return c.low, c.high }

// Bounds is like Range, but returns nil for each limit that c does not set.
func (c *Constraint) Bounds() (low, high *int64) {
	if c.low > math.MinInt64 {
		low = new(c.low)
	}
	if c.high < math.MaxInt64 {
		high = new(c.high)
	}
	return low, high
}

// String describes the values that c allows, for a message: "confirmed, tentative or cancelled".
func (c *Constraint) String() string {
	if c.values != nil {
		return list(c.values, "", "")
	}
	return engine.Fill(diag.Documents, c.limit)
}

// MarshalText implements [encoding.TextMarshaler] by returning the result of [Constraint.String].
func (c *Constraint) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ForNew returns the constraint for reports about a new event. The result is c, or a constraint whose sentences offer
// only those values of c that a client can create.
func (c *Constraint) ForNew() *Constraint { return cmp.Or(c.forNew, c) }

// creating sets the values that a client can create, and returns c.
func (c *Constraint) creating(values ...string) *Constraint {
	c.forNew = enum(c.Name, values...)
	c.forNew.refused = slices.DeleteFunc(c.Values(), c.forNew.Has)
	c.hints = diag.Sentences{{Key: "refused", Text: "That is the name of {refused} in the dialect {other}."}}
	c.forNew.hints = c.hints
	return c
}

// The units of constraints on strings.
const (
	characters = "characters"
	oneOf      = "one of"
	alphabet   = "alphabet"
	aForm      = "form"
)

// newConstraint returns a constraint. The limit can contain placeholders for names that differ between dialects.
func newConstraint(name, subject, limit, unit string) *Constraint {
	c := &Constraint{Name: name, Subject: subject, Unit: unit, limit: limit, want: limit, low: math.MinInt64, high: math.MaxInt64}
	all = append(all, c)
	return c
}

// enum returns a constraint that allows only the given values.
func enum(name string, values ...string) *Constraint {
	c := newConstraint(name, Text, "", oneOf)
	c.values = values
	c.says = diag.Sentence{Key: "one-of", Text: "{The member} is {value}; it must be {limit}."}
	return c
}

// known returns the names of the values of an enumeration in a dialect.
func (c *Constraint) known(in diag.Dialect) *form.Words {
	c.once.Do(func() {
		for in := range c.words {
			for _, value := range c.values {
				c.words[in].List = append(c.words[in].List, diag.Dialect(in).Name(value))
			}
		}
	})
	if in == diag.Google {
		return &c.words[in]
	}
	return &c.words[diag.Documents]
}

// list returns a list of the values, each between two marks: "{confirmed}, {tentative} or {cancelled}".
func list(values []string, before, after string) string {
	last := before + values[len(values)-1] + after
	if len(values) == 1 {
		return last
	}
	return before + strings.Join(values[:len(values)-1], after+", "+before) + after + " or " + last
}

// ofForm returns a constraint on the form of a string. The example is shown in messages.
func ofForm(name, limit, example string, is func(string) bool) *Constraint {
	c := newConstraint(name, Text, limit, aForm)
	if example != "" {
		c.want += ", such as " + example
	}
	c.allows = is
	c.says = diag.Sentence{Key: "form", Text: "{The member} is {value}; it must be " + c.want + "."}
	return c
}

// explaining adds the function that finds the fault in a string and the sentences about the faults, and returns c.
func (c *Constraint) explaining(fault func(string) form.Fault, faults ...diag.Sentences) *Constraint {
	noText := diag.Sentence{Key: "no-text", Text: "{The member} is empty; it must be " + c.want + "."}
	c.fault, c.hints = fault, slices.Concat(diag.Sentences{noText, blankAround}, slices.Concat(faults...), diag.Sentences{send})
	return c
}

// atMostLong returns a constraint on the maximum number of characters.
func atMostLong(name string, most int) *Constraint {
	c := newConstraint(name, Text, strconv.Itoa(most), characters)
	c.want = "at most " + c.limit + " characters long"
	c.low, c.high = 0, int64(most)
	c.allows = func(s string) bool { return !form.LongerThan(s, most) }
	c.says = diag.Sentence{Key: tooLong, Text: "{The member} has {n|character|characters}, but at most {limit} are allowed. Shorten the value."}
	return c
}

// between returns a constraint on the range of an integer.
func between(name string, low, high int64, unit string) *Constraint {
	c := newConstraint(name, Int, strconv.FormatInt(low, 10)+" to "+strconv.FormatInt(high, 10), unit)
	c.want = "from " + c.limit
	c.low, c.high = low, high
	c.says = diag.Sentence{Key: "range", Text: "{The member} is {value}; it must be from {low} to {high}."}
	return c
}

// atLeast returns a constraint on the minimum of an integer.
func atLeast(name string, low int64, unit string) *Constraint {
	c := newConstraint(name, Int, strconv.FormatInt(low, 10)+" or more", unit)
	c.low = low
	c.says = diag.Sentence{Key: "too-small", Text: "{The member} is {value}; it must be {low} or more."}
	return c
}

const tooLong = "too-long"

// atMost returns a constraint on the maximum of an integer.
func atMost(name string, high int64, unit string) *Constraint {
	c := newConstraint(name, Int, "at most "+strconv.FormatInt(high, 10), unit)
	c.high = high
	c.says = diag.Sentence{Key: "too-great", Text: "{The member} is {value}; it must be at most {high}."}
	return c
}

// inferred marks c as a constraint that the documents do not state, and returns c.
func inferred(c *Constraint) *Constraint {
	c.Inferred = true
	return c
}

// atMostMany returns a constraint on the maximum number of elements in an array.
func atMostMany(name string, most int, unit string) *Constraint {
	c := newConstraint(name, Count, strconv.Itoa(most), unit)
	c.want = "at most " + c.limit + " " + unit
	c.low, c.high = 0, int64(most)
	c.says = diag.Sentence{Key: "too-many", Text: "There are {value} {member}, but at most {limit} are allowed. Remove {rest}."}
	return c
}
