package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	files = []file{{"calrules", []byte("program"), 0o755}, {"LICENSE", []byte("text"), 0o644}}
	at    = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
)

// write returns an archive of the files.
func write(t *testing.T, archive func(io.Writer, string, []file, time.Time) error, files []file, at time.Time) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := archive(&b, "calrules_1", files, at); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The same files give the same archive, in any order and time zone.
func TestReproducible(t *testing.T) {
	reversed := slices.Clone(files)
	slices.Reverse(reversed)
	elsewhere := at.In(time.FixedZone("", 3600))
	for name, archive := range map[string]func(io.Writer, string, []file, time.Time) error{"tar": writeTar, "zip": writeZip} {
		first := write(t, archive, files, at)
		if !bytes.Equal(first, write(t, archive, reversed, elsewhere)) {
			t.Errorf("%s: two archives of the same files differ", name)
		}
		if bytes.Equal(first, write(t, archive, files[:1], at)) {
			t.Errorf("%s: archives of different files are equal", name)
		}
	}
}

func TestTar(t *testing.T) {
	compressed, err := gzip.NewReader(bytes.NewReader(write(t, writeTar, files, at)))
	if err != nil {
		t.Fatal(err)
	}
	var got []file
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil || !header.ModTime.Equal(at) {
			t.Errorf("%s is of %v, with the error %v", header.Name, header.ModTime, err)
		}
		got = append(got, file{header.Name, text, header.Mode})
	}
	want := []file{{"calrules_1/LICENSE", []byte("text"), 0o644}, {"calrules_1/calrules", []byte("program"), 0o755}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(file{})); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestZip(t *testing.T) {
	text := write(t, writeZip, files, at)
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
		if !f.Modified.Equal(at) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
	}
	if diff := cmp.Diff([]string{"calrules_1/LICENSE", "calrules_1/calrules"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"1.2.3"}, {"v1.2"}, {"v2.0.0"}, {"v1.2.3 -X"}, {"v1.2.3", "v1.2.4"}} {
		if release(t.TempDir(), nil, args) == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
