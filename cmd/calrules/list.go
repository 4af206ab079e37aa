package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// list is a list of things that a command shows, finds and completes.
type list[T any] struct {
	thing  string // what one of them is called
	all    func() []T
	id     func(T) (id, summary string)
	header []string
	row    func(T) []string
	data   func(T) any // as JSON
}

// command makes the command show the list, or only the thing whose id is the argument.
func (l *list[T]) command(command *cobra.Command, out io.Writer) *cobra.Command {
	var asJSON bool
	command.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	command.Args = cobra.MaximumNArgs(1)
	command.ValidArgsFunction = l.complete
	command.RunE = func(_ *cobra.Command, args []string) error {
		shown := l.all()
		if len(args) == 1 {
			one, err := l.find(args[0])
			if err != nil {
				return err
			}
			shown = []T{one}
		}
		rows, data := [][]string{l.header}, []any{}
		for _, one := range shown {
			rows, data = append(rows, l.row(one)), append(data, l.data(one))
		}
		if asJSON {
			writeJSON(out, data)
		} else {
			writeTable(out, rows)
		}
		return nil
	}
	return command
}

// find returns the thing with the id. The error suggests the nearest id.
func (l *list[T]) find(id string) (found T, err error) {
	var ids []string
	for _, one := range l.all() {
		known, _ := l.id(one)
		if known == id {
			return one, nil
		}
		ids = append(ids, known)
	}
	return found, fmt.Errorf("unknown %s %q%s", l.thing, id, didYouMean(id, ids))
}

// complete completes an id, and describes it by its summary.
func (l *list[T]) complete(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, one := range l.all() {
		if id, summary := l.id(one); len(args) == 0 && strings.HasPrefix(id, begun) {
			ids = append(ids, cobra.CompletionWithDesc(id, summary))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// writeTable writes rows in columns.
func writeTable(out io.Writer, rows [][]string) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	table.Flush()
}

// writeJSON writes a value as indented JSON.
func writeJSON(out io.Writer, v any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	encoder.Encode(v)
}
