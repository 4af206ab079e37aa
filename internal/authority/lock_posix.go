//go:build !windows

package authority

import (
	"os"
	"syscall"
)

// openLocked opens and locks a file. If another program has locked the file, the error is errLocked.
func openLocked(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if err == syscall.EWOULDBLOCK {
			return nil, errLocked
		}
		return nil, &os.PathError{Op: "lock", Path: file, Err: err}
	}
	return f, nil
}
