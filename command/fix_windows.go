package command

import (
	"os"
	"syscall"
)

// canReplace reports whether another file can replace the named file, which must have no other hard link.
func canReplace(_, _ os.FileInfo, name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var info syscall.ByHandleFileInformation
	err = syscall.GetFileInformationByHandle(syscall.Handle(file.Fd()), &info)
	return err == nil && info.NumberOfLinks == 1
}
