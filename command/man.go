package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newMan returns the command that writes the manual page, which contains the help text of every command.
func newMan(c *console) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Write the manual page",
		Long:    "Write the manual page calrules(1), with the help of all commands.",
		Example: "  calrules man >calrules.1 && man -l calrules.1",
		Args:    noArguments,
		RunE: func(man *cobra.Command, _ []string) error {
			writeManual(c.out, man.Root())
			return nil
		},
	}
}

// writeManual writes the manual page of a command and its subcommands, using the macros of man(7).
func writeManual(out io.Writer, root *cobra.Command) {
	root.InitDefaultVersionFlag()
	fmt.Fprintf(out, ".TH CALRULES 1 \"\" \"%s\"\n.SH NAME\n%s \\- %s\n", roff("calrules "+root.Version), root.Name(), roff(root.Short))
	fmt.Fprint(out, ".SH SYNOPSIS\n.B calrules\n.I COMMAND\n[flags] [arguments]\n.SH DESCRIPTION\n")
	writeProse(out, root.Long)
	fmt.Fprintln(out, ".SH OPTIONS")
	writeOptions(out, root)
	fmt.Fprintln(out, ".SH COMMANDS")
	for _, command := range root.Commands() {
		if !command.IsAvailableCommand() && !command.IsAdditionalHelpTopicCommand() {
			continue
		}
		fmt.Fprintf(out, ".SS \"%s\"\n", roff(command.UseLine()))
		writeProse(out, command.Long)
		writeOptions(out, command)
		if command.Example != "" {
			writePlain(out, command.Example)
		}
	}
	fmt.Fprintf(out, ".SH FILES\n%s, %s in the working directory or a parent directory\n", configTOML, configJSON)
	fmt.Fprintln(out, ".SH SEE ALSO\nhttps://"+modulePath)
}

// writeProse writes paragraphs. A paragraph with an indented line keeps its line breaks.
func writeProse(out io.Writer, text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.Contains("\n"+paragraph, "\n ") {
			writePlain(out, paragraph)
		} else {
			fmt.Fprintf(out, ".PP\n%s\n", roff(paragraph))
		}
	}
}

// writePlain writes text with its line breaks unchanged.
func writePlain(out io.Writer, text string) { fmt.Fprintf(out, ".PP\n.nf\n%s\n.fi\n", roff(text)) }

// writeOptions writes the flags that are specific to this command, in the order of the help text.
func writeOptions(out io.Writer, command *cobra.Command) {
	command.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			name = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + name
		}
		if value != "" {
			name += ` \fI` + roff(value) + `\fR`
		}
		if hasDefault := []string{"", "false", "0", "[]"}; !slices.Contains(hasDefault, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(out, ".TP\n%s\n%s\n", name, roff(usage))
	})
}

// roff escapes the characters that have a special meaning in a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
