package constraint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
)

// Constraint is what the documents require of a single value: to be one of an enumeration, to
// have a form, or to keep within a limit. The tables of members and of query parameters refer
// to constraints, so each limit is written once. Only this package makes constraints, and they
// do not change.
type Constraint struct {
	Name    string  // the identifier of the variable in this package and the name of the row in limits.Table, such as "ReminderMinutes"
	Subject Subject // the kind of value that is constrained
	Value   string  // the limit: "0 to 40320", "email or popup"
	Unit    string  // what the numbers count, or "one of", "alphabet" or "form"

	Inferred bool // whether the limit is inferred, even if its rule states something else, such as the type of the value

	want      string                              // completes "it must be ..."
	values    []string                            // of an enumeration
	low, high int64                               // of a number
	allows    func(s string) bool                 // of a text
	explain   func(name, s, quoted string) string // the sentence about a text that is not allowed; nil for the usual one
	seen      string                              // what follows the text in the usual sentence, in place of "; it must be ..."; may be empty
	nearest   func(s string) (string, bool)       // the value that s is most likely a misspelling of, if values is nil; may be nil
	advice    string                              // the sentence that follows if there is no such value; may be empty
	dialect   diag.Dialect                        // of the names of the values
	forNew    *Constraint                         // see ForNew; nil if clients can create all values
	refused   []string                            // of forNew, the values that clients cannot create
}

// Subject is the kind of value that a [Constraint] constrains.
type Subject string

// The subjects of constraints.
const (
	Text  Subject = "text"  // a string
	Int   Subject = "int"   // an integer
	Count Subject = "count" // the number of elements of an array
)

// Want completes the sentence "The value must be ...".
func (c *Constraint) Want() string { return c.want }

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

// Range returns the least and the greatest number that c allows: the number of characters of a
// text, the integer itself, or the number of elements. If c sets no limit it returns the least
// or greatest int64.
func (c *Constraint) Range() (low, high int64) { return c.low, c.high }

// Bounds returns the numbers that Range does, but nil for each limit that c does not set.
func (c *Constraint) Bounds() (low, high *int64) {
	if c.low > math.MinInt64 {
		low = new(c.low)
	}
	if c.high < math.MaxInt64 {
		high = new(c.high)
	}
	return low, high
}

// String returns what c allows, for a message: "confirmed, tentative or cancelled".
func (c *Constraint) String() string { return c.Value }

// MarshalText returns what [Constraint.String] does.
func (c *Constraint) MarshalText() ([]byte, error) { return []byte(c.Value), nil }

// ForNew returns the constraint that explains what is wrong with a value of a new event: c, or a constraint
// whose sentences offer only the values of c that a client can create.
func (c *Constraint) ForNew() *Constraint { return cmp.Or(c.forNew, c) }

// creating sets the values that a client can create.
func (c *Constraint) creating(values ...string) *Constraint {
	c.forNew = enum(c.Name, values...)
	c.forNew.refused = slices.DeleteFunc(c.Values(), c.forNew.Has)
	return c
}

// In returns c with the dialect's names of its values.
func (c *Constraint) In(d diag.Dialect) *Constraint {
	if d == c.dialect {
		return c
	}
	in := *c
	in.dialect, in.Value, in.want, in.values, in.refused = d, d.Text(c.Value), d.Text(c.want), namesIn(d, c.values), namesIn(d, c.refused)
	in.allows = func(s string) bool { return c.Has(d.Name(s)) }
	return &in
}

// Explain says what is wrong with a string that c does not allow, as a sentence about the member
// or parameter name: `The status is "busy"; it must be confirmed, tentative or cancelled.` The sentence
// has quoted in place of s. The suggestion is the value that s is most likely a misspelling of, as
// [form.Nearest] finds it, or empty. The sentence names it too.
func (c *Constraint) Explain(name, s, quoted string) (sentence, suggestion string) {
	hint, suggestion := c.suggest(s)
	if c.explain != nil {
		return c.explain(name, s, quoted) + hint.before + hint.word + hint.after, suggestion
	}
	seen, want := "; it must be ", c.want
	if c.seen != "" {
		seen, want = c.seen, ""
	}
	return join(article(name), name, " is ", quoted, seen, want, ".", hint.before, hint.word, hint.after), suggestion
}

// join returns the parts as one text. It is faster than adding many texts up.
func join(parts ...string) string {
	var usual [256]byte
	text := usual[:0]
	for _, part := range parts {
		text = append(text, part...)
	}
	return string(text)
}

// suggest returns the value that s is most likely a misspelling of, and a sentence that suggests it.
func (c *Constraint) suggest(s string) (h hint, suggestion string) {
	if c.values != nil {
		other, _ := foreign(c.dialect, s, c.refused)
		h, suggestion = suggest(c.dialect, s, c.values)
		h.before = other + h.before
		return h, suggestion
	}
	if c.nearest != nil {
		if near, ok := c.nearest(s); ok {
			return didYouMean(near), near
		}
	}
	return hint{before: c.advice}, ""
}

// ExplainInt is like [Constraint.Explain] for an integer or a number of elements. It also returns n in decimal.
func (c *Constraint) ExplainInt(name string, n int64) (sentence, number string) {
	number = strconv.FormatInt(n, 10)
	if c.Subject == Count {
		return "There are " + number + " " + name + "; there may be at most " + c.Value + ". Leave " + strconv.FormatInt(n-c.high, 10) + " out.", number
	}
	return article(name) + name + " is " + number + "; it must be " + c.want + ".", number
}

// The returns the subject of a sentence about the value of a member: "The status". A name that reads as a plural
// or as a participle needs a noun: "The value of minutes".
func The(name string) string { return article(name) + name }

func article(name string) string {
	switch name {
	case "additionalGuests", "created", "minutes", "notes", "updated":
		return "The value of "
	}
	return "The "
}

// characters counts the characters of s for a message.
func characters(s string) string {
	if n := utf8.RuneCountInString(s); n != 1 {
		return strconv.Itoa(n) + " characters"
	}
	return "1 character"
}

// The units of constraints that are not numbers.
const (
	oneOf    = "one of"
	alphabet = "alphabet"
	aForm    = "form"
)

func newConstraint(name string, subject Subject, value, unit string) *Constraint {
	return &Constraint{Name: name, Subject: subject, Value: value, Unit: unit, want: value, low: math.MinInt64, high: math.MaxInt64}
}

// enum makes a constraint to one of the values.
func enum(name string, values ...string) *Constraint {
	c := newConstraint(name, Text, list(values), oneOf)
	c.values = values
	return c
}

// list writes values for a message: "confirmed, tentative or cancelled".
func list(values []string) string {
	last := len(values) - 1
	if last < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// ofForm makes a constraint to a form. The example completes the messages.
func ofForm(name, value, example string, is func(string) bool) *Constraint {
	c := newConstraint(name, Text, value, aForm)
	if example != "" {
		c.want += ", such as " + example
	}
	c.allows = is
	return c
}

// atMostLong makes a constraint to a maximum number of characters.
func atMostLong(name string, most int) *Constraint {
	c := newConstraint(name, Text, strconv.Itoa(most), "characters")
	c.want = fmt.Sprintf("at most %d characters long", most)
	c.low, c.high = 0, int64(most)
	c.allows = func(s string) bool { return !form.LongerThan(s, most) }
	c.explain = func(name, s, _ string) string {
		return The(name) + " has " + characters(s) + "; at most " + c.Value + " are allowed. Shorten it."
	}
	return c
}

// between makes a constraint of an integer to a range.
func between(name string, low, high int64, unit string) *Constraint {
	c := newConstraint(name, Int, fmt.Sprintf("%d to %d", low, high), unit)
	c.low, c.high = low, high
	return c
}

// atLeast makes a constraint of an integer to a minimum.
func atLeast(name string, low int64, unit string) *Constraint {
	c := newConstraint(name, Int, strconv.FormatInt(low, 10)+" or more", unit)
	c.low = low
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
	return c
}
