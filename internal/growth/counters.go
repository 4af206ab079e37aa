package growth

import (
	"bytes"
	"encoding/binary"
	"runtime/coverage"
)

// operations runs f and returns the number of basic blocks in the instrumented packages that f executes.
func operations(f func()) uint64 {
	check(coverage.ClearCounters())
	f()
	var file bytes.Buffer
	check(coverage.WriteCounters(&file))
	return sum(file.Bytes())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// sum adds the counters in a file in the format of package internal/coverage. The file consists of a header, a table of
// strings, and an entry for each executed function: the number of counters, the numbers of the package and the function, and
// the counters.
func sum(file []byte) (total uint64) {
	const header, flavor, uleb128 = 32, 24, 2
	if len(file) < header+16 || file[flavor] != uleb128 {
		panic("the counters have another format than in Go 1.26")
	}
	functions := binary.LittleEndian.Uint64(file[header:])
	strings := binary.LittleEndian.Uint32(file[header+8:])
	args := binary.LittleEndian.Uint32(file[header+12:])
	at := header + 16 + int(strings+args)
	at += -at & 3
	next := func() uint64 {
		n, size := binary.Uvarint(file[at:])
		at += size
		return n
	}
	for range functions {
		counters := next()
		next()
		next()
		for range counters {
			total += next()
		}
	}
	return total
}
