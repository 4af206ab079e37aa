package constraint

import (
	"cmp"
	"math"
	"slices"
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

	limit, want string                                                // "{low} to {high}", and the completion of "it must be ..."
	values      []string                                              // the values of an enumeration
	once        sync.Once                                             // sets words
	words       *[2]form.Words                                        // see known
	low, high   int64                                                 // the range of a number
	allows      func(s string) bool                                   // reports whether a string is allowed; may be nil
	hint        func(s string) (sentence diag.Arg, suggestion string) // returns one of the hints about s, and a value or ""; may be nil
	fault       func(s string) form.Fault                             // returns the fault of a malformed string; may be nil
	says        diag.Sentences                                        // the sentence about a value that is not allowed, and hints
	faults      []diag.Sentences                                      // the sentences about faults
	forNew      *Constraint                                           // see ForNew; nil if clients can create all values
	all         []string                                              // set in forNew: also the values that clients cannot create
}

// The kinds of constrained values.
const (
	Text  = "text"  // a string
	Int   = "int"   // an integer
	Count = "count" // the number of elements of an array
)

// Named returns the constraint with the given name, or nil. Other packages describe constraints only by their names and values.
func Named(name string) *Constraint {
	for _, c := range []*Constraint{
		Kind, EventIDCharacters, EventIDLength, EventStatus, RecurrenceLine, Transparency, Visibility, ICalSequence, PropertyKey,
		PropertyValue, GadgetSize, GadgetDisplay, Attachments, Timestamp, EventType, NewEventType, FullDate, EventDateTime,
		IANAZone, AddrSpec, ResponseStatus, AdditionalGuests, AsyncOperation, EntryPointsWithSolution, EntryPointsOfType,
		CreateRequestStatus, ConferenceType, DeprecatedConferenceType, NewConferenceType, MeetingCode, ConferenceNotes,
		EntryPointType, HTTPURL, HTTPScheme, TelScheme, SIPScheme, EntryPointURI, EntryPointLabel, EntryPointCode,
		ReminderOverrides, ReminderMethod, ReminderMinutes, AutoDeclineMode, ChatStatus, BirthdayType, BirthdayTypeWithContact,
		NewBirthdayType, ContactName, WorkingLocationType, FeatureVersion, MaxAttendees, SendUpdates, ACLRole, ACLScopeType,
		NotificationMethod, NotificationType, CalendarLabels, CalendarLabelName, ChannelType, ChannelIDLength,
		ChannelIDCharacters, ChannelToken, ChannelAddress, FreebusyTime, CalendarExpansion, GroupExpansion, URI,
	} {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// key returns the key of the sentence about a value that is not allowed.
func (c *Constraint) key() string {
	if len(c.says) == 0 {
		return "" // the zero value
	}
	return c.says[0].Key
}

// Want returns the completion of the sentence "The value must be ...", with the names of the values in the dialect.
func (c *Constraint) Want(in diag.Dialect) string {
	if c.values != nil {
		return engine.Fill(in, list(c.values, "{", "}"))
	}
	return c.fill(in, c.want)
}

// fill replaces the placeholders in text with the numbers of c, and with names in the dialect.
func (c *Constraint) fill(in diag.Dialect, text string) string {
	return engine.Fill(in, text, diag.Number("low", c.low), diag.Number("high", c.high))
}

// Has reports whether c allows the string s. Has is case-sensitive.
func (c *Constraint) Has(s string) bool {
	switch {
	case c.values != nil:
		return slices.Contains(c.values, s)
	case c.Unit == characters:
		return form.LongerThan(s, int(c.low)-1) && !form.LongerThan(s, int(c.high))
	default:
		return c.allows == nil || c.allows(s)
	}
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
	return c.fill(diag.Documents, c.limit)
}

// MarshalText implements [encoding.TextMarshaler] by returning the result of [Constraint.String].
func (c *Constraint) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ForNew returns the constraint for reports about a new event. The result is c, or a constraint whose sentences offer
// only those values of c that a client can create.
func (c *Constraint) ForNew() *Constraint { return cmp.Or(c.forNew, c) }

// The units of constraints on strings.
const (
	characters = "characters"
	oneOf      = "one of"
	alphabet   = "alphabet"
	aForm      = "form"
)

// The sentences about values that are not in an enumeration, too long, or outside a range.
var (
	notOneOf     = diag.Sentence{Key: "one-of", Text: "{The member} is {value}; it must be {limit}."}
	saysOneOf    = diag.Sentences{notOneOf}
	saysOneOfNew = diag.Sentences{notOneOf, {Key: "refused", Text: "That is the name of {refused} in the dialect {other}."}}
	saysTooLong  = diag.Sentences{{Key: tooLong, Text: "{The member} has {n|character|characters}, but at most {limit} are allowed. Shorten the value."}}
	saysRange    = diag.Sentences{{Key: "range", Text: "{The member} is {value}; it must be from {low} to {high}."}}
	saysTooSmall = diag.Sentences{{Key: "too-small", Text: "{The member} is {value}; it must be {low} or more."}}
	saysTooGreat = diag.Sentences{{Key: "too-great", Text: "{The member} is {value}; it must be at most {high}."}}
	saysTooMany  = diag.Sentences{{Key: "too-many", Text: "There are {value} {member}, but at most {limit} are allowed. Remove {rest}."}}
)

const tooLong = "too-long"

// Each of the following functions is a single expression, so the compiler makes data of its results, and a program that starts
// computes nothing for them.

// enum returns a constraint that allows only the given values.
func enum(name string, values ...string) *Constraint {
	return &Constraint{Name: name, Subject: Text, Unit: oneOf, values: values, low: math.MinInt64, high: math.MaxInt64, says: saysOneOf}
}

// enumForNew returns a constraint that allows only the given values. Clients can create only some of them.
func enumForNew(name string, created []string, values ...string) *Constraint {
	return &Constraint{
		Name: name, Subject: Text, Unit: oneOf, values: values, low: math.MinInt64, high: math.MaxInt64, says: saysOneOfNew,
		forNew: &Constraint{Name: name, Subject: Text, Unit: oneOf, values: created, all: values, low: math.MinInt64, high: math.MaxInt64, says: saysOneOfNew},
	}
}

// known returns the names of the values of an enumeration in a dialect.
func (c *Constraint) known(in diag.Dialect) *form.Words {
	c.once.Do(func() {
		c.words = new([2]form.Words)
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

// ofForm returns a constraint on the form of a string. The limit can contain placeholders for names that differ between
// dialects. In messages, more follows the limit.
func ofForm(name, limit, more string, is func(string) bool) *Constraint {
	return &Constraint{
		Name: name, Subject: Text, Unit: aForm, limit: limit, want: limit + more, low: math.MinInt64, high: math.MaxInt64, allows: is,
		says: diag.Sentences{{Key: "form", Text: "{The member} is {value}; it must be " + limit + more + "."}},
	}
}

// explained is like ofForm, but adds an example for messages, the function that finds the fault in a string, and the sentences
// about the faults.
func explained(name, limit, example string, is func(string) bool, fault func(string) form.Fault, faults ...diag.Sentences) *Constraint {
	return &Constraint{
		Name: name, Subject: Text, Unit: aForm, limit: limit, want: limit + ", such as " + example, low: math.MinInt64, high: math.MaxInt64, allows: is,
		says: diag.Sentences{
			{Key: "form", Text: "{The member} is {value}; it must be " + limit + ", such as " + example + "."},
			{Key: "no-text", Text: "{The member} is empty; it must be " + limit + ", such as " + example + "."},
			blankAround,
		},
		fault: fault, faults: faults,
	}
}

// atMostLong returns a constraint on the maximum number of characters.
func atMostLong(name string, most int64) *Constraint {
	return &Constraint{Name: name, Subject: Text, Unit: characters, limit: "{high}", want: "at most {high} characters long", high: most, says: saysTooLong}
}

// between returns a constraint on the range of an integer.
func between(name string, low, high int64, unit string) *Constraint {
	return &Constraint{Name: name, Subject: Int, Unit: unit, limit: "{low} to {high}", want: "from {low} to {high}", low: low, high: high, says: saysRange}
}

// atLeast returns a constraint on the minimum of an integer.
func atLeast(name string, low int64, unit string) *Constraint {
	return &Constraint{Name: name, Subject: Int, Unit: unit, limit: "{low} or more", want: "{low} or more", low: low, high: math.MaxInt64, says: saysTooSmall}
}

// atMost returns a constraint on the maximum of an integer.
func atMost(name string, high int64, unit string) *Constraint {
	return &Constraint{Name: name, Subject: Int, Unit: unit, limit: "at most {high}", want: "at most {high}", low: math.MinInt64, high: high, says: saysTooGreat}
}

// atMostMany returns a constraint on the maximum number of elements in an array.
func atMostMany(name string, most int64, unit string) *Constraint {
	return &Constraint{Name: name, Subject: Count, Unit: unit, limit: "{high}", want: "at most {high} " + unit, high: most, says: saysTooMany}
}
