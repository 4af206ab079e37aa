// Package lazyregexp compiles regular expressions when they are first needed, so that no program pays for them at
// startup. Its model is the package of the same name in the Go command.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles a regular expression once and returns it.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
