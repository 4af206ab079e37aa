package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a file in an archive.
type file struct {
	name string
	text []byte
	mode int64
}

// sorted returns the files, moved to a directory and sorted by name.
func sorted(folder string, files []file) []file {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	for i := range files {
		files[i].name = path.Join(folder, files[i].name)
	}
	return files
}

// writeTar writes a compressed tar archive. The same files and time result in identical archives.
func writeTar(out io.Writer, folder string, files []file, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range sorted(folder, files) {
		header := &tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: at}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

// writeZip is like writeTar, but writes a zip archive.
func writeZip(out io.Writer, folder string, files []file, at time.Time) error {
	archive := zip.NewWriter(out)
	for _, f := range sorted(folder, files) {
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at.UTC()})
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}
