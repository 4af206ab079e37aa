//go:build !unix

package command

import "os/exec"

func ownGroup(*exec.Cmd) {}

// endGroup kills a program, but not the programs that it has started.
func endGroup(program *exec.Cmd) error { return program.Process.Kill() }
