package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/internal/reference"
)

// config is the content of a configuration file. Command-line flags take precedence over the configuration.
type config struct {
	dialect *diag.Dialect     // nil if not set
	profile string            // the name of a profile, or ""
	rules   selection         // select and ignore
	grade   map[string]string // as in the batch form
	name    string            // the name of the file
}

// The names of configuration files. The command looks for configuration files in the working directory and its parents.
const (
	configTOML = "calrules.toml"
	configJSON = "calrules.json"
)

// configFlags are the configuration flags, which every command has.
type configFlags struct {
	file string
	none bool
}

func (f *configFlags) add(root *cobra.Command) {
	set := root.PersistentFlags()
	set.StringVar(&f.file, "config", "", "configuration `file` (default "+configTOML+" or "+configJSON+", in the working directory or a parent directory)")
	set.BoolVar(&f.none, "no-config", false, "do not read a configuration file")
}

// configure reads the configuration for a command.
func (c *console) configure(command *cobra.Command, _ []string) error {
	c.asked = command.Flags().Changed("dialect")
	name, err := c.configFlags.find()
	if err != nil || name == "" {
		return err
	}
	c.config, err = readConfig(name, c.checker.Catalogue())
	if err != nil {
		return failure{err}
	}
	if d := c.config.dialect; d != nil && !c.asked {
		c.dialect, c.asked = *d, true
	}
	return nil
}

// find returns the name of the configuration file, or "" if there is no such file.
func (f *configFlags) find() (string, error) {
	if f.file != "" || f.none {
		return f.file, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", failure{err}
	}
	for above := filepath.Dir(dir); ; dir, above = above, filepath.Dir(above) {
		name, err := configIn(dir)
		if name != "" || err != nil || dir == above {
			return name, err
		}
	}
}

// configIn returns the name of the configuration file in a directory, or "" if there is no such file.
func configIn(dir string) (found string, err error) {
	for _, name := range []string{configTOML, configJSON} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			return "", failure{fmt.Errorf("%s: a symbolic link to a file that does not exist", path)}
		case err != nil:
			return "", failure{err}
		case !info.Mode().IsRegular():
			return "", failure{fmt.Errorf("%s: not a regular file; remove it, or use --no-config", path)}
		}
		if found != "" {
			return "", failure{fmt.Errorf("there are both %s and %s; remove one of them", found, path)}
		}
		found = path
	}
	return found, nil
}

// readConfig reads a configuration file. Errors include the file name.
func readConfig(name string, known *diag.Catalogue) (cfg config, err error) {
	text, err := readConfigFile(name)
	if err != nil {
		return cfg, err
	}
	if filepath.Ext(name) != ".json" {
		text, err = fromTOML(text)
	}
	if err = cmp.Or(err, cfg.read(text, known)); err != nil {
		return cfg, fmt.Errorf("%s: %w", name, err)
	}
	cfg.name = name
	return cfg, nil
}

// configForm lists the keys in a configuration, in the order of the documentation.
var configForm = ndjson.NewObject("the configuration",
	ndjson.Of("dialect", func(cfg *config) **diag.Dialect { return &cfg.dialect }, ndjson.Opt(ndjson.Decoded[diag.Dialect])),
	ndjson.Of("profile", func(cfg *config) *string { return &cfg.profile }, ndjson.Text[string]),
	ndjson.Of("select", func(cfg *config) *[]string { return &cfg.rules.selected }, ndjson.List(ndjson.Text[string])),
	ndjson.Of("ignore", func(cfg *config) *[]string { return &cfg.rules.ignored }, ndjson.List(ndjson.Text[string])),
	ndjson.Of("grade", func(cfg *config) *map[string]string { return &cfg.grade }, ndjson.Map(ndjson.Text[string])),
	ndjson.Func("$schema", func(*config, []byte) error { return nil }),
)

// read parses a configuration in JSON.
func (cfg *config) read(text []byte, known *diag.Catalogue) error {
	err := ndjson.Each(text, func(name string, _ []byte) error {
		if !slices.Contains(configForm.Names(), name) {
			return fmt.Errorf("%q is not a member of the configuration%s", name, didYouMean(form.Nearest(name, configForm.Names())))
		}
		return nil
	})
	return cmp.Or(err, configForm.Read(text, cfg), cfg.validate(known))
}

// validate returns an error if the profile is unknown, or if a value would have no effect because it does not name a known
// rule.
func (cfg *config) validate(known *diag.Catalogue) error {
	if names := reference.ProfileNames(); cfg.profile != "" && !slices.Contains(names, cfg.profile) {
		hint := didYouMean(form.Nearest(cfg.profile, names))
		return fmt.Errorf("profile is %s; it must be one of %s%s", engine.Quote(cfg.profile), strings.Join(names, ", "), hint)
	}
	graded := selection{selected: slices.Sorted(maps.Keys(cfg.grade))}
	return cmp.Or(cfg.rules.validate(known), graded.validate(known), diag.Grading{}.With(cfg.grade).Validate(known))
}

// gradingWith returns the grading of the configuration with the given profile and selection.
func (cfg *config) gradingWith(profile string, rules selection, known *diag.Catalogue) diag.Grading {
	return rules.grading(reference.Profile(profile).With(cfg.grade), known)
}

// accepts describes the faults that the grades allow although the service rejects a request with them, or returns "" if there
// are none.
func (cfg *config) accepts(known *diag.Catalogue) string {
	if cfg.grade == nil {
		return ""
	}
	grading := diag.Grading{}.With(cfg.grade)
	var ids []string
	for r := range known.All() {
		rejects := r.KindIn(diag.Documents) == diag.Reject || r.KindIn(diag.Google) == diag.Reject
		if rejects && grading.Grade(r, diag.Reject) != diag.Reject {
			ids = append(ids, r.ID)
		}
	}
	switch len(ids) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("the grades in %s accept what breaks %s, which the service rejects", cfg.name, ids[0])
	default:
		return fmt.Sprintf("the grades in %s accept what breaks %d rules, such as %s, which the service rejects", cfg.name, len(ids), ids[0])
	}
}
