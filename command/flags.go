package command

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/stream"
	"github.com/calrules/calrules/operation"
)

// choice is a flag with a fixed set of values.
type choice struct {
	value   string
	choices []string
	short   string // an optional prefix of values, or ""
}

// newChoice returns a choice whose default is the first value.
func newChoice(choices ...string) *choice { return &choice{value: choices[0], choices: choices} }

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.choices, "|") }

func (c *choice) Set(value string) error {
	if slices.Contains(c.choices, c.short+value) {
		value = c.short + value
	}
	if !slices.Contains(c.choices, value) {
		hint := didYouMean(form.Nearest(value, withShort(c.choices, c.short)))
		return errors.New("must be " + oneOf(c.choices) + hint)
	}
	c.value = value
	return nil
}

// oneOf joins words as alternatives.
func oneOf(words []string) string {
	if len(words) > 2 {
		return "one of " + strings.Join(words, ", ")
	}
	return strings.Join(words, " or ")
}

// add adds the choice as a flag to a command, with completion.
func (c *choice) add(command *cobra.Command, name, usage string) {
	addChoice(command, c, withShort(c.choices, c.short), name, usage)
}

// withShort returns words, followed by the rest of each word that begins with the prefix.
func withShort(words []string, prefix string) []string {
	all := slices.Clone(words)
	for _, word := range words {
		if short, ok := strings.CutPrefix(word, prefix); ok && prefix != "" {
			all = append(all, short)
		}
	}
	return all
}

// addChoice adds a flag to a command, with the completion of its values.
func addChoice(command *cobra.Command, value pflag.Value, choices []string, name, usage string) {
	command.Flags().Var(value, name, usage)
	complete(command, name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
}

// complete sets the completion of a flag.
func complete(command *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := command.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // no such flag
	}
}

// didYouMean returns a suggestion to append to a message, or "" if ok is false.
func didYouMean(near string, ok bool) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", near)
}

// addParams adds --param to a command. Completion offers the parameters of the operation in op.
func addParams(command *cobra.Command, op *string, params *[]string) {
	command.Flags().StringArrayVar(params, "param", nil, "query parameter, as `name=value` (repeatable)")
	complete(command, "param", func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
		if found, ok := operation.Lookup(operation.ID(*op)); ok {
			for _, p := range found.Params {
				names = append(names, p.Name+"=")
			}
		}
		return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
}

// readParams parses the values of --param.
func readParams(flags []string) (operation.Params, error) {
	params := operation.Params{}
	for _, param := range flags {
		name, value, ok := strings.Cut(param, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--param is %q; it must have the form name=value", param)
		}
		params[name] = append(params[name], value)
	}
	return params, nil
}

// addMaxSize adds --max-size to a command.
func addMaxSize(command *cobra.Command, limit *size) {
	*limit = stream.DefaultMax
	command.Flags().Var(limit, "max-size", "largest file to read")
}

// size is a flag whose value is a number of bytes, such as 1000000, 64KiB, 16MiB or 1GiB.
type size int

// maxSize is the largest power of two that fits in an int, such as 1GiB if an int has 32 bits.
const maxSize = math.MaxInt/2 + 1

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

// String returns the size in the largest unit in which the size is a whole number.
func (s *size) String() string {
	for _, unit := range sizeUnits {
		if n := int(*s); n%unit.bytes == 0 {
			return strconv.Itoa(n/unit.bytes) + unit.suffix
		}
	}
	panic("every size is a number of bytes")
}

func (s *size) Set(text string) error {
	for _, unit := range sizeUnits {
		digits, ok := strings.CutSuffix(text, unit.suffix)
		if n, err := strconv.Atoi(digits); ok && err == nil && 0 < n && n <= maxSize/unit.bytes {
			*s = size(n * unit.bytes)
			return nil
		}
	}
	return errors.New("must be a positive number of bytes, such as 65536, 64KiB or 16MiB")
}
