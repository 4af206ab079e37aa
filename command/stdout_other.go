//go:build !unix

package command

import "os"

// isClosed reports whether a standard stream was closed when the program started, where that can be
// known.
func isClosed(*os.File) bool { return false }
