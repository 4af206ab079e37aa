package limits_test

import (
	"fmt"
	"strings"

	"github.com/calrules/calrules/limits"
)

// A form shows what it accepts before anything is sent.
func ExampleTable() {
	for _, l := range limits.Table() {
		if strings.HasPrefix(l.Name, "Reminder") {
			fmt.Println(l.Name, "=", l.Value, l.Unit)
			if l.Max != nil {
				fmt.Println("  at most", *l.Max)
			}
		}
	}
	// Output:
	// ReminderOverrides = 5 reminders
	//   at most 5
	// ReminderMethod = email or popup one of
	// ReminderMinutes = 0 to 40320 minutes before the start
	//   at most 40320
}

func ExampleIsEventID() {
	fmt.Println(limits.IsEventID("weeklysync2025")) // w and y are not letters of base32hex
	fmt.Println(limits.IsEventID("teammeeting2025"))
	// Output:
	// false
	// true
}

func ExampleIsAddrSpec() {
	for _, s := range []string{"jane@example.com", "Jane <jane@example.com>", `"jane doe"@example.com`} {
		fmt.Println(limits.IsAddrSpec(s), s)
	}
	// Output:
	// true jane@example.com
	// false Jane <jane@example.com>
	// true "jane doe"@example.com
}

func ExampleIsHTTPURL() {
	for _, s := range []string{"HTTPS://example.com/a", "http://", "https:example.com", "https://example.com/a b"} {
		fmt.Println(limits.IsHTTPURL(s), s)
	}
	// Output:
	// true HTTPS://example.com/a
	// false http://
	// false https:example.com
	// false https://example.com/a b
}

func ExampleIsZone() {
	fmt.Println(limits.IsZone("America/New_York"))
	fmt.Println(limits.IsZone("america/new york"))
	// Output:
	// true
	// false
}

func ExampleSameAddress() {
	fmt.Println(limits.SameAddress("jane@example.com", "jane@Example.COM"))
	fmt.Println(limits.SameAddress("jane@example.com", "Jane@example.com"))
	// Output:
	// true
	// false
}
