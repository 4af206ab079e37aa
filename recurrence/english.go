package recurrence

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file makes the words of [Explain]: lists, ordinals, times and dates. They stand in the
// middle of a sentence; none begins or ends with a blank.

// enumerate joins the members of a list with commas, and the last two with a conjunction.
func enumerate(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// runs gives the words for numbers in the order of [inReadingOrder]. Three or more positive
// ones in a row become "1 to 3".
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

// inReadingOrder sorts what is counted from the start in front of what is counted from the
// end, and either beginning with the nearest to where it is counted from.
func inReadingOrder(list []int) []int {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(side(a), side(b)), cmp.Compare(max(a, -a), max(b, -b)))
	})
	return slices.Compact(list)
}

// side is 1 for a number that is counted from the end.
func side(n int) int {
	if n < 0 {
		return 1
	}
	return 0
}

// named is a list of numbers behind a noun: "minute 5", "the minutes 0, 15 and 30 to 40".
func named(noun string, list []int) string {
	if len(list) == 1 {
		return noun + " " + strconv.Itoa(list[0])
	}
	return "the " + noun + "s " + enumerate(runs(list, strconv.Itoa), "and")
}

var ordinalWords = [...]string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// ordinal is "first", "11th", "last", "second to last".
func ordinal(n int) string {
	switch {
	case n == -1:
		return "last"
	case n < 0:
		return ordinal(-n) + " to last"
	case n < len(ordinalWords):
		return ordinalWords[n]
	}
	return numeral(n)
}

// numeral is "1st", "22nd", "13th".
func numeral(n int) string {
	suffix := "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = [...]string{"st", "nd", "rd"}[n%10-1]
	}
	return strconv.Itoa(n) + suffix
}

// theOrdinal is [ordinal] with its article.
func theOrdinal(n int) string { return "the " + ordinal(n) }

// monthDayWord is "the 13th", or "the last day" for what is counted from the end.
func monthDayWord(n int) string {
	if n > 0 {
		return "the " + numeral(n)
	}
	return theOrdinal(n) + " day"
}

// yearDayWord is "the 100th" or "the last"; what it counts follows.
func yearDayWord(n int) string {
	if n > 0 {
		return "the " + numeral(n)
	}
	return theOrdinal(n)
}

// monthNames gives months in words.
func monthNames(list []int) []string {
	return runs(list, func(m int) string { return time.Month(m).String() })
}

// workdays are Monday to Friday as a set of bits.
const workdays = 0x3e

// everyDay are all days of the week.
const everyDay = 0x7f

// weekdayNamesOf names the weekdays of a set from Monday on, each with the ending given.
func weekdayNamesOf(set uint8, ending string) []string {
	var names []string
	for i := range 7 {
		if day := (i + 1) % 7; set>>day&1 != 0 {
			names = append(names, time.Weekday(day).String()+ending)
		}
	}
	return names
}

// timeWords is "09:00", with seconds only where there are any.
func timeWords(second int64) string {
	if second%60 == 0 {
		return fmt.Sprintf("%02d:%02d", second/3600, second/60%60)
	}
	return fmt.Sprintf("%02d:%02d:%02d", second/3600, second/60%60, second%60)
}

// dateWords is "31 March 2026".
func dateWords(day int64) string {
	y, m, d := dateOf(day)
	return fmt.Sprintf("%d %s %d", d, time.Month(m), y)
}

// capitalized makes the first letter a capital one.
func capitalized(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
