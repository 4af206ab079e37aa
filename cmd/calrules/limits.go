package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/limits"
)

var limitList = list[limits.Limit]{
	thing:  "limit",
	all:    limits.Table,
	id:     func(l limits.Limit) (string, string) { return l.Name, l.Value },
	header: []string{"NAME", "APPLIES TO", "VALUE", "UNIT", "BASIS", "SOURCE"},
	row: func(l limits.Limit) []string {
		return []string{l.Name, strings.Join(l.AppliesTo, ", "), l.Value, l.Unit, l.Basis, l.Source}
	},
	data: func(l limits.Limit) any { return l },
}

func newLimits(c *console) *cobra.Command {
	return limitList.command(&cobra.Command{
		Use:   "limits [flags] [NAME]",
		Short: "List the limits and enumerations",
		Long: `List every number, alphabet, enumeration and format that the rules use, or the
one called NAME, with its unit and its source.`,
	}, c.out)
}
