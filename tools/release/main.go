// Command release builds a release: archives of the calrules command, the emulator and the MCP server for six platforms, npm
// packages of some programs, and checksums. The output is reproducible: it depends only on the commit and the Go release.
//
//	go run ./tools/release -out dist v1.2.3
//
// Run the command in the root of the repository. All files in the archives have the modification time of the commit, or
// SOURCE_DATE_EPOCH (https://reproducible-builds.org/docs/source-date-epoch/).
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// platforms lists the platforms of a release.
var platforms = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// program is a program in a release.
type program struct {
	name    string // the name of its archives and its executable
	module  string // the directory of its module
	folder  string // the directory of its package in the module
	version string // the variable that the linker sets to the version
	readme  string
	writes  bool   // whether it writes a manual page and shell completions
	npm     string // the name of its npm packages; empty if there are none
	about   string // the description for npm
}

var programs = []program{
	{"calrules", ".", "./cmd/calrules", "github.com/calrules/calrules/command.release", "README.md", true, "cli", "Checks events for the Google Calendar API v3"},
	{"calrules-emulator", "emulator", ".", "main.release", "emulator/README.md", false, "", ""},
	{"calrules-mcp", "mcp", ".", "main.release", "mcp/README.md", false, "mcp", "A server for agents that write events for the Google Calendar API v3"},
}

// The modes of files.
const (
	plain      = 0o644
	executable = 0o755
)

const checksums = "checksums.txt" // in the format of sha256sum

func main() {
	out := flag.String("out", "dist", "folder to write to")
	only := flag.String("platforms", strings.Join(platforms, ","), "platforms to build for, separated by commas")
	flag.Parse()
	if err := release(*out, strings.Split(*only, ","), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// versionForm matches a Go module version whose major version is 0 or 1.
var versionForm = regexp.MustCompile(`^v[01]\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

func release(out string, platforms, args []string) error {
	if len(args) != 1 || !versionForm.MatchString(args[0]) {
		return errors.New("it requires one version, such as v1.2.3")
	}
	at, err := commitTime()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	r := &releasing{out: out, version: args[0], at: at}
	for _, p := range programs {
		if err := r.program(p, platforms); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return os.WriteFile(filepath.Join(out, checksums), []byte(r.sums.String()), 0o666)
}

// releasing is a release in progress, which is written to a directory.
type releasing struct {
	out, version string
	at           time.Time
	sums         strings.Builder
}

// program writes the archives and the npm packages of a program.
func (r *releasing) program(p program, platforms []string) error {
	texts, err := p.texts(r.version)
	if err != nil {
		return err
	}
	for _, platform := range platforms {
		if err := r.platform(p, platform, texts); err != nil {
			return fmt.Errorf("for %s: %w", platform, err)
		}
	}
	if p.npm == "" {
		return nil
	}
	name, files, err := p.npmLauncher(r.version)
	if err != nil {
		return err
	}
	return r.write(name, "package", files, writeTar)
}

// platform writes the archive and the npm package of a program for a platform, such as "linux/amd64".
func (r *releasing) platform(p program, platform string, texts []file) error {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return errors.New("a platform has the form system/processor")
	}
	binary, write, suffix := p.name, writeTar, ".tar.gz"
	if system == "windows" {
		binary, write, suffix = p.name+".exe", writeZip, ".zip"
	}
	compiled, err := p.compile(system, processor, r.version)
	if err != nil {
		return err
	}
	files := append(slices.Clone(texts), file{binary, compiled, executable})
	folder := strings.Join([]string{p.name, strings.TrimPrefix(r.version, "v"), system, processor}, "_")
	if err := r.write(folder+suffix, folder, files, write); err != nil || p.npm == "" {
		return err
	}
	name, packed := p.npmProgram(platform, r.version, files)
	return r.write(name, "package", packed, writeTar)
}

// write writes an archive with the files in the given directory.
func (r *releasing) write(name, folder string, files []file, write func(io.Writer, string, []file, time.Time) error) error {
	var b bytes.Buffer
	if err := write(&b, folder, files, r.at); err != nil {
		return err
	}
	fmt.Fprintf(&r.sums, "%x  %s\n", sha256.Sum256(b.Bytes()), name)
	return os.WriteFile(filepath.Join(r.out, name), b.Bytes(), 0o666)
}

// commitTime returns the time of the commit that is built.
func commitTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := output(exec.Command("git", "log", "-1", "--format=%ct"))
		if err != nil {
			return time.Time{}, err
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// compile builds the program and returns the executable, which is reproducible and links no C code.
func (p program) compile(system, processor, version string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, p.name)
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly",
		"-ldflags", "-s -w -buildid= -X "+p.version+"="+version, "-o", name, p.folder)
	command.Dir = p.module
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	if _, err := output(command); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// texts returns the text files for every archive of the program: files from this repository, the program's own documentation,
// and the licenses of all linked modules.
func (p program) texts(version string) ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", p.readme, "CHANGELOG.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{filepath.Base(name), text, plain})
	}
	if p.writes {
		written, err := p.written(version)
		if err != nil {
			return nil, err
		}
		files = append(files, written...)
	}
	licenses, err := p.licenses()
	return append(files, licenses...), err
}

// written returns the files generated by the program itself: the manual page, and the shell completions under the names that
// shells expect.
func (p program) written(version string) (files []file, err error) {
	for name, args := range map[string][]string{
		p.name + ".1":                          {"man"},
		"completions/bash/" + p.name:           {"completion", "bash"},
		"completions/zsh/_" + p.name:           {"completion", "zsh"},
		"completions/fish/" + p.name + ".fish": {"completion", "fish"},
	} {
		run := append([]string{"run", "-trimpath", "-buildvcs=false", "-ldflags", "-X " + p.version + "=" + version, p.folder}, args...)
		text, err := output(exec.Command("go", append(run, "--no-config")...))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, text, plain})
	}
	return files, nil
}

// licenses returns the licenses of Go, of third-party data in this repository, and of all third-party modules that the
// program links on any platform.
func (p program) licenses() (files []file, err error) {
	folders := map[string]string{"cldr": "internal/zone/cldr"}
	for _, system := range []string{"linux", "darwin", "windows"} {
		command := exec.Command("go", "list", "-deps", "-json=Module", p.folder)
		command.Dir = p.module
		command.Env = append(os.Environ(), "GOOS="+system)
		out, err := output(command)
		if err != nil {
			return nil, err
		}
		if err := addModules(out, folders); err != nil {
			return nil, err
		}
	}
	root, err := output(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		return nil, err
	}
	folders["go"] = strings.TrimSpace(string(root))
	for module, folder := range folders {
		found, err := licenseIn(folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		files = append(files, file{"licenses/" + module + "/LICENSE", found, plain})
	}
	return files, nil
}

// ours is the path of the main module, which the emulator links as a dependency.
const ours = "github.com/calrules/calrules"

// addModules adds the directories of third-party modules, by module path, from the output of go list.
func addModules(list []byte, folders map[string]string) error {
	for decoder := json.NewDecoder(bytes.NewReader(list)); ; {
		var p struct {
			Module *struct {
				Path, Dir string
				Main      bool
			}
		}
		switch err := decoder.Decode(&p); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case p.Module != nil && !p.Module.Main && p.Module.Path != ours:
			folders[p.Module.Path] = p.Module.Dir
		}
	}
}

// licenseIn returns the license text of the module in a directory.
func licenseIn(folder string) ([]byte, error) {
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if !errors.Is(err, os.ErrNotExist) {
			return text, err
		}
	}
	return nil, errors.New("there is no license")
}

// output runs a command and returns its output. Errors include the command's standard error.
func output(command *exec.Cmd) ([]byte, error) {
	out, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("%s: %w\n%s", command.Args[0], err, exit.Stderr)
	}
	return out, err
}
