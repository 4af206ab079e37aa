//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// isClosed reports whether a standard stream was closed when the program started. The Go runtime then
// opens the null device in its place, for reading and writing, so that writing seems to succeed.
// A shell opens it for writing only.
func isClosed(stream *os.File) bool {
	flags, err := unix.FcntlInt(stream.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return err != nil
	}
	null, errNull := os.Stat(os.DevNull)
	is, errIs := stream.Stat()
	return errNull == nil && errIs == nil && os.SameFile(null, is)
}
