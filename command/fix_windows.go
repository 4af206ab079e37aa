package command

import (
	"os"
	"syscall"
)

// canReplace reports whether another file can replace the file of the given name, which must have no other name.
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
