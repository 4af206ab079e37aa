// Command image builds the OCI image of the emulator from its Linux archives, without a container engine or a base image.
// The command writes the image as an archive in the OCI image layout (https://github.com/opencontainers/image-spec), which
// engines can load, and adds its checksum to the checksums of the release. The output is reproducible: the same archives
// result in the same bytes.
//
//	go -C tools/image run . -out ../../dist ../../dist/calrules-emulator_1.2.3_linux_*.tar.gz
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	out := flag.String("out", ".", "folder to write to")
	flag.Parse()
	if err := run(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

const program = "calrules-emulator"

// The image runs as the user nobody, whose home directory is the directory for the calendar file.
const (
	nobody = 65532
	data   = "data"
)

// archiveForm matches the name of an archive, with groups for the version and the processor.
var archiveForm = regexp.MustCompile(`^` + program + `_(.+)_linux_([a-z0-9]+)\.tar\.gz$`)

// run builds and writes the image from the archives.
func run(out string, archives []string) error {
	if len(archives) == 0 {
		return errors.New("it requires archives of the emulator for Linux")
	}
	var version string
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, archive := range archives {
		found := archiveForm.FindStringSubmatch(filepath.Base(archive))
		if found == nil {
			return fmt.Errorf("%s is not the name of an archive of the emulator for Linux", archive)
		}
		if version != "" && found[1] != version {
			return fmt.Errorf("%s has another version than %s", archive, version)
		}
		version = found[1]
		platform := v1.Platform{OS: "linux", Architecture: found[2]}
		image, err := imageOf(archive, version, platform)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	var text bytes.Buffer
	if err := write(&text, index, version); err != nil {
		return err
	}
	name := program + "_" + version + "_oci.tar"
	if err := os.WriteFile(filepath.Join(out, name), text.Bytes(), 0o666); err != nil {
		return err
	}
	sums, err := os.OpenFile(filepath.Join(out, "checksums.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sums, "%x  %s\n", sha256.Sum256(text.Bytes()), name)
	return errors.Join(err, sums.Close())
}

// imageOf returns the image for a platform, built from an archive.
func imageOf(archive, version string, platform v1.Platform) (v1.Image, error) {
	files, at, err := layerOf(archive)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithCompressedCaching)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, MediaType: types.OCILayer, History: v1.History{Created: v1.Time{Time: at}, CreatedBy: program + " " + version}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = platform.OS, platform.Architecture, v1.Time{Time: at}
	config.Config = v1.Config{
		Entrypoint: []string{"/" + program}, Cmd: []string{"--addr", "0.0.0.0:8085"}, ExposedPorts: map[string]struct{}{"8085/tcp": {}},
		User: fmt.Sprintf("%d:%d", nobody, nobody), WorkingDir: "/" + data,
		Labels: map[string]string{"org.opencontainers.image.title": program, "org.opencontainers.image.version": version},
	}
	return mutate.ConfigFile(image, config)
}

// layerOf returns the files in an archive as an uncompressed layer, without their directory, and the common modification time
// of the files.
func layerOf(archive string) (layer []byte, at time.Time, err error) {
	file, err := os.Open(archive)
	if err != nil {
		return nil, at, err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return nil, at, err
	}
	var b bytes.Buffer
	to := tar.NewWriter(&b)
	hasProgram := false
	for from := tar.NewReader(plain); ; {
		header, err := from.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, at, err
		}
		_, name, ok := strings.Cut(header.Name, "/")
		if !ok || header.Typeflag != tar.TypeReg || !fs.ValidPath(name) {
			return nil, at, fmt.Errorf("it has %s, which is not a file in a folder", header.Name)
		}
		at, hasProgram = header.ModTime.UTC(), hasProgram || name == program
		if err := to.WriteHeader(&tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: name, Mode: header.Mode, Size: header.Size, ModTime: at}); err != nil {
			return nil, at, err
		}
		if _, err := io.Copy(to, from); err != nil {
			return nil, at, err
		}
	}
	if !hasProgram {
		return nil, at, errors.New("it has no " + program)
	}
	home := &tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeDir, Name: data + "/", Mode: 0o700, Uid: nobody, Gid: nobody, ModTime: at}
	if err := errors.Join(to.WriteHeader(home), to.Close()); err != nil {
		return nil, at, err
	}
	return b.Bytes(), at, nil
}

// write writes the image layout as an archive. Engines load the image under the name in its annotation.
func write(out io.Writer, index v1.ImageIndex, version string) error {
	folder, err := os.MkdirTemp("", "image")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	written, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := written.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": program + ":" + version})); err != nil {
		return err
	}
	archive := tar.NewWriter(out)
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error { // in lexical order
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		header := &tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: path.Clean(name), Mode: 0o644, Size: int64(len(text)), ModTime: time.Unix(0, 0)}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err = archive.Write(text)
		return err
	})
	return errors.Join(err, archive.Close())
}
