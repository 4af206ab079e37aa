package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/rtdbauth"
)

func newRTDB(c *console) *cobra.Command {
	var flags streamFlags
	var table bool
	format := newFormat([]string{formatText, formatNDJSON})
	command := &cobra.Command{
		Use:   "rtdb (--ndjson [FILE] | --table)",
		Short: "Find the principals of Realtime Database requests",
		Long: `Find the principal of a Realtime Database request, and report whether the database's
rules apply to it.

` + streamHelp + `

No answer contains a token.

With --table, print the decision table as text.`,
		Example: `  calrules rtdb --ndjson <requests.ndjson >decisions.ndjson
  calrules rtdb --table`,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case table == flags.ndjson:
				return errors.New("rtdb requires either --ndjson or --table")
			case flags.ndjson:
				if err := flags.onlyFormats(format, formatNDJSON); err != nil {
					return err
				}
				return c.filter(args, &flags, filter.Database(c.dialect))
			case len(args) > 0:
				return errors.New("--table does not read a FILE")
			}
			err := flags.unused("with --table", "max-line", "part")
			if err == nil && format.value != formatText {
				err = fmt.Errorf("--format cannot be used with --table; the table is text, not %s", format.value)
			}
			if err != nil {
				return err
			}
			io.WriteString(c.out, rtdbauth.Table().String())
			return nil
		},
	}
	command.Flags().SortFlags = false
	flags.add(command)
	format.add(command, "output format: ndjson with --ndjson, text with --table")
	command.Flags().BoolVar(&table, "table", false, "print the decision table")
	return command
}
