package command

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/lazyregexp"
)

// templates contains the files that init writes, with the placeholders DIALECT and FOLDER.
//
//go:embed templates
var templates embed.FS

// The CI services for which init writes a file.
const (
	ciGitHub = "github"
	ciSARIF  = "github-sarif"
	ciGitLab = "gitlab"
	ciNone   = "none"
)

// ciFiles contains the names of the files read by CI services.
var ciFiles = map[string]string{
	ciGitHub: ".github/workflows/calrules.yml",
	ciSARIF:  ".github/workflows/calrules.yml",
	ciGitLab: ".gitlab-ci.yml",
}

// plainName matches directory names that do not need quotes.
var plainName = lazyregexp.New(`^[\pL\pN._/][\pL\pN._/-]*$`)

func newInit(c *console) *cobra.Command {
	ci := newChoice(ciGitHub, ciSARIF, ciGitLab, ciNone)
	command := &cobra.Command{
		Use:   "init [flags] [FOLDER]",
		Short: "Write a configuration and a file for CI",
		Long: `Write calrules.toml, and a file that lets a CI service check the events in FOLDER, which is
events by default. Both are written to the working directory, which should be the root of a
repository. Existing files are left unchanged; the exit status is then 2.

With --ci github, findings are shown next to the lines of a pull request; github-sarif
also shows them in code scanning, and gitlab writes a test report.`,
		Example: "  calrules init\n  calrules init --ci gitlab fixtures/calendar",
		Args:    atMostOne,
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "events"
			if len(args) == 1 {
				folder = filepath.ToSlash(filepath.Clean(args[0]))
			}
			if !plainName().MatchString(folder) {
				return fmt.Errorf("%s contains a character that is special in YAML or in a shell; use another name", folder)
			}
			if !c.asked {
				c.dialect = diag.Google
			}
			values := strings.NewReplacer("DIALECT", c.dialect.String(), "FOLDER", folder)
			err := c.writeTemplate("calrules.toml", configTOML, values)
			if ci.value != ciNone {
				err = errors.Join(err, c.writeTemplate(ci.value+".yml", ciFiles[ci.value], values))
			}
			if err != nil {
				return failure{err}
			}
			return nil
		},
	}
	ci.add(command, "ci", "CI service to write a file for")
	return command
}

// writeTemplate replaces the placeholders in a template, and writes the result to a new file.
func (c *console) writeTemplate(template, name string, values *strings.Replacer) error {
	text, err := templates.ReadFile("templates/" + template)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists, and is left unchanged", name)
	}
	if err != nil {
		return err
	}
	_, err = values.WriteString(file, string(text))
	if err = errors.Join(err, file.Close()); err == nil {
		fmt.Fprintln(c.out, "wrote", name)
	}
	return err
}
