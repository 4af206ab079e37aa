package command_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse runs the command without streams, and with rules that are not valid.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(*testing.T){
		"Run": func(t *testing.T) {
			for _, test := range []struct {
				args []string
				want int
			}{
				{nil, 0},
				{[]string{"check", "--ndjson"}, 0},
				{[]string{"check", "-"}, 1}, // an empty input is not an event
				{[]string{"\xff"}, 2},
			} {
				if status := command.Run(test.args, nil, nil, nil); status != test.want {
					t.Errorf("%q: the exit status is %d, want %d", test.args, status, test.want)
				}
			}
			for _, rule := range []*diag.Rule{nil, {}} {
				var errs bytes.Buffer
				if status := command.Run([]string{"rules"}, strings.NewReader(""), io.Discard, &errs, rule); status != 2 || errs.Len() == 0 {
					t.Errorf("with the rule %v, the exit status is %d and the error %q", rule, status, errs.String())
				}
			}
		},
	}, nil)
}
