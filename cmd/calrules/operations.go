package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/operation"
)

func newOperations(c *console) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "operations [flags] [ID]",
		Short: "List the operations of the service",
		Long: `List all operations, or one: id, method, path, required parameters, what a request costs
in quota units, and the scopes of which a caller needs one. A dash stands where the documents
show nothing. With --json each is an object with all of its parameters beside these.`,
		Example: `  calrules operations events.insert
  calrules operations --json | jq -r '.[] | select(.quotaUnits) | .id'`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeOperation,
		RunE: func(_ *cobra.Command, args []string) error {
			ops := slices.Collect(operation.All())
			if len(args) == 1 {
				op, err := findOperation(args[0])
				if err != nil {
					return err
				}
				ops = []*operation.Operation{op}
			}
			if asJSON {
				return writeJSON(c.out, ops)
			}
			return writeTable(c.out, operationRows(ops))
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	return command
}

// findOperation returns the operation with the id given, or an error that names the nearest
// one.
func findOperation(id string) (*operation.Operation, error) {
	if op, ok := operation.Lookup(operation.ID(id)); ok {
		return op, nil
	}
	return nil, fmt.Errorf("there is no operation %q%s", id, didYouMean(id, operationIDs()))
}

func operationIDs() []string {
	var ids []string
	for op := range operation.All() {
		ids = append(ids, string(op.ID))
	}
	return ids
}

// completeOperation offers the ids of the operations, with what they do.
func completeOperation(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for op := range operation.All() {
		if len(args) == 0 && strings.HasPrefix(string(op.ID), begun) {
			ids = append(ids, cobra.CompletionWithDesc(string(op.ID), op.Summary))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func operationRows(ops []*operation.Operation) [][]string {
	rows := [][]string{{"ID", "METHOD", "PATH", "REQUIRED", "QUOTA", "SCOPES"}}
	for _, op := range ops {
		quota := ""
		if op.QuotaUnits > 0 {
			quota = strconv.Itoa(op.QuotaUnits)
		}
		rows = append(rows, []string{
			string(op.ID), op.Method, op.Path,
			orDash(requiredParams(op)), orDash(quota), orDash(strings.Join(op.Scopes, " ")),
		})
	}
	return rows
}

// requiredParams lists the parameters that a request has to have, with the value where there
// is only one.
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

func orDash(cell string) string {
	if cell == "" {
		return "-"
	}
	return cell
}
