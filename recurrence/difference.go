package recurrence

import (
	"fmt"
	"slices"
	"strings"
)

// Difference describes in one English sentence how the set differs from another set with the same start. Difference
// describes each set and, if both end, states the number of additional or missing instances: "Every 2 weeks on Tuesday
// at 09:00 America/New_York, 5 times, instead of every Tuesday at 09:00 America/New_York, 8 times; 3 fewer." If the two sets
// have the same instances according to [Set.Equal], the result is empty. Difference returns the same errors as [Set.Equal].
func (s *Set) Difference(other *Set, start Start) (string, error) {
	equal, _, err := s.Equal(other, start)
	if err != nil || equal {
		return "", err
	}
	is, was := strings.TrimSuffix(s.Explain(start), "."), strings.TrimSuffix(other.Explain(start), ".")
	text := is + " instead of " + strings.ToLower(was[:1]) + was[1:]
	if strings.Contains(is, ",") {
		text = is + ", instead of " + strings.ToLower(was[:1]) + was[1:]
	}
	n, endsA, err := s.counted(start)
	if err != nil {
		return "", err
	}
	m, endsB, err := other.counted(start)
	switch {
	case err != nil:
		return "", err
	case !endsA || !endsB:
		return text + ".", nil
	case n > m:
		return fmt.Sprintf("%s; %d more.", text, n-m), nil
	case n < m:
		return fmt.Sprintf("%s; %d fewer.", text, m-n), nil
	default:
		return text + "; as many.", nil
	}
}

// counted returns the number of instances in the set, and reports whether the set ends after at most [mostCompared] of them.
func (s *Set) counted(start Start) (n int, ends bool, err error) {
	series, err := s.Compile(start)
	if err != nil {
		return 0, false, err
	}
	if !series.finite {
		return 0, false, nil
	}
	n, more, err := series.Count(mostCompared)
	return n, !more, err
}

// hasCount reports whether a rule of the set has COUNT.
func (s *Set) hasCount() bool {
	return slices.ContainsFunc(s.Rules, func(r *Rule) bool { return r.Count > 0 })
}
