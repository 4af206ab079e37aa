//go:build !windows

package command

import (
	"os"
	"syscall"
)

// canReplace reports whether other can replace file: file must have no other hard link, and must have the same owner and group
// as other.
func canReplace(file, other os.FileInfo, _ string) bool {
	of, isKnown := file.Sys().(*syscall.Stat_t)
	by, isOtherKnown := other.Sys().(*syscall.Stat_t)
	return isKnown && isOtherKnown && of.Nlink == 1 && of.Uid == by.Uid && of.Gid == by.Gid
}
