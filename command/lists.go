package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// list is a list of items, such as rules, that a command can show, look up and complete.
type list[T any] struct {
	thing  string // the name of an item
	short  string // an optional prefix of ids, or ""
	all    func() []T
	id     func(T) (id, summary string)
	header []string
	row    func(T) []string
	data   func(T) any             // returns an item for JSON
	in     func(diag.Dialect, T) T // returns an item in a dialect
}

// command configures a command to show the list, or only the item or group named by the argument.
func (l *list[T]) command(command *cobra.Command, c *console) *cobra.Command {
	format := newFormat(listFormats)
	format.add(command, "output format; json writes an array, ndjson an object per line")
	asJSON := command.Flags().Bool("json", false, "short for --format json")
	exclude(command, "json", "format")
	command.Args = atMostOne
	command.ValidArgsFunction = l.complete
	command.RunE = func(_ *cobra.Command, args []string) error {
		shown := l.all()
		if len(args) == 1 {
			if shown = l.group(args[0]); shown == nil {
				one, err := l.find(args[0])
				if err != nil {
					return err
				}
				shown = []T{one}
			}
		}
		var named []T
		for _, one := range shown {
			named = append(named, l.in(c.dialect, one))
		}
		if *asJSON {
			format.value = formatJSON
		}
		l.write(c.out, named, format)
		return nil
	}
	return command
}

// write writes items in a format.
func (l *list[T]) write(out io.Writer, shown []T, format *format) {
	rows, data := [][]string{l.header}, []any{}
	for _, one := range shown {
		rows, data = append(rows, l.row(one)), append(data, l.data(one))
	}
	if format.value == formatText {
		writeTable(out, rows)
	} else {
		writeList(format, out, data)
	}
}

// group returns the items whose ids begin with word and a dot. The word itself may end with the dot.
func (l *list[T]) group(word string) (found []T) {
	prefix := strings.TrimSuffix(word, ".") + "."
	for _, one := range l.all() {
		if id, _ := l.id(one); strings.HasPrefix(id, prefix) {
			found = append(found, one)
		}
	}
	return found
}

// find returns the item with the given id, which may omit the optional prefix. If there is no such item, the error mentions the
// group with that name, or suggests the nearest id.
func (l *list[T]) find(id string) (found T, err error) {
	var ids []string
	for _, one := range l.all() {
		known, _ := l.id(one)
		if known == id || known == l.short+id {
			return one, nil
		}
		group, _, _ := strings.Cut(known, ".")
		ids = append(ids, known, group)
	}
	if group := l.group(id); group != nil {
		return found, fmt.Errorf("%q is a prefix of %d ids; 'calrules %ss %s' lists them", id, len(group), l.thing, id)
	}
	return found, fmt.Errorf("unknown %s %q%s", l.thing, id, didYouMean(form.Nearest(id, withShort(ids, l.short))))
}

// complete completes an id, with the summary of the item as the description.
func (l *list[T]) complete(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, one := range l.all() {
		id, summary := l.id(one)
		for _, name := range withShort([]string{id}, l.short) {
			if len(args) == 0 && strings.HasPrefix(name, begun) {
				ids = append(ids, cobra.CompletionWithDesc(name, summary))
			}
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag completes an id as the value of a flag, regardless of the arguments.
func (l *list[T]) completeFlag(command *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	return l.complete(command, nil, begun)
}

// writeTable writes rows in aligned columns.
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

func (c *console) rules() *list[*diag.Rule] {
	return &list[*diag.Rule]{
		thing:  "rule",
		all:    func() []*diag.Rule { return c.catalogue().Rules() },
		id:     func(r *diag.Rule) (string, string) { return r.ID, r.Summary },
		header: []string{"ID", "KIND", "BASIS", "SUMMARY"},
		row:    func(r *diag.Rule) []string { return []string{r.ID, r.Does(), string(r.Basis), r.Summary} },
		data:   func(r *diag.Rule) any { return reference.Data(&c.checker, r) },
		in:     reference.In,
	}
}

func newRules(c *console) *cobra.Command {
	return c.rules().command(&cobra.Command{
		Use:   "rules [flags] [ID]",
		Short: "List the rules",
		Long: `List all rules, the rule ID, or the rules whose ids begin with ID and a dot: id,
kind, basis and summary. The formats json and ndjson also contain the occasions on which
a rule applies, its scope, the members that it reads, its section, the HTTP status and
reason for a refusal, the rule's purpose, its sentences, a good and a bad example, and
the findings about the bad example.`,
		Example: `  calrules rules time
  calrules rules --format json | jq -r '.[] | select(.basis == "observed") | .id'`,
	}, c)
}

var limitList = list[limits.Limit]{
	thing:  "limit",
	all:    limits.Table,
	id:     func(l limits.Limit) (string, string) { return l.Name, l.Value },
	header: []string{"NAME", "APPLIES TO", "VALUE", "UNIT", "BASIS", "SOURCE"},
	row: func(l limits.Limit) []string {
		return []string{l.Name, strings.Join(l.AppliesTo, ", "), l.Value, l.Unit, l.Basis, l.Source}
	},
	data: func(l limits.Limit) any { return l },
	in:   reference.LimitIn,
}

func newLimits(c *console) *cobra.Command {
	return limitList.command(&cobra.Command{
		Use:   "limits [flags] [NAME]",
		Short: "List the limits and enumerations",
		Long: `List every number, alphabet, enumeration and format that the rules use, or only
NAME, with its unit and its source.`,
	}, c)
}

var operations = list[*operation.Operation]{
	thing:  "operation",
	short:  eventsPrefix,
	all:    func() []*operation.Operation { return slices.Collect(operation.All()) },
	id:     func(op *operation.Operation) (string, string) { return string(op.ID), op.Summary },
	header: []string{"ID", "METHOD", "PATH", "REQUIRED", "QUOTA", "SCOPES"},
	row:    operationRow,
	data:   func(op *operation.Operation) any { return op },
	in:     reference.OperationIn,
}

func newOperations(c *console) *cobra.Command {
	return operations.command(&cobra.Command{
		Use:   "operations [flags] [ID]",
		Short: "List the operations of the service",
		Long: `List all operations, the operation ID, or the operations whose ids begin with ID and
a dot: id, method, path, required parameters, cost in quota units, and scopes. A caller
needs one of the scopes. A dash means that the documents list none. The formats
json and ndjson also contain all parameters. insert is short for events.insert.`,
		Example: `  calrules operations insert
  calrules operations --format json | jq -r '.[] | select(.quotaUnits) | .id'`,
	}, c)
}

func operationRow(op *operation.Operation) []string {
	quota := "-"
	if op.QuotaUnits > 0 {
		quota = strconv.Itoa(op.QuotaUnits)
	}
	var required []string
	for _, p := range op.Params {
		if p.Required {
			required = append(required, strings.TrimSuffix(p.Name+"="+p.Only, "="))
		}
	}
	return []string{
		string(op.ID), op.Method, op.Path,
		cmp.Or(strings.Join(required, " "), "-"), quota, cmp.Or(strings.Join(op.Scopes, " "), "-"),
	}
}
