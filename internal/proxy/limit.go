package proxy

import (
	"math"
	"runtime/debug"
)

// memoryLimit is the soft memory limit in bytes, near which the garbage collector works harder. Remembered events and checks
// use less memory, by default 256 MiB. The rest is for fragments of freed memory that are too small for the next body: a fifth
// of the memory on a busy machine.
const memoryLimit = 352 << 20

// LimitMemory sets the soft memory limit of the process, unless GOMEMLIMIT has already set a limit. The returned function
// restores the previous limit.
func LimitMemory() (restore func()) {
	was := debug.SetMemoryLimit(-1)
	if was == math.MaxInt64 {
		debug.SetMemoryLimit(memoryLimit)
	}
	return func() { debug.SetMemoryLimit(was) }
}
