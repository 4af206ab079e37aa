package authority

import (
	"os"
	"syscall"
)

const sharingViolation syscall.Errno = 32 // ERROR_SHARING_VIOLATION

// openLocked opens a file that no other program can open at the same time. If another program has opened the file, the error is
// errLocked.
func openLocked(file string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(file)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch err {
	case nil:
		return os.NewFile(uintptr(handle), file), nil
	case sharingViolation:
		return nil, errLocked
	}
	return nil, &os.PathError{Op: "open", Path: file, Err: err}
}
