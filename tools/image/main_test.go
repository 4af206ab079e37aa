package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

var at = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

// archive writes an archive with files, whose names are below a folder, and returns its name.
func archive(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	to := tar.NewWriter(compressed)
	for _, file := range []string{"LICENSE", program, "../x"} {
		text, ok := files[file]
		if !ok {
			continue
		}
		if err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "folder/" + file, Mode: 0o755, Size: int64(len(text)), ModTime: at}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(to, text)
	}
	to.Close()
	compressed.Close()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// unpack writes the files of a tar archive to a folder, and returns it.
func unpack(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for from := tar.NewReader(bytes.NewReader(text)); ; {
		header, err := from.Next()
		if err == io.EOF {
			return folder
		} else if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(folder, header.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		inside, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, inside, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The image that is written is read back: it is valid, has the files of the archives for each platform, and starts the
// emulator as nobody.
func TestReadBack(t *testing.T) {
	out := t.TempDir()
	amd := archive(t, "calrules-emulator_1.2.3-rc.1_linux_amd64.tar.gz", map[string]string{"LICENSE": "text", program: "for amd64"})
	arm := archive(t, "calrules-emulator_1.2.3-rc.1_linux_arm64.tar.gz", map[string]string{"LICENSE": "text", program: "for arm64"})
	if err := run(out, []string{amd, arm}); err != nil {
		t.Fatal(err)
	}
	top, err := layout.ImageIndexFromPath(unpack(t, filepath.Join(out, "calrules-emulator_1.2.3-rc.1_oci.tar")))
	if err != nil {
		t.Fatal(err)
	}
	names, err := top.IndexManifest()
	if err != nil || len(names.Manifests) != 1 || names.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "calrules-emulator:1.2.3-rc.1" {
		t.Fatalf("%+v, %v", names, err)
	}
	index, err := top.ImageIndex(names.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 2 {
		t.Fatalf("%+v, %v", manifest, err)
	}
	for i, processor := range []string{"amd64", "arm64"} {
		found := manifest.Manifests[i]
		if !found.Platform.Equals(v1.Platform{OS: "linux", Architecture: processor}) {
			t.Errorf("the platform is %s", found.Platform)
		}
		image, err := index.Image(found.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		want := v1.Config{
			Entrypoint: []string{"/calrules-emulator"}, Cmd: []string{"--addr", "0.0.0.0:8085"}, ExposedPorts: map[string]struct{}{"8085/tcp": {}}, User: "65532:65532", WorkingDir: "/data",
			Labels: map[string]string{"org.opencontainers.image.title": "calrules-emulator", "org.opencontainers.image.version": "1.2.3-rc.1"},
		}
		if diff := cmp.Diff(want, config.Config); diff != "" || config.Architecture != processor || config.OS != "linux" || !config.Created.Equal(at) {
			t.Errorf("%+v (-want +got):\n%s", config, diff)
		}
		files := map[string]string{}
		content := mutate.Extract(image)
		for from := tar.NewReader(content); ; {
			header, err := from.Next()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(from)
			if err != nil || !header.ModTime.Equal(at) {
				t.Errorf("%s is of %s, %v", header.Name, header.ModTime, err)
			}
			files[header.Name] = string(text)
			if isHome := header.Name == "data"; isHome != (header.Uid == 65532) || header.Name == program && header.Mode != 0o755 {
				t.Errorf("%+v", header)
			}
		}
		content.Close()
		if diff := cmp.Diff(map[string]string{"LICENSE": "text", program: "for " + processor, "data": ""}, files); diff != "" {
			t.Errorf("the files (-want +got):\n%s", diff)
		}
	}
	sums, err := os.ReadFile(filepath.Join(out, "checksums.txt"))
	if err != nil || !strings.HasSuffix(string(sums), "  calrules-emulator_1.2.3-rc.1_oci.tar\n") {
		t.Errorf("the checksums are %q, %v", sums, err)
	}
}

// The same archives give the same image.
func TestReproducible(t *testing.T) {
	var first []byte
	for range 2 {
		out := t.TempDir()
		if err := run(out, []string{archive(t, "calrules-emulator_1.2.3_linux_amd64.tar.gz", map[string]string{program: "x"})}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(out, "calrules-emulator_1.2.3_oci.tar"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		} else if !bytes.Equal(first, text) {
			t.Error("the second image differs")
		}
	}
}

// What is not an archive of the emulator is refused.
func TestNotArchives(t *testing.T) {
	good := archive(t, "calrules-emulator_1.2.3_linux_amd64.tar.gz", map[string]string{program: "x"})
	text := filepath.Join(t.TempDir(), "calrules-emulator_1.2.3_linux_arm64.tar.gz")
	if err := os.WriteFile(text, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, archives := range [][]string{
		nil, {"calrules_1.2.3_linux_amd64.tar.gz"}, {"calrules-emulator_1.2.3_windows_amd64.zip"}, {text}, {filepath.Join(t.TempDir(), filepath.Base(good))},
		{good, archive(t, "calrules-emulator_1.2.4_linux_arm64.tar.gz", map[string]string{program: "x"})},
		{archive(t, "calrules-emulator_1.2.3_linux_amd64.tar.gz", map[string]string{"LICENSE": "x"})},
		{archive(t, "calrules-emulator_1.2.3_linux_amd64.tar.gz", map[string]string{program: "x", "../x": "x"})},
	} {
		out := t.TempDir()
		if err := run(out, archives); err == nil {
			t.Errorf("%q: no error", archives)
		}
		if written, err := os.ReadDir(out); err != nil || len(written) > 0 {
			t.Errorf("%q: %v was written, %v", archives, written, err)
		}
	}
}
