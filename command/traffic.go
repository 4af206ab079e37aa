package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/traffic"
)

// failures contains the values of --fail-on: reject, for findings of that kind, and the verdicts.
var failures = []string{string(diag.Reject), string(between.RefusedThere), string(between.AcceptedThere), string(between.AnsweredOtherwise)}

// trafficFlags are the flags of the commands that print exchanges with the service.
type trafficFlags struct {
	values bool
	failOn []string
}

func (f *trafficFlags) add(command *cobra.Command) {
	set := command.Flags()
	set.BoolVar(&f.values, "values", false, "show the paths of requests and the values of bodies: they may be addresses")
	set.StringSliceVar(&f.failOn, "fail-on", failures[:1], "cause of the exit status 1: "+strings.Join(failures, ", "))
	complete(command, "fail-on", cobra.FixedCompletions(failures, cobra.ShellCompDirectiveNoFileComp))
}

// validate returns an error if --fail-on contains an unknown name.
func (f *trafficFlags) validate() error {
	for _, name := range f.failOn {
		if !slices.Contains(failures, name) {
			return fmt.Errorf("--fail-on is %q; it must be %s", name, oneOf(failures))
		}
	}
	return nil
}

// fails reports whether the totals include any kind or verdict named by --fail-on.
func (f *trafficFlags) fails(t *traffic.Totals) bool {
	return slices.ContainsFunc(f.failOn, func(name string) bool {
		return t.Verdicts[between.Verdict(name)] > 0 || name == string(diag.Reject) && t.Findings[diag.Reject] > 0
	})
}

// totalsJSON is the last element or line of JSON output, which contains the totals.
type totalsJSON struct {
	Totals *traffic.Totals `json:"totals"`
}

// writeTotalled writes a list as JSON. Unless quiet is set, the totals are the last element or line.
func writeTotalled[T any](out io.Writer, f *format, list []T, t *traffic.Totals, quiet bool) {
	all := make([]any, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	if !quiet {
		all = append(all, totalsJSON{t})
	}
	writeList(f, out, all)
}

// subjectsOf returns the subjects of an exchange: the exchange itself and, if it is a batch, each of its parts. All findings
// get the same place in the file.
func subjectsOf(file, about string, x *traffic.Exchange, start, end place) []subject {
	s := subject{file: file, name: file + ": " + about, about: about}
	add := func(in string, findings []traffic.Finding) {
		for _, f := range findings {
			s.findings = append(s.findings, located{rule: f.Of, id: f.Rule, kind: f.Kind, path: f.Path, message: in + f.Message, start: start, end: end})
		}
	}
	add("", x.Findings)
	add("answer: ", x.Answer)
	if x.Unchecked != "" {
		s.findings = append(s.findings, located{id: "not-checked", kind: diag.Unspecified, message: string(x.Unchecked), start: start, end: end})
	}
	if x.Verdict == between.RefusedThere {
		s.findings = append(s.findings, located{id: string(x.Verdict), kind: diag.Ignore, message: x.RefusedThere(), start: start, end: end})
	}
	all := []subject{s}
	for i := range x.Parts {
		all = append(all, subjectsOf(file, x.PartOf(about, i), &x.Parts[i], start, end)...)
	}
	return all
}

// trafficRow describes similar exchanges or findings. A trafficRow contains no values and can be included in a bug report.
type trafficRow struct {
	Verdict between.Verdict `json:"verdict"`
	Request string          `json:"request"`         // the method and the template of the operation
	Reason  string          `json:"reason,omitzero"` // the reason of a refusal, if it is in a table
	About   string          `json:"about,omitzero"`  // "request" or "answer", for a finding
	Kind    diag.Kind       `json:"kind,omitzero"`
	Rule    string          `json:"rule,omitzero"`
	Member  diag.Pointer    `json:"member,omitzero"` // each index is replaced by *
}

// trafficStatistics maps each row to its count.
type trafficStatistics map[trafficRow]int

// trafficStatistic is a row with its count.
type trafficStatistic struct {
	Count int `json:"count"`
	trafficRow
}

// count counts the findings about an exchange or, if there are no findings, the exchange itself.
func (s trafficStatistics) count(x *traffic.Exchange) {
	x.Each(func(x *traffic.Exchange) {
		row := trafficRow{Verdict: cmp.Or(x.Verdict, traffic.NotCompared), Request: x.Request()}
		if x.Refusal != nil {
			row.Reason = x.Refusal.Reason
		}
		if len(x.Findings)+len(x.Answer) == 0 {
			s[row]++
		}
		s.findings(row, "request", x.Findings)
		s.findings(row, "answer", x.Answer)
	})
}

func (s trafficStatistics) findings(row trafficRow, about string, findings []traffic.Finding) {
	for _, f := range findings {
		row.About, row.Kind, row.Rule, row.Member = about, f.Kind, f.Rule, traffic.Member(f.Path)
		s[row]++
	}
}

// list returns the rows, most frequent first.
func (s trafficStatistics) list() (list []trafficStatistic) {
	for row, n := range s {
		list = append(list, trafficStatistic{n, row})
	}
	slices.SortFunc(list, func(a, b trafficStatistic) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(fmt.Sprint(a.trafficRow), fmt.Sprint(b.trafficRow)))
	})
	return list
}

// write writes the rows and, unless quiet is set, the totals.
func (s trafficStatistics) write(out io.Writer, f *format, t *traffic.Totals, quiet bool) {
	list := s.list()
	if f.value != formatText {
		writeTotalled(out, f, list, t, quiet)
		return
	}
	rows := [][]string{{"COUNT", "VERDICT", "REQUEST", "ABOUT", "KIND", "RULE OR REASON", "MEMBER"}}
	for _, one := range list {
		rows = append(rows, []string{
			fmt.Sprint(one.Count), string(one.Verdict), one.Request, one.About, string(one.Kind), cmp.Or(one.Rule, one.Reason), string(one.Member),
		})
	}
	if len(list) > 0 {
		writeTable(out, rows)
	}
	if !quiet {
		fmt.Fprintln(out, t)
	}
}
