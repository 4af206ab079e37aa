// Package lazyregexp compiles regular expressions on first use, to avoid the cost at startup. Package lazyregexp is modeled on
// the package of the same name in the Go command.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles expr on its first call and returns the compiled expression.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
