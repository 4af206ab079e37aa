package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/calrules/calrules/diag"
)

// subcommand is a subcommand of the root command.
type subcommand struct {
	name string
	make func(*console) *cobra.Command
}

var subcommands = []subcommand{
	{"check", newCheck},
	{"expand", newExpand},
	{"make", newMake},
	{"merge", newMerge},
	{"patch", newPatch},
	{"diff", newDiff},
	{"rtdb", newRTDB},
	{"rules", newRules},
	{"explain", newExplain},
	{"why", newWhy},
	{"limits", newLimits},
	{"operations", newOperations},
	{"schema", newSchema},
	{"fuzz", newFuzz},
	{"conformance", newConformance},
	{"proxy", newProxy},
	{"aim", newAim},
	{"init", newInit},
	{"version", newVersion},
	{"ndjson", newNDJSON},
}

// newRoot returns the root command. The root command has only the subcommand named by the first argument or, if the first
// argument does not name a subcommand, all subcommands.
func newRoot(c *console, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "calrules",
		Short: "Check events for the Google Calendar API",
		Long: `Check events for the Google Calendar API v3 without calling the API. The answers
depend on neither the network nor the clock. With --dialect google, members and
values have the API's names.

The exit status is 0 on success, 1 if a finding rejects or events differ, and
2 if the command cannot run.`,
		Example: `  calrules check --dialect google event.json
  calrules expand --from 2026-03-01 series.json
  calrules explain reminders.minutes`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownCommand,
		RunE:          func(root *cobra.Command, _ []string) error { return root.Help() },
	}
	root.SetOut(c.out)
	root.SetUsageFunc(usage)
	root.PersistentFlags().TextVar(&c.dialect, "dialect", diag.Documents, "`names` of members and values: documents, or google for the Google Calendar API's; without it, the names in the files decide")
	complete(root, "dialect", cobra.FixedCompletions(dialects(), cobra.ShellCompDirectiveNoFileComp))
	c.configFlags.add(root)
	making := subcommands
	if i := slices.IndexFunc(subcommands, func(sub subcommand) bool { return len(args) > 0 && sub.name == args[0] }); i >= 0 {
		making = subcommands[i : i+1]
	}
	for _, sub := range making {
		command := sub.make(c)
		root.AddCommand(command)
		before(command, c.configure)
		exclude(command, "config", "no-config")
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	if len(making) > 1 {
		for _, command := range append(root.Commands(), root) {
			completeNoFiles(command)
		}
		root.AddCommand(newMan(c))
		finishCompletion(root)
	} else {
		root.CompletionOptions.DisableDefaultCmd = true
	}
	return root
}

// usage writes the usage of a command like cobra's default, but wraps the descriptions of flags. A template would add a third
// to the size of the command, because the linker would keep the exported methods of all types.
func usage(command *cobra.Command) error {
	out := command.OutOrStderr()
	fmt.Fprint(out, "Usage:")
	if command.Runnable() {
		fmt.Fprintf(out, "\n  %s", command.UseLine())
	}
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\n  %s [command]", command.CommandPath())
	}
	if command.HasExample() {
		fmt.Fprintf(out, "\n\nExamples:\n%s", command.Example)
	}
	if command.HasAvailableSubCommands() {
		fmt.Fprint(out, "\n\nAvailable Commands:")
		for _, sub := range command.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(out, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	writeFlags(out, "Flags", command.LocalFlags())
	writeFlags(out, "Global Flags", command.InheritedFlags())
	if command.HasHelpSubCommands() {
		fmt.Fprint(out, "\n\nAdditional help topics:")
		for _, sub := range command.Commands() {
			if sub.IsAdditionalHelpTopicCommand() {
				fmt.Fprintf(out, "\n  %-*s %s", sub.CommandPathPadding(), sub.CommandPath(), sub.Short)
			}
		}
	}
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\n\nUse \"%s [command] --help\" for more information about a command.", command.CommandPath())
	}
	fmt.Fprintln(out)
	return nil
}

// writeFlags writes the descriptions of the visible flags, if any.
func writeFlags(out io.Writer, heading string, flags *pflag.FlagSet) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(out, "\n\n%s:\n%s", heading, strings.TrimRight(flags.FlagUsagesWrapped(defaultWidth), " \n"))
	}
}

func dialects() []string { return []string{diag.Documents.String(), diag.Google.String()} }

// completeNoFiles turns off completion for flags whose values are neither files nor a known set, because shells complete
// files by default.
func completeNoFiles(command *cobra.Command) {
	command.LocalFlags().VisitAll(func(f *pflag.Flag) {
		value, _ := pflag.UnquoteUsage(f)
		if _, known := command.GetFlagCompletionFunc(f.Name); !known && value != "" && value != "file" {
			complete(command, f.Name, cobra.NoFileCompletions)
		}
	})
}

// finishCompletion makes the completion command fail if no shell is given, and adds bashWords to the bash script. By default,
// the completion command would print help and succeed, and a shell that sources the output would run the help text.
func finishCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err)
	}
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(*cobra.Command, []string) error {
		return errors.New("completion requires a shell: bash, zsh, fish or powershell")
	}
	bash, _, err := completion.Find([]string{"bash"})
	if err != nil {
		panic(err)
	}
	before(bash, func(*cobra.Command, []string) error {
		_, err := io.WriteString(root.OutOrStdout(), bashWords)
		return err
	})
}

// bashWords defines the function that the bash script calls, for shells without the bash-completion package. Bash itself also
// splits words at = and at the colon in basis:rfc.
const bashWords = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref()
    {
        local line=${COMP_LINE:0:COMP_POINT}
        read -ra words <<<"$line"
        [[ $line == *[[:space:]] ]] && words+=("")
        cword=$((${#words[@]} - 1))
        cur=${words[cword]}
        prev=${words[cword > 0 ? cword - 1 : 0]}
    }
fi

`
