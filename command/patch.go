package command

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/visible"
)

func newPatch(c *console) *cobra.Command {
	var maxSize size
	format := newFormat(jsonFormats)
	command := &cobra.Command{
		Use:   "patch [flags] STORED NEXT",
		Short: "Make the smallest patch that turns one event into another",
		Long: `Make the smallest merge patch (RFC 7396) that turns the event in STORED into
the event in NEXT: the body of an events.patch request. It sets each
member that NEXT lacks to null, and contains changed arrays as a whole. The patch of
equal events is {}. One of the files may be - for standard input.

No patch can change the id or what only the service writes: the patch leaves out such
differences, and standard error names them.

merge applies a patch; diff shows the differences for people.`,
		Example: `  calrules patch stored.json next.json >change.json
  calrules patch stored.json next.json | calrules check --op patch --stored stored.json -`,
		Args: requireTwo,
		RunE: func(_ *cobra.Command, args []string) error {
			stored, next, err := c.readEvents(args, maxSize)
			if err != nil {
				return err
			}
			patch, remain := stored.PatchTo(next, c.dialect)
			format.write(c.out, json.RawMessage(patch))
			for _, d := range remain {
				fmt.Fprintf(c.err, "calrules: no patch can change %s: %s -> %s\n", visible.Text(string(d.Path)), shortValue(d.Old), shortValue(d.New))
			}
			return nil
		},
	}
	format.add(command, "output format; json is indented, ndjson is one line")
	addMaxSize(command, &maxSize)
	return command
}
