package recurrence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// This file contains the English phrases that [Set.Explain] uses for lists, ordinals, times and dates. The phrases are
// meant for the middle of a sentence, and have no leading or trailing space.

// enumerate joins the elements of a list with commas, and the last two elements with a conjunction.
func enumerate(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// runs returns the words for the numbers in a list, sorted by [inReadingOrder]. A run of three or more consecutive
// positive numbers becomes a range such as "1 to 3".
func runs(list []int, word func(int) string) []string {
	list = inReadingOrder(list)
	var words []string
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[i] >= 0 && list[j] == list[j-1]+1 {
			j++
		}
		if j-i < 3 {
			words = append(words, word(list[i]))
			i++
			continue
		}
		words = append(words, word(list[i])+" to "+word(list[j-1]))
		i = j
	}
	return words
}

// inReadingOrder returns the positive numbers, which count from the start, followed by the negative numbers, which count
// from the end, each in order of absolute value.
func inReadingOrder(list []int) []int {
	place := func(n int) int {
		if n < 0 {
			return 1000 - n
		}
		return n
	}
	list = slices.SortedFunc(slices.Values(list), func(a, b int) int { return place(a) - place(b) })
	return slices.Compact(list)
}

// named returns a noun followed by a list of numbers: "minute 5", "minutes 0, 15 and 30 to 40".
func named(noun string, list []int) string {
	if len(list) == 1 {
		return noun + " " + strconv.Itoa(list[0])
	}
	return noun + "s " + enumerate(runs(list, strconv.Itoa), "and")
}

var ordinalWords = [...]string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// ordinal returns words such as "first", "11th", "last" and "second to last".
func ordinal(n int) string {
	switch {
	case n == -1:
		return "last"
	case isNegative(n):
		return ordinal(-n) + " to last"
	case n < len(ordinalWords):
		return ordinalWords[n]
	}
	return numeral(n)
}

// numeral returns numerals such as "1st", "22nd" and "13th".
func numeral(n int) string {
	suffix := "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = [...]string{"st", "nd", "rd"}[n%10-1]
	}
	return strconv.Itoa(n) + suffix
}

// theOrdinal returns the result of [ordinal] preceded by "the".
func theOrdinal(n int) string { return "the " + ordinal(n) }

// monthDayWord returns "the 13th", or "the last day" if the number counts from the end.
func monthDayWord(n int) string {
	if isNegative(n) {
		return yearDayWord(n) + " day"
	}
	return yearDayWord(n)
}

// yearDayWord returns a phrase such as "the 100th" or "the last", to be followed by a unit.
func yearDayWord(n int) string {
	if isNegative(n) {
		return theOrdinal(n)
	}
	return "the " + numeral(n)
}

// Sets of weekdays, in which bit 0 is Sunday.
const (
	workdays = 0x3e // Monday to Friday
	everyDay = 0x7f
)

// weekdayWords returns the names of the weekdays in a set, or the name of the set itself if it has one.
func weekdayWords(set uint8, ending string) (names []string) {
	switch set {
	case workdays:
		return []string{"weekday" + ending}
	case everyDay:
		return []string{"day" + ending}
	}
	for i := range 7 {
		if day := (i + 1) % 7; set>>day&1 != 0 {
			names = append(names, time.Weekday(day).String()+ending)
		}
	}
	return names
}

// timeWords returns a time such as "09:00", or "09:00:30" if the seconds are not zero.
func timeWords(clock int64) string {
	_, second := civil.Split(clock)
	if second%60 == 0 {
		return fmt.Sprintf("%02d:%02d", second/3600, second/60%60)
	}
	return fmt.Sprintf("%02d:%02d:%02d", second/3600, second/60%60, second%60)
}

// dateWords returns a date such as "31 March 2026".
func dateWords(clock int64) string {
	day, _ := civil.Split(clock)
	y, m, d := civil.DateOf(day)
	return fmt.Sprintf("%d %s %d", d, time.Month(m), y)
}
