//go:build !unix

package command

import "os/exec"

func ownGroup(*exec.Cmd) {}

// endGroup kills a program, but not its child processes.
func endGroup(program *exec.Cmd) error { return program.Process.Kill() }
