package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/operation"
)

var operations = list[*operation.Operation]{
	thing:  "operation",
	all:    func() []*operation.Operation { return slices.Collect(operation.All()) },
	id:     func(op *operation.Operation) (string, string) { return string(op.ID), op.Summary },
	header: []string{"ID", "METHOD", "PATH", "REQUIRED", "QUOTA", "SCOPES"},
	row:    operationRow,
	data:   func(op *operation.Operation) any { return op },
}

func newOperations(c *console) *cobra.Command {
	return operations.command(&cobra.Command{
		Use:   "operations [flags] [ID]",
		Short: "List the operations of the service",
		Long: `List all operations, or the operation ID: its id, method, path, required
parameters, cost in quota units, and scopes. A caller needs one of the scopes.
A dash means that the documents do not say. With --json, also all parameters.`,
		Example: `  calrules operations events.insert
  calrules operations --json | jq -r '.[] | select(.quotaUnits) | .id'`,
	}, c.out)
}

func operationRow(op *operation.Operation) []string {
	quota := "-"
	if op.QuotaUnits > 0 {
		quota = strconv.Itoa(op.QuotaUnits)
	}
	required, scopes := requiredParams(op), strings.Join(op.Scopes, " ")
	return []string{string(op.ID), op.Method, op.Path, cmp.Or(required, "-"), quota, cmp.Or(scopes, "-")}
}

// requiredParams returns the names of the required parameters, with the value if only one is
// possible.
func requiredParams(op *operation.Operation) string {
	var names []string
	for _, p := range op.Params {
		switch {
		case !p.Required:
		case p.Only != "":
			names = append(names, p.Name+"="+p.Only)
		default:
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}
