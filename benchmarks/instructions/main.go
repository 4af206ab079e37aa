// Instructions uses valgrind's callgrind to count the instructions that calrules and other libraries execute, on one processor
// and without garbage collection. The counts hardly depend on the machine or its load.
//
//	go run ./instructions          prints the table of docs/performance.md
//	go run ./instructions -check   compares the counts for calrules with counts.txt
//	go run ./instructions -update  writes counts.txt
//
// With -check, the command fails if a row takes over 3% more instructions than recorded. The command succeeds without counting
// if valgrind is not installed, or if the counts were recorded with another Go release or on another platform.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
)

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare the counts of calrules with those on record")
	write := flag.Bool("update", false, "write the counts of calrules")
	only := flag.String("only", "", "count the rows alone whose names contain the text")
	work := flag.String("work", "", "do the work with this name, for callgrind")
	times := flag.Int("times", 1, "how many times to do it")
	flag.Parse()
	if *work != "" {
		do(*work, *times)
		return
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		log.Print("instructions: valgrind is not installed, so nothing is counted")
		return
	}
	var err error
	switch {
	case *check:
		err = compare(*only)
	case *write:
		err = update()
	default:
		err = writeTable(os.Stdout, *only)
	}
	if err != nil {
		log.Fatal("instructions: ", err)
	}
}

// do performs the work for one side of a row. The argument consists of the row name, " by ", and the side name.
func do(work string, times int) {
	makeTable()
	name, side, _ := strings.Cut(work, by)
	for _, r := range rows() {
		if r.name != name {
			continue
		}
		for _, s := range r.sides {
			if s.name != side {
				continue
			}
			f := s.prepare()
			for range times {
				f()
			}
			return
		}
	}
	fmt.Fprintf(os.Stderr, "there is no work %q\n", work)
	os.Exit(1)
}
