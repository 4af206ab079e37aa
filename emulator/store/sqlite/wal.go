package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// errDamaged is returned by [Open] if a file is truncated, or if committed changes in its log cannot be read. SQLite would
// silently ignore committed changes that it cannot read.
var errDamaged = errors.New("the file or its log is damaged, and changes in them would be lost; restore both from a copy, or remove the log, FILE-wal, to go on without it")

// The format of the log is described at https://sqlite.org/fileformat2.html#walformat. A header is followed by frames, each of
// which contains a page. Numbers are big-endian, but checksums may be computed over little-endian numbers.
const (
	headerSize      = 32
	frameHeaderSize = 24
	minPageSize     = 512
	maxPageSize     = 65536
	walMagic        = 0x377f0682 // plus 1 if checksums are computed over big-endian numbers
)

// check returns an error if a file or its log contains committed changes that SQLite would not read. Another process may be
// writing to the file, so check tries twice.
func check(file string) error {
	for range 2 {
		log, err := os.ReadFile(file + "-wal")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sqlite: %w", err)
		}
		size := int64(0)
		if about, err := os.Stat(file); err == nil && about.Mode().IsRegular() {
			size = about.Size()
		}
		isEmpty := len(log) < headerSize
		switch {
		case isEmpty && size%minPageSize == 0:
			return nil
		case !isEmpty && size > 0 && isReadable(log): // if the file is empty, SQLite removes the log
			return nil
		}
		time.Sleep(patience * time.Millisecond / 10)
	}
	return fmt.Errorf("sqlite: %s: %w", file, errDamaged)
}

// isReadable reports whether SQLite can read all committed changes in a log. Committed changes may be followed by the
// remains of a failed change or an earlier log.
func isReadable(log []byte) bool {
	if len(log) < headerSize {
		return true // never written
	}
	header := log[:headerSize]
	sum := checksum{order: binary.LittleEndian}
	if magic := binary.BigEndian.Uint32(header); magic == walMagic+1 {
		sum.order = binary.BigEndian
	} else if magic != walMagic {
		return false
	}
	if sum.add(header[:24]); !sum.is(header[24:]) {
		return false
	}
	pageSize := int(binary.BigEndian.Uint32(header[8:]))
	if pageSize < minPageSize || pageSize > maxPageSize {
		return false
	}
	salts, isWhole := header[16:24], true
	for rest := log[headerSize:]; len(rest) >= frameHeaderSize+pageSize; rest = rest[frameHeaderSize+pageSize:] {
		isOfLog := bytes.Equal(rest[8:16], salts)
		if isWhole {
			sum.add(rest[:8])
			sum.add(rest[frameHeaderSize : frameHeaderSize+pageSize])
			isWhole = isOfLog && sum.is(rest[16:frameHeaderSize])
		}
		isCommit := binary.BigEndian.Uint32(rest[4:]) != 0
		if !isWhole && isOfLog && isCommit {
			return false
		}
	}
	return true
}

// checksum is a cumulative checksum of a log.
type checksum struct {
	order binary.ByteOrder
	a, b  uint32
}

// add adds data to the checksum. The length of data must be a multiple of eight bytes.
func (s *checksum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		s.a += s.order.Uint32(data) + s.b
		s.b += s.order.Uint32(data[4:]) + s.a
	}
}

// is reports whether the checksum equals a checksum written in a log.
func (s *checksum) is(written []byte) bool {
	return s.a == binary.BigEndian.Uint32(written) && s.b == binary.BigEndian.Uint32(written[4:])
}
