package proxy

import (
	"math"
	"runtime/debug"
)

// memoryLimit is the soft memory limit in bytes, near which the garbage collector works harder. Kept events and checks use less
// memory, 256 MiB by default. The rest up to 512 MiB allows for fragments of freed memory that are too small for the next body:
// a fifth on a busy machine.
const memoryLimit = 352 << 20

// LimitMemory sets the soft limit of the memory of the process, unless GOMEMLIMIT has set a limit. The returned function
// restores the previous limit.
func LimitMemory() (restore func()) {
	was := debug.SetMemoryLimit(-1)
	if was == math.MaxInt64 {
		debug.SetMemoryLimit(memoryLimit)
	}
	return func() { debug.SetMemoryLimit(was) }
}
