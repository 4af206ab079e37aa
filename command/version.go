package command

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/internal/form"
)

// release is the version of a release build, set by the linker.
var release string

const modulePath = "github.com/calrules/calrules"

// build describes how a program was built, for bug reports.
type build struct {
	Version   string `json:"version"`   // the version of the module
	TimeZones string `json:"timeZones"` // the release of the IANA Time Zone Database
	Go        string `json:"go"`
	Platform  string `json:"platform"`
	Commit    string `json:"commit,omitempty"`
	Modified  bool   `json:"modified,omitempty"` // whether the files differed from the commit
}

// readBuild describes the build of this program.
var readBuild = sync.OnceValue(func() build {
	b := build{Version: release, TimeZones: form.ZoneRelease, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.add(info)
	}
	b.Version = cmp.Or(b.Version, "(unknown)")
	return b
})

// add adds the build information from the Go command, without the commit if a different main module, which adds custom rules,
// was built.
func (b *build) add(info *debug.BuildInfo) {
	for _, module := range append(info.Deps, &info.Main) {
		if module.Path == modulePath {
			b.Version = cmp.Or(b.Version, module.Version)
		}
	}
	if info.Main.Path != modulePath {
		return
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
}

// version returns the version of the module and the release of its time zone database.
func version() string {
	b := readBuild()
	return b.Version + ", IANA Time Zone Database " + b.TimeZones
}

func newVersion(c *console) *cobra.Command {
	format := newFormat(listFormats)
	command := &cobra.Command{
		Use:     "version",
		Short:   "Show the version and the build of the program",
		Long:    "Show the versions of calrules, its time zones and Go, the platform, and the commit if\nthe program was built in a clone. Please include the output in bug reports.",
		Example: "  calrules version\n  calrules version --format json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if b := readBuild(); format.value != formatText {
				format.write(c.out, b)
			} else {
				b.write(c)
			}
			return nil
		},
	}
	format.add(command, "output format; json is indented, ndjson is one line")
	return command
}

// write writes the build as text. The first line is also the output of --version.
func (b build) write(c *console) {
	fmt.Fprintf(c.out, "calrules version %s\n", version())
	rows := [][]string{{"Go", b.Go}, {"platform", b.Platform}}
	if b.Commit != "" {
		rows = append(rows, []string{"commit", b.Commit})
	}
	if b.Modified {
		rows = append(rows, []string{"files", "not those of the commit"})
	}
	writeTable(c.out, rows)
}
