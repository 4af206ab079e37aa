//go:build !windows

package command

import (
	"os"
	"syscall"
)

// canReplace reports whether other can replace file: file has no other name, and both have the same owner.
func canReplace(file, other os.FileInfo, _ string) bool {
	of, isKnown := file.Sys().(*syscall.Stat_t)
	by, isOtherKnown := other.Sys().(*syscall.Stat_t)
	return isKnown && isOtherKnown && of.Nlink == 1 && of.Uid == by.Uid && of.Gid == by.Gid
}
