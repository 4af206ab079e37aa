package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// choice is a flag that has one of a few values.
type choice struct {
	value   string
	choices []string
}

// newChoice returns a choice whose first value is the default.
func newChoice(choices ...string) *choice { return &choice{choices[0], choices} }

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.choices, "|") }

func (c *choice) Set(value string) error {
	if !slices.Contains(c.choices, value) {
		return fmt.Errorf("it must be one of %s%s", strings.Join(c.choices, ", "), didYouMean(value, c.choices))
	}
	c.value = value
	return nil
}

// add makes the choice a flag of the command, with completion.
func (c *choice) add(command *cobra.Command, name, usage string) {
	command.Flags().Var(c, name, usage)
	complete(command, name, cobra.FixedCompletions(c.choices, cobra.ShellCompDirectiveNoFileComp))
}

// complete sets the completion of a flag.
func complete(command *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := command.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}

// didYouMean is the end of a sentence about a word that is none of the candidates: the
// nearest of them, or nothing where none is near.
func didYouMean(word string, candidates []string) string {
	near, ok := limits.Nearest(word, slices.Values(candidates))
	if !ok {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", near)
}

// addParams makes --param a flag of the command, for the parameters of the operation in op.
func addParams(command *cobra.Command, op *string, params *[]string) {
	command.Flags().StringArrayVar(params, "param", nil, "a query parameter of the request, as `name=value`; may be repeated")
	complete(command, "param", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return paramNames(*op), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
}

// paramNames lists the parameters of an operation, each with an equals sign.
func paramNames(id string) []string {
	var names []string
	if op, ok := operation.Lookup(operation.ID(id)); ok {
		for _, p := range op.Params {
			names = append(names, p.Name+"=")
		}
	}
	return names
}

// readParams reads the values of --param.
func readParams(flags []string) (operation.Params, error) {
	var params operation.Params
	for _, param := range flags {
		name, value, ok := strings.Cut(param, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--param is %q; it must be a name, an equals sign and a value", param)
		}
		if params == nil {
			params = operation.Params{}
		}
		params[name] = append(params[name], value)
	}
	return params, nil
}

// addMaxSize makes --max-size a flag of the command.
func addMaxSize(command *cobra.Command, limit *size) {
	*limit = defaultMaxSize
	command.Flags().Var(limit, "max-size", "the largest file that is read")
}

// size is a flag that holds a number of bytes: 1000000, 64KiB, 16MiB or 1GiB.
type size int

var sizeUnits = []struct {
	suffix string
	bytes  int
}{
	{"GiB", 1 << 30},
	{"MiB", 1 << 20},
	{"KiB", 1 << 10},
	{"B", 1},
	{"", 1},
}

func (s *size) Type() string { return "size" }

// String gives the size in the greatest unit of which it is a whole number.
func (s *size) String() string {
	for _, unit := range sizeUnits {
		if n := int(*s); n%unit.bytes == 0 {
			return strconv.Itoa(n/unit.bytes) + unit.suffix
		}
	}
	return strconv.Itoa(int(*s))
}

func (s *size) Set(text string) error {
	for _, unit := range sizeUnits {
		digits, ok := strings.CutSuffix(text, unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n <= 0 || n > math.MaxInt/2/unit.bytes {
			break
		}
		*s = size(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("it must be a number of bytes above 0, such as 65536, 64KiB or 16MiB")
}
