package constraint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
)

// Constraint is a requirement of the documents on a single value: it is in an enumeration, has a form, or keeps within
// a limit. The tables of members and of query parameters refer to constraints, so each limit is written once. Only this
// package makes constraints, and they do not change.
type Constraint struct {
	Name    string // the identifier of the variable in this package and the name of the row in limits.Table, such as "ReminderMinutes"
	Subject string // the kind of value that is constrained
	Value   string // the limit: "0 to 40320", "email or popup"
	Unit    string // what the numbers count, or "one of", "alphabet" or "form"

	Inferred bool // whether the limit is inferred, even if its rule states something else, such as the type of the value

	want      string                                                // completes "it must be ..."; has places for names
	values    []string                                              // of an enumeration
	words     [2]form.Words                                         // the values in the dialects, by the dialect
	low, high int64                                                 // of a number
	allows    func(s string) bool                                   // of a text
	hint      func(s string) (sentence diag.Arg, suggestion string) // one of hints, about s, and a value or "", if values is nil; may be nil
	fault     func(s string) form.Fault                             // of a string that does not have the form; may be nil
	says      diag.Sentence                                         // about a value that is not allowed
	hints     diag.Sentences                                        // that may follow it, or take its place
	limit     string                                                // Value with places for names
	forNew    *Constraint                                           // see ForNew; nil if clients can create all values
	refused   []string                                              // of forNew, the values that clients cannot create
}

// The kinds of values that constraints constrain.
const (
	Text  = "text"  // a string
	Int   = "int"   // an integer
	Count = "count" // the number of elements of an array
)

// byName holds the constraints of the variables of this package.
var byName = map[string]*Constraint{}

// Named returns the constraint of the given name, or nil. Other packages describe constraints by plain values; their
// names lead to the functions here.
func Named(name string) *Constraint { return byName[name] }

// Want completes the sentence "The value must be ...", with the dialect's names of the values.
func (c *Constraint) Want(in diag.Dialect) string { return engine.Fill(in, c.want) }

// Has reports whether c allows the string s. Case matters.
func (c *Constraint) Has(s string) bool {
	if c.values == nil {
		return c.allows == nil || c.allows(s)
	}
	return slices.Contains(c.values, s)
}

// HasInt reports whether c allows the integer, or the number of elements, n.
func (c *Constraint) HasInt(n int64) bool { return c.low <= n && n <= c.high }

// Values returns the values of an enumeration in the order of the documents, in a slice that
// the caller may modify. It is nil for other constraints.
func (c *Constraint) Values() []string { return slices.Clone(c.values) }

// Range returns the least and the greatest number that c allows, of the characters of a string, of the elements of an
// array, or of the integer itself. If c sets no limit it returns the least or greatest int64.
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
func (c *Constraint) String() string { return c.Value }

// MarshalText returns the same text as [Constraint.String].
func (c *Constraint) MarshalText() ([]byte, error) { return []byte(c.Value), nil }

// ForNew returns the constraint that reports the values of a new event: c, or a constraint whose sentences offer only
// the values of c that a client can create.
func (c *Constraint) ForNew() *Constraint { return cmp.Or(c.forNew, c) }

// creating sets the values that a client can create.
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

// newConstraint makes a constraint. The limit has places for names that differ by dialect.
func newConstraint(name, subject, limit, unit string) *Constraint {
	c := &Constraint{Name: name, Subject: subject, Value: engine.Fill(diag.Documents, limit), Unit: unit, limit: limit, want: limit, low: math.MinInt64, high: math.MaxInt64}
	if byName[name] == nil { // not that of ForNew
		byName[name] = c
	}
	return c
}

// enum makes a constraint to one of the values.
func enum(name string, values ...string) *Constraint {
	c := newConstraint(name, Text, list(values), oneOf)
	c.values = values
	for in := range c.words {
		for _, value := range values {
			c.words[in].List = append(c.words[in].List, diag.Dialect(in).Name(value))
		}
	}
	c.says = diag.Sentence{Key: "one-of", Text: "{The member} is {value}; it must be {limit}."}
	return c
}

// list writes values as places: "{confirmed}, {tentative} or {cancelled}".
func list(values []string) string {
	last := "{" + values[len(values)-1] + "}"
	if len(values) == 1 {
		return last
	}
	return "{" + strings.Join(values[:len(values)-1], "}, {") + "} or " + last
}

// ofForm makes a constraint to a form. The example completes the messages.
func ofForm(name, limit, example string, is func(string) bool) *Constraint {
	c := newConstraint(name, Text, limit, aForm)
	if example != "" {
		c.want += ", such as " + example
	}
	c.allows = is
	c.says = diag.Sentence{Key: "form", Text: "{The member} is {value}; it must be " + c.want + "."}
	return c
}

// explaining adds the function that finds the fault of a string, and the sentences about the faults.
func (c *Constraint) explaining(fault func(string) form.Fault, faults ...diag.Sentence) *Constraint {
	noText := diag.Sentence{Key: "no-text", Text: "{The member} is empty; it must be " + c.want + "."}
	c.fault, c.hints = fault, append(append(diag.Sentences{noText, blankAround}, faults...), send)
	return c
}

// atMostLong makes a constraint to a maximum number of characters.
func atMostLong(name string, most int) *Constraint {
	c := newConstraint(name, Text, strconv.Itoa(most), characters)
	c.want = fmt.Sprintf("at most %d characters long", most)
	c.low, c.high = 0, int64(most)
	c.allows = func(s string) bool { return !form.LongerThan(s, most) }
	c.says = diag.Sentence{Key: tooLong, Text: "{The member} has {n|character|characters}; at most {limit} are allowed. Shorten it."}
	return c
}

// between makes a constraint of an integer to a range.
func between(name string, low, high int64, unit string) *Constraint {
	c := newConstraint(name, Int, fmt.Sprintf("%d to %d", low, high), unit)
	c.low, c.high = low, high
	c.says = diag.Sentence{Key: "range", Text: "{The member} is {value}; it must be {low} to {high}."}
	return c
}

// atLeast makes a constraint of an integer to a minimum.
func atLeast(name string, low int64, unit string) *Constraint {
	c := newConstraint(name, Int, strconv.FormatInt(low, 10)+" or more", unit)
	c.low = low
	c.says = diag.Sentence{Key: "too-small", Text: "{The member} is {value}; it must be {low} or more."}
	return c
}

const tooLong = "too-long"

// atMost makes a constraint of an integer to a maximum.
func atMost(name string, high int64, unit string) *Constraint {
	c := newConstraint(name, Int, "at most "+strconv.FormatInt(high, 10), unit)
	c.high = high
	c.says = diag.Sentence{Key: "too-great", Text: "{The member} is {value}; it must be at most {high}."}
	return c
}

// inferred marks a constraint that the documents do not state.
func inferred(c *Constraint) *Constraint {
	c.Inferred = true
	return c
}

// atMostMany makes a constraint of an array to a maximum number of elements.
func atMostMany(name string, most int, unit string) *Constraint {
	c := newConstraint(name, Count, strconv.Itoa(most), unit)
	c.want = fmt.Sprintf("at most %d %s", most, unit)
	c.low, c.high = 0, int64(most)
	c.says = diag.Sentence{Key: "too-many", Text: "There are {value} {member}; at most {limit} are allowed. Remove {rest}."}
	return c
}
