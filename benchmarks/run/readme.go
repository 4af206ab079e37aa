package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
)

const (
	readme     = "../README.md"
	speedBegin = "<!-- speed -->\n"
	speedEnd   = "<!-- end speed -->\n"
)

// measured is a comparison with its result.
type measured struct {
	pair
	ratios
}

// speed returns the sentences with three of the figures for the README.
func speed(all []measured) string {
	value, text, series := row(all, "check a value", "typical", "validator (single values)"),
		row(all, "decode and find", "typical", "encoding/json (decodes)"),
		row(all, "expand 250 instances", "FREQ=WEEKLY;BYDAY=MO,WE,FR in America/New_York", "rrule-go")
	return fmt.Sprintf("- A check of an event with five guests takes %.1f µs, %s the time of go-playground/validator with the same rules as tags.\n"+
		"- Decoding its JSON and reporting every problem takes %s the time that encoding/json takes to decode it.\n"+
		"- Listing 250 instances of a weekly series in New York takes %.1f µs, %s the time of rrule-go.\n",
		micros(value), share(value.median), share(text.median), micros(series), share(series.median))
}

// row returns the comparison with the given name, which must exist.
func row(all []measured, work, payload, peer string) measured {
	for _, m := range all {
		if m.work == work && m.payload == payload && m.peer == peer {
			return m
		}
	}
	panic("there is no row " + work + ", " + payload + ", " + peer)
}

func micros(m measured) float64 { return float64(m.cpu.Nanoseconds()) / 1000 }

// share formats a small ratio as a fraction, and any other ratio as a percentage.
func share(ratio float64) string {
	if ratio <= 0.2 {
		return fmt.Sprintf("1/%.0f of", math.Round(1/ratio))
	}
	return fmt.Sprintf("%.0f%% of", 100*ratio)
}

// writeReadme replaces the sentences with figures in the README.
func writeReadme(sentences string) {
	text, err := os.ReadFile(readme)
	must(err)
	text, err = withSpeed(text, sentences)
	must(err)
	must(os.WriteFile(readme, text, 0o644))
}

// withSpeed replaces the part of the README between the comments speedBegin and speedEnd.
func withSpeed(text []byte, sentences string) ([]byte, error) {
	before, rest, found := bytes.Cut(text, []byte(speedBegin))
	_, after, ends := bytes.Cut(rest, []byte(speedEnd))
	if !found || !ends {
		return nil, fmt.Errorf("%s does not contain %q and %q", readme, speedBegin, speedEnd)
	}
	return fmt.Appendf(nil, "%s%s%s%s%s", before, speedBegin, sentences, speedEnd, after), nil
}
