package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// manifest is the package.json of an npm package.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  map[string]string `json:"repository"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

// npmNames maps Go's names of systems and processors to Node's names, if the names differ.
var npmNames = map[string]string{"windows": "win32", "amd64": "x64"}

// npmPlatform returns Node's names for the system and the processor of a platform.
func npmPlatform(platform string) (system, processor string) {
	system, processor, _ = strings.Cut(platform, "/")
	if name, ok := npmNames[system]; ok {
		system = name
	}
	if name, ok := npmNames[processor]; ok {
		processor = name
	}
	return system, processor
}

// manifest returns the part of the manifest common to all npm packages of the program.
func (p program) manifest(version string) manifest {
	return manifest{
		Name: "@calrules/" + p.npm, Version: strings.TrimPrefix(version, "v"), Description: p.about, License: "MIT",
		Repository: map[string]string{"type": "git", "url": "git+https://github.com/" + strings.TrimPrefix(ours, "github.com/") + ".git"},
	}
}

// npmProgram returns the name and the content of the npm package for a platform, which contains the files in the archive.
func (p program) npmProgram(platform, version string, files []file) (name string, packed []file) {
	m := p.manifest(version)
	system, processor := npmPlatform(platform)
	m.Name += "-" + system + "-" + processor
	m.OS, m.CPU = []string{system}, []string{processor}
	for _, f := range files {
		if f.mode == executable {
			f.name = "bin/" + f.name
		}
		packed = append(packed, f)
	}
	return m.file(), append(packed, m.encoded())
}

// npmLauncher returns the name and the content of the npm package that depends on the packages for all platforms and runs
// the installed program.
func (p program) npmLauncher(version string) (name string, packed []file, err error) {
	m := p.manifest(version)
	m.Bin = map[string]string{p.name: "launch.js"}
	m.Engines = map[string]string{"node": ">=18"}
	m.Optional = map[string]string{}
	for _, platform := range platforms {
		system, processor := npmPlatform(platform)
		m.Optional[m.Name+"-"+system+"-"+processor] = m.Version
	}
	packed = []file{m.encoded()}
	for from, f := range map[string]file{"LICENSE": {"LICENSE", nil, plain}, "npm/cli/README.md": {"README.md", nil, plain}, "npm/cli/launch.js": {"launch.js", nil, executable}} {
		if f.text, err = os.ReadFile(from); err != nil {
			return "", nil, err
		}
		packed = append(packed, f)
	}
	return m.file(), packed, nil
}

// file returns the file name that npm pack would use.
func (m *manifest) file() string {
	return fmt.Sprintf("%s-%s.tgz", strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-"), m.Version)
}

func (m *manifest) encoded() file {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		panic(err) // cannot happen: all members are strings
	}
	return file{"package.json", b.Bytes(), plain}
}
