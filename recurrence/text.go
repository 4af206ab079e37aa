package recurrence

import (
	"errors"
	"strings"
)

// rruleName is the prefix of a line with a rule.
const rruleName = "RRULE:"

// ParseRule parses one rule, the value of an RRULE line, such as "FREQ=WEEKLY;BYDAY=MO". The prefix RRULE:, as in
// "RRULE:FREQ=WEEKLY", is allowed. ParseRule returns the same errors as [Parse], with offsets from the start of text.
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

// moved returns an error from [Parse] with the offsets reduced by the number of bytes added to the front of the line.
func moved(err error, added int) error {
	var errs []error
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		if e, ok := errors.AsType[*SyntaxError](err); ok {
			e.Offset = max(e.Offset-added, min(e.Offset, 0))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// MarshalText implements [encoding.TextMarshaler]. MarshalText returns the result of [Rule.String].
func (r *Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses a rule as [ParseRule] does. If there is an error, r is unchanged.
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

// MarshalText implements [encoding.TextMarshaler]. MarshalText returns the lines of the set, separated by newlines.
func (s *Set) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses lines as [Parse] does, but also accepts folded lines. If there is an error, s is unchanged.
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
