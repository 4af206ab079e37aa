package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// npmPrograms are the programs that have packages for npm.
func npmPrograms() (list []program) {
	for _, p := range programs {
		if p.npm != "" {
			list = append(list, p)
		}
	}
	return list
}

func manifestOf(t *testing.T, files []file) (m manifest) {
	t.Helper()
	for _, f := range files {
		if f.name == "package.json" {
			if err := json.Unmarshal(f.text, &m); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(f.name, "install") {
			t.Errorf("there is a file %s", f.name)
		}
	}
	return m
}

// The launcher depends on exactly the packages for all platforms, in their version.
func TestLauncherDependsOnPrograms(t *testing.T) {
	t.Chdir("../..")
	for _, p := range npmPrograms() {
		want := map[string]string{}
		for _, platform := range platforms {
			_, files := p.npmProgram(platform, "v1.2.3", nil)
			m := manifestOf(t, files)
			want[m.Name] = m.Version
		}
		name, files, err := p.npmLauncher("v1.2.3")
		if err != nil {
			t.Fatal(err)
		}
		m := manifestOf(t, files)
		if diff := cmp.Diff(want, m.Optional); diff != "" || len(want) != len(platforms) {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNPMProgram(t *testing.T) {
	name, files := programs[0].npmProgram("windows/amd64", "v1.2.3-rc.1", []file{{"calrules.exe", []byte("program"), executable}, {"LICENSE", []byte("text"), plain}})
	if name != "calrules-cli-win32-x64-1.2.3-rc.1.tgz" || len(files) != 3 || files[0].name != "bin/calrules.exe" || files[1].name != "LICENSE" {
		t.Errorf("%s has the files %v", name, files)
	}
	m := manifestOf(t, files)
	if diff := cmp.Diff([]string{"@calrules/cli-win32-x64", "1.2.3-rc.1", "win32", "x64"}, []string{m.Name, m.Version, m.OS[0], m.CPU[0]}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
