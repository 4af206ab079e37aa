package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/limits"
)

func newLimits(c *console) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "limits [flags]",
		Short: "List every number, alphabet and enumeration",
		Long: `List every number, alphabet, enumeration and form that the rules go by, with its unit and
its source.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			table := limits.Table()
			if asJSON {
				return writeJSON(c.out, table)
			}
			rows := [][]string{{"NAME", "APPLIES TO", "VALUE", "UNIT", "BASIS", "SOURCE"}}
			for _, l := range table {
				rows = append(rows, []string{l.Name, strings.Join(l.AppliesTo, ", "), l.Value, l.Unit, l.Basis, l.Source})
			}
			return writeTable(c.out, rows)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	return command
}
