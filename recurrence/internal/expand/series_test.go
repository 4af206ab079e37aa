package expand

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// first returns the first n instances of a series.
func first(s *Series, n int) (list []int64) {
	it := s.Iterate(Earliest, Latest, s.NewBudget())
	for range n {
		if unix, ok := it.Next(); ok {
			list = append(list, unix)
		}
	}
	return list
}

// TestLeapSecond checks that second 60 means second 59, from a start at another second.
func TestLeapSecond(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	got := first(seriesOf(start, Rule{Freq: Daily, BySecond: []int{30, 60}}), 3)
	want := []int64{start.Unix(), start.Unix() + 30, start.Unix() + 59}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWith checks that a series makes new plans for options that change their meaning, and for no others.
func TestWith(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	s := seriesOf(start, Rule{Freq: Yearly, ByMonthDay: []int{10}})
	all := s.With(Options{Steps: DefaultSteps, AllMonths: true})
	if diff := cmp.Diff([]int64{start.Unix(), start.AddDate(0, 1, 0).Unix()}, first(all, 2)); diff != "" {
		t.Errorf("every month (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{start.Unix(), start.AddDate(1, 0, 0).Unix()}, first(s, 2)); diff != "" {
		t.Errorf("the month of the start (-want +got):\n%s", diff)
	}
	if shifted := s.With(Options{Shift: true}); !slices.Equal(s.rules, shifted.rules) {
		t.Error("other plans for instances in gaps")
	}
	places := seriesOf(start, Rule{Freq: Daily, ByHour: []int{1, 2}, BySetPos: []int{1}})
	if shifted := places.With(Options{Shift: true}); slices.Equal(places.rules, shifted.rules) {
		t.Error("the same plans for places among clocks in gaps")
	}
	set := s.set
	set.ExRules = places.set.Rules
	excluding := New(set, Options{Steps: DefaultSteps})
	if shifted := excluding.With(Options{Shift: true}); slices.Equal(excluding.exRules, shifted.exRules) {
		t.Error("the same plans for places of what is excluded")
	}
	set.Rules, set.ExRules = nil, nil
	if alone := New(set, Options{Steps: DefaultSteps, OnlyMatches: true}); !alone.IncludesStart() {
		t.Error("without rules, the start is no instance if only matches are")
	}
	if matches := s.With(Options{Steps: DefaultSteps, OnlyMatches: true}); matches.IncludesStart() {
		t.Error("the start is an instance beside the matches of a rule")
	}
}
