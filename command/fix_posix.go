//go:build !windows

package command

import (
	"os"
	"syscall"
)

// canReplace reports whether another file can take the place of a file, which then has no other name and the same owner.
func canReplace(file, other os.FileInfo, _ string) bool {
	of, isKnown := file.Sys().(*syscall.Stat_t)
	by, isOtherKnown := other.Sys().(*syscall.Stat_t)
	return isKnown && isOtherKnown && of.Nlink == 1 && of.Uid == by.Uid && of.Gid == by.Gid
}
