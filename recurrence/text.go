package recurrence

import (
	"errors"
	"strings"
)

// rruleName is the name and the colon of a line with a rule.
const rruleName = "RRULE:"

// ParseRule reads one rule, the value of an RRULE line, such as "FREQ=WEEKLY;BYDAY=MO". A name in front of it, as in
// "RRULE:FREQ=WEEKLY", is allowed. The error is as for [Parse], with offsets in the text.
func ParseRule(text string) (*Rule, error) {
	line, added := text, 0
	if len(text) < len(rruleName) || !strings.EqualFold(text[:len(rruleName)], rruleName) {
		line, added = rruleName+text, len(rruleName)
	}
	set, err := Parse([]string{line})
	if err != nil {
		return nil, moved(err, added)
	}
	return set.Rules[0], nil
}

// moved returns errors of [Parse] with their offsets reduced by the bytes added in front.
func moved(err error, added int) error {
	var errs []error
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		if e, ok := errors.AsType[*SyntaxError](err); ok && e.Offset >= 0 {
			e.Offset = max(e.Offset-added, 0)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// MarshalText returns the rule as [Rule.String] does. It implements [encoding.TextMarshaler].
func (r *Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a rule as [ParseRule] does, and leaves r unchanged if there is an error.
func (r *Rule) UnmarshalText(text []byte) error {
	read, err := ParseRule(string(text))
	switch {
	case err != nil:
		return err
	case r == nil:
		return errors.New("recurrence: the rule to read into is nil")
	}
	*r = *read
	return nil
}

// MarshalText returns the lines of the set, separated by newlines. It implements [encoding.TextMarshaler].
func (s *Set) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads lines as [Parse] does, also folded ones, and leaves s unchanged if there is an error.
func (s *Set) UnmarshalText(text []byte) error {
	var lines []string
	for _, t := range unfold(string(text)) {
		lines = append(lines, t.text)
	}
	read, err := Parse(lines)
	switch {
	case err != nil:
		return err
	case s == nil:
		return errors.New("recurrence: the set to read into is nil")
	}
	*s = *read
	return nil
}
