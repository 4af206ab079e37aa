package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// by separates a row name from a side name.
const by = " by "

// counts contains the number of instructions for each side in a row.
type counts struct {
	row
	of map[string]float64 // by side
}

// ratio returns our count divided by the count of the given side, or 0 if the side has no count.
func (c counts) ratio(side string) float64 {
	if c.of[side] == 0 {
		return 0
	}
	return c.of[ours] / c.of[side]
}

// decodes reports whether the row is a comparison with decoders.
func (c counts) decodes() bool {
	return slices.ContainsFunc(c.sides, func(s side) bool { return s.name == v1 })
}

// rival returns the side to which the goal refers, or "" if the goal is a number of instructions.
func (c counts) rival() string {
	if len(c.sides) == 1 {
		return ""
	}
	return c.sides[1].name
}

// measure counts the instructions for the rows whose names contain the given substring.
func measure(only string, all bool) (measured []counts, err error) {
	c, err := newCounter(all)
	if err != nil {
		return nil, err
	}
	defer c.close()
	for _, r := range rows() {
		if strings.Contains(r.name, only) {
			measured = append(measured, counts{r, map[string]float64{}})
		}
	}
	type answer struct {
		n   float64
		err error
	}
	var answers [][]answer // by row and side
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for _, m := range measured {
		of := make([]answer, len(m.sides))
		answers = append(answers, of)
		for i, s := range m.sides {
			if all || s.name == ours {
				wait.Go(func() {
					slots <- struct{}{}
					of[i].n, of[i].err = c.count(m.row, s.name)
					<-slots
				})
			}
		}
	}
	wait.Wait()
	for i, m := range measured {
		for k, s := range m.sides {
			a := answers[i][k]
			if a.err != nil {
				return nil, a.err
			}
			if all || s.name == ours {
				m.of[s.name] = a.n
			}
		}
	}
	return measured, nil
}

// writeTable writes the tables of instructions in docs/performance.md: the rows with a goal. If a substring is given,
// writeTable also writes the other rows whose names contain the substring.
func writeTable(w io.Writer, only string) error {
	all, err := measure(only, true)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(c counts) bool { return only == "" && c.goal == 0 })
	decoding := slices.DeleteFunc(slices.Clone(all), func(c counts) bool { return !c.decodes() })
	others := slices.DeleteFunc(slices.Clone(all), counts.decodes)
	fmt.Fprintf(w, "| work | payload | instructions | %s | %s | goal | met |\n| --- | --- | --- | --- |%s --- | --- |\n",
		v1, strings.Join(peers, " | "), strings.Repeat(" --- |", len(peers)))
	for _, c := range decoding {
		fmt.Fprintf(w, "| %s | %s | %s |", c.parts(), number(c.of[ours]), decimal(c.ratio(v1)))
		for _, peer := range peers {
			fmt.Fprintf(w, " %s |", decimal(c.ratio(peer)))
		}
		fmt.Fprintf(w, " %s |\n", c.verdict())
	}
	fmt.Fprint(w, "\n| work | payload | instructions | compared with | which | ratio | goal | met |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range others {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", c.parts(), number(c.of[ours]), c.rival(), c.less(), decimal(c.ratio(c.rival())), c.verdict())
	}
	if err := writeStarts(w); err != nil {
		return err
	}
	if only == "" {
		return os.WriteFile("../docs/instructions.svg", picture(decoding), 0o644)
	}
	return nil
}

// parts returns the work and the payload of the row, for two columns.
func (c counts) parts() string { return strings.Replace(c.name, ": ", " | ", 1) }

// less returns a description of the work that the rival leaves out.
func (c counts) less() string {
	switch {
	case c.rival() == "":
		return ""
	case decoders[c.rival()] != nil || slices.Contains(peers, c.rival()):
		return "only decodes"
	default:
		return c.sides[1].less
	}
}

// number formats a count, with one decimal place for a small count.
func number(n float64) string {
	if n < 100 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// decimal formats a ratio, or returns "" for 0.
func decimal(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return strconv.FormatFloat(ratio, 'f', 3, 64)
}

// verdict formats the goal of a row and states whether the goal is met.
func (c counts) verdict() string {
	value, goal := c.of[ours], fmt.Sprintf("at most %g", c.goal)
	switch rival := c.rival(); {
	case rival == v1 || rival != "" && !c.decodes():
		value, goal = c.ratio(rival), fmt.Sprintf("at most %.3g", c.goal)
	case rival != "":
		value, goal = c.ratio(rival), fmt.Sprintf("%.2f of %s, at most %.3g", c.ratio(rival), rival, c.goal)
	}
	switch {
	case c.goal == 0:
		return " | "
	case value <= c.goal:
		return goal + " | yes"
	default:
		return goal + " | **no**"
	}
}

// record is the file with the recorded counts for calrules. The first line describes the machine.
const record = "instructions/counts.txt"

func machine() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// update counts all rows and writes the record.
func update() error {
	all, err := measure("", false)
	if err != nil {
		return err
	}
	text := machine() + "\n"
	for _, c := range all {
		text += fmt.Sprintf("%s\t%s\n", number(c.of[ours]), c.name)
	}
	programs, err := countStarts()
	if err != nil {
		return err
	}
	for _, s := range starts {
		text += fmt.Sprintf("%s\t%s\n", number(programs[s.name]), s.name)
	}
	return os.WriteFile(record, []byte(text), 0o644)
}

// tolerance is the maximum ratio of a count to the recorded count.
const tolerance = 1.03

// compare counts the instructions for rows, and returns an error if a count exceeds the recorded count.
func compare(only string) error {
	known, on, err := readRecord(record)
	if err != nil {
		return err
	}
	if on != machine() {
		fmt.Printf("The counts on record are of %s; this is %s, so nothing is compared.\n", on, machine())
		return nil
	}
	all, err := measure(only, false)
	if err != nil {
		return err
	}
	counted, err := countStarts()
	if err != nil {
		return err
	}
	delete(counted, helloWorld)
	for _, c := range all {
		counted[c.name] = c.of[ours]
	}
	worse := 0
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		n, was := counted[name], known[name]
		switch {
		case was == 0:
			return fmt.Errorf("%s has no count on record; run with -update", name)
		case n > was*tolerance:
			worse++
			fmt.Printf("%s: %s instructions, %s on record: %.1f %% more\n", name, number(n), number(was), 100*(n/was-1))
		}
	}
	if worse > 0 {
		return fmt.Errorf("%d of %d rows take more instructions than on record; make them faster, or run with -update and say why", worse, len(counted))
	}
	fmt.Printf("%d rows take no more instructions than on record.\n", len(counted))
	return nil
}

// readRecord returns the recorded counts by row name, and the machine on which they were recorded.
func readRecord(name string) (known map[string]float64, on string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	known = map[string]float64{}
	lines := bufio.NewScanner(file)
	lines.Scan()
	on = lines.Text()
	for lines.Scan() {
		number, name, _ := strings.Cut(lines.Text(), "\t")
		n, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		known[name] = n
	}
	return known, on, lines.Err()
}
