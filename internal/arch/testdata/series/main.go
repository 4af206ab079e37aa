// Series is a small program that reads and expands a recurrence, and checks no event. .ci/weight builds it.
package main

import (
	"fmt"
	"log"

	"github.com/calrules/calrules/recurrence"
)

func main() {
	r, err := recurrence.Read("DTSTART;TZID=Europe/Berlin:20260310T090000\nRRULE:FREQ=WEEKLY;COUNT=3")
	if err != nil {
		log.Fatal(err)
	}
	series, err := r.Set.Compile(r.Start)
	if err != nil {
		log.Fatal(err)
	}
	for at := range series.All() {
		fmt.Println(at)
	}
}
