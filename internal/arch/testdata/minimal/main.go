// Minimal is the smallest program that checks an event.
package main

import (
	"fmt"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func main() {
	result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte("{}")})
	fmt.Println(result.Accepted, err)
}
