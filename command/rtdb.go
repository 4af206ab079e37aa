package command

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/rtdbauth"
)

func newRTDB(c *console) *cobra.Command {
	var flags streamFlags
	var table bool
	command := &cobra.Command{
		Use:   "rtdb (--ndjson [FILE] | --table)",
		Short: "Decide as whom requests to a realtime database act",
		Long: `Decide as whom a REST request to a realtime database acts, and whether the rules
of the database apply to it.

` + streamHelp + `
The members of a request are id, method, url, headers, known (what a verifier
knows about the tokens), policy and dialect (default that of --dialect). Those of an answer are id, principal,
subject, rules, read, write and findings. No answer contains a token.

With --table, print the decision table.`,
		Example: `  calrules rtdb --ndjson <requests.ndjson >decisions.ndjson
  calrules rtdb --table`,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case table == flags.ndjson:
				return errors.New("rtdb requires either --ndjson or --table")
			case flags.ndjson:
				return c.filter(args, &flags, filter.Database(c.dialect))
			case len(args) > 0:
				return errors.New("--table does not read a FILE")
			}
			if err := flags.unused("with --table", "max-line", "part"); err != nil {
				return err
			}
			io.WriteString(c.out, rtdbauth.Table())
			return nil
		},
	}
	command.Flags().SortFlags = false
	flags.add(command)
	command.Flags().BoolVar(&table, "table", false, "print the decision table")
	return command
}
