package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/calrules/calrules/internal/form"
)

// newHelp returns the help command. Unlike cobra's own help command, this help command fails for a command that does not exist.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND]",
		DisableFlagsInUseLine: true,
		Short:                 "Show the help of a command",
		Long:                  "Show the help of a command. 'calrules COMMAND --help' does the same.",
		ValidArgsFunction: func(help *cobra.Command, args []string, begun string) (names []string, _ cobra.ShellCompDirective) {
			for _, command := range help.Root().Commands() {
				if len(args) == 0 && command.IsAvailableCommand() && strings.HasPrefix(command.Name(), begun) {
					names = append(names, cobra.CompletionWithDesc(command.Name(), command.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(help *cobra.Command, args []string) error {
			command, rest, err := help.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(command, rest)
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}

// unknownCommand returns an error if there are arguments, because the first argument should have named a subcommand.
func unknownCommand(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, one := range command.Commands() {
		if one.IsAvailableCommand() {
			names = append(names, one.Name())
		}
	}
	return fmt.Errorf("unknown command %q%s", args[0], didYouMean(form.Nearest(args[0], names)))
}

// The functions noArguments, atMostOne and requireTwo check the number of arguments.

func noArguments(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s does not accept arguments; remove %s", command.Name(), args[0])
	}
	return nil
}

func atMostOne(command *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s accepts at most one argument; remove %s", command.Name(), args[1])
	}
	return nil
}

// requireTwo returns an error unless there are two arguments. Only one of the arguments can be standard input.
func requireTwo(command *cobra.Command, args []string) error {
	switch {
	case len(args) != 2:
		return errors.New(command.Name() + " requires two files")
	case args[0] == stdinArg && args[1] == stdinArg:
		return errors.New("standard input cannot be both files")
	default:
		return nil
	}
}

// flagError rewords an error about a flag in the style of the other errors, stating the wrong value and the accepted values.
func flagError(command *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		near, ok := form.Nearest(unknown.GetSpecifiedName(), names)
		return fmt.Errorf("unknown flag --%s%s", unknown.GetSpecifiedName(), didYouMean("--"+near, ok))
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s requires a value", missing.GetFlag().Name)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		name, hint := invalid.GetFlag().Name, ""
		if name == "dialect" {
			hint = didYouMean(form.Nearest(invalid.GetValue(), dialects()))
		}
		return fmt.Errorf("--%s is %q; it %s%s", name, invalid.GetValue(), mustBe(invalid.Unwrap(), invalid.GetFlag().Value.Type()), hint)
	}
	return err
}

// mustBe describes the accepted values of a flag, using the reason, unless it is an error from package strconv, which does not
// name the accepted values.
func mustBe(reason error, kind string) string {
	if _, ok := errors.AsType[*strconv.NumError](reason); !ok {
		return reason.Error()
	}
	switch kind {
	case "bool":
		return "must be true or false"
	case "float64":
		return "must be a number"
	default:
		return "must be a whole number"
	}
}

// exclude makes flags of a command mutually exclusive.
func exclude(command *cobra.Command, flags ...string) {
	command.MarkFlagsMutuallyExclusive(flags...) // only for completion; cobra's error would name all flags in the group
	before(command, func(command *cobra.Command, _ []string) error {
		set := slices.DeleteFunc(slices.Clone(flags), func(flag string) bool { return !command.Flags().Changed(flag) })
		if len(set) > 1 {
			return fmt.Errorf("--%s and --%s cannot be used together", set[0], set[1])
		}
		return nil
	})
}

// before makes a command call the given function before running. If the function returns an error, the command does not run.
func before(command *cobra.Command, first func(*cobra.Command, []string) error) {
	then := command.PreRunE
	command.PreRunE = func(command *cobra.Command, args []string) error {
		if err := first(command, args); err != nil || then == nil {
			return err
		}
		return then(command, args)
	}
}
