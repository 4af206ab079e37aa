package proxy

import (
	"math"
	"runtime/debug"
)

// memoryLimit is the memory in bytes near which the garbage collector works harder. The memory for kept events and checks,
// 256 MiB by default, stays below it. The rest up to 512 MiB is for freed memory in pieces too small for the next body: a fifth
// on a busy machine.
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
