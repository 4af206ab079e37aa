//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the leader of a new process group, to which its child processes belong.
func ownGroup(program *exec.Cmd) {
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	program.Cancel = func() error { return endGroup(program) }
}

// endGroup kills the process group of a program, and must be called before Wait.
func endGroup(program *exec.Cmd) error { return syscall.Kill(-program.Process.Pid, syscall.SIGKILL) }
