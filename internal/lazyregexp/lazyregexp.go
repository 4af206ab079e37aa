// Package lazyregexp compiles regular expressions when they are first used, so that no program pays for them at
// startup. It is modeled on the package of the same name in the Go command.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expr, which it compiles on its first call.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
