//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the leader of a new process group, which the programs that it starts join.
func ownGroup(program *exec.Cmd) {
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	program.Cancel = func() error { return endGroup(program) }
}

// endGroup kills the process group of a program that has not been waited for.
func endGroup(program *exec.Cmd) error { return syscall.Kill(-program.Process.Pid, syscall.SIGKILL) }
