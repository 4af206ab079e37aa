//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the first of a group of processes, which has the programs that it starts too.
func ownGroup(program *exec.Cmd) {
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	program.Cancel = func() error { return endGroup(program) }
}

// endGroup ends the group of a program that is not waited for yet.
func endGroup(program *exec.Cmd) error { return syscall.Kill(-program.Process.Pid, syscall.SIGKILL) }
