package limits_test

import (
	"fmt"

	"github.com/calrules/calrules/limits"
)

// A client checks the fields of a payload before sending it.
func Example() {
	title, status := "Größe", "canceled"
	fmt.Println(limits.LongerThan(title, 5)) // seven bytes, five characters
	if !limits.EventStatus.Has(status) {
		fmt.Printf("status %q: want %v\n", status, limits.EventStatus)
	}
	// Output:
	// false
	// status "canceled": want confirmed, tentative or cancelled
}

func ExampleConstraint_Explain() {
	sentence, suggestion := limits.EventStatus.Explain("status", "canceled", `"canceled"`)
	fmt.Println(sentence)
	fmt.Println(suggestion)
	// Output:
	// The status is "canceled"; it must be confirmed, tentative or cancelled. Did you mean cancelled?
	// cancelled
}

func ExampleIsEventID() {
	fmt.Println(limits.IsEventID("weeklysync2025"), limits.EventIDAlphabet("weeklysync2025"))
	fmt.Println(limits.IsEventID("teammeeting2025"), limits.EventIDAlphabet("teammeeting2025"))
	// Output:
	// false 0
	// true -1
}

func ExampleParseDate() {
	d, ok := limits.ParseDate("2024-02-29")
	fmt.Println(d, d.Days(), ok)
	_, ok = limits.ParseDate("2025-02-29")
	fmt.Println(ok)
	// Output:
	// {2024 2 29} 19782 true
	// false
}

func ExampleParseDateTime() {
	// A leap second in Pacific Standard Time (RFC 3339 section 5.8).
	t, ok := limits.ParseDateTime("1990-12-31T15:59:60-08:00")
	fmt.Println(t.Second, t.Offset, t.Time(), ok)
	t, ok = limits.ParseDateTime("2025-03-01T09:30:00")
	fmt.Println(t.HasOffset, ok)
	// Output:
	// 60 -28800 1991-01-01 00:00:00 +0000 UTC true
	// false true
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

func ExampleNearestZone() {
	const name = "america/new york"
	if !limits.IsZone(name) {
		near, _ := limits.NearestZone(name)
		fmt.Printf("%q is not a time zone; did you mean %q?\n", name, near)
	}
	// Output: "america/new york" is not a time zone; did you mean "America/New_York"?
}

func ExampleNearest() {
	members := []string{"start", "end", "attendees"}
	fmt.Println(limits.Nearest("atendees", members))
	fmt.Println(limits.Nearest("organisation", members))
	// Output:
	// attendees true
	//  false
}

func ExampleSameAddress() {
	fmt.Println(limits.SameAddress("jane@example.com", "jane@Example.COM"))
	fmt.Println(limits.SameAddress("jane@example.com", "Jane@example.com"))
	// Output:
	// true
	// false
}

func ExampleTable() {
	for _, l := range limits.Table() {
		if l.Name == "ReminderMinutes" {
			fmt.Println(l.Name, l.Value, l.Unit, l.AppliesTo)
		}
	}
	// Output: ReminderMinutes 0 to 40320 minutes before the start [reminders.overrides[].minutes]
}
