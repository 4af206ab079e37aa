// Package switches contains the code that the mutation command adds to a package. Each operator in the package becomes a call
// that acts as a different operator if a certain mutant is active. At most one mutant is active in a process. All names start
// with mutant, to avoid conflicts with the names in the package.
package switches

import (
	"cmp"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// The environment variables for the number of the active mutant, and for the file to which the numbers of reached mutants
// are written.
const (
	mutantVariable      = "MUTATION_MUTANT"
	mutantTraceVariable = "MUTATION_TRACE"
)

var (
	mutantActive = mutantNumber(os.Getenv(mutantVariable))
	mutantTrace  = mutantTracer{path: os.Getenv(mutantTraceVariable)}
	mutantTraced = mutantTrace.path != ""
)

// mutantNumber parses the number of a mutant, and returns -1 if there is no number.
func mutantNumber(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return -1
}

// mutantIs reports whether mutant n is active. Mutants are numbered from 1; 0 means that there is no such mutant.
func mutantIs(n int) bool { return mutantActive == n || mutantTraced && mutantTrace.reach(n) }

// mutantTracer writes the number of each mutant to a file when the program first reaches it.
type mutantTracer struct {
	path string
	seen [1 << 16]atomic.Bool // by mutant number
	mu   sync.Mutex
	file *os.File
}

// reach records that mutant n was reached, and returns false, because no mutant is active in a traced program.
func (t *mutantTracer) reach(n int) bool {
	if t.seen[n].Load() || t.seen[n].Swap(true) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		file, err := os.OpenFile(t.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
		if err != nil {
			panic(err)
		}
		t.file = file
	}
	if _, err := t.file.WriteString(strconv.Itoa(n) + "\n"); err != nil {
		panic(err)
	}
	return false
}

func mutantLess[T cmp.Ordered](n int, x, y T) bool {
	if mutantIs(n) {
		return x <= y
	}
	return x < y
}

func mutantLessEqual[T cmp.Ordered](n int, x, y T) bool {
	if mutantIs(n) {
		return x < y
	}
	return x <= y
}

func mutantGreater[T cmp.Ordered](n int, x, y T) bool {
	if mutantIs(n) {
		return x >= y
	}
	return x > y
}

func mutantGreaterEqual[T cmp.Ordered](n int, x, y T) bool {
	if mutantIs(n) {
		return x > y
	}
	return x >= y
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantReal interface {
	mutantInteger | ~float32 | ~float64
}

func mutantAdd[T mutantReal](n int, x, y T) T {
	if mutantIs(n) {
		return x - y
	}
	return x + y
}

func mutantSub[T mutantReal](n int, x, y T) T {
	if mutantIs(n) {
		return x + y
	}
	return x - y
}

func mutantMul[T mutantReal](n int, x, y T) T {
	if mutantIs(n) {
		return x / y
	}
	return x * y
}

func mutantDiv[T mutantReal](n int, x, y T) T {
	if mutantIs(n) {
		return x * y
	}
	return x / y
}

func mutantRem[T mutantInteger](n int, x, y T) T {
	if mutantIs(n) {
		return x * y
	}
	return x % y
}

func mutantAnd[T mutantInteger](n int, x, y T) T {
	if mutantIs(n) {
		return x | y
	}
	return x & y
}

func mutantOr[T mutantInteger](n int, x, y T) T {
	if mutantIs(n) {
		return x & y
	}
	return x | y
}

func mutantXor[T mutantInteger](n int, x, y T) T {
	if mutantIs(n) {
		return x & y
	}
	return x ^ y
}

func mutantAndNot[T mutantInteger](n int, x, y T) T {
	if mutantIs(n) {
		return x & y
	}
	return x &^ y
}

func mutantShl[T, S mutantInteger](n int, x T, y S) T {
	if mutantIs(n) {
		return x >> y
	}
	return x << y
}

func mutantShr[T, S mutantInteger](n int, x T, y S) T {
	if mutantIs(n) {
		return x << y
	}
	return x >> y
}

// mutantJoin has no mutant, because there is no other operator for strings.
func mutantJoin[T ~string](_ int, x, y T) T { return x + y }

// mutantUpdate performs an assignment such as *x += y or, if mutant remove is active, *x = y.
func mutantUpdate[T any](op func(int, T, T) T, n, remove int, x *T, y T) {
	if mutantIs(remove) {
		*x = y
		return
	}
	*x = op(n, *x, y)
}

// mutantShift performs an assignment such as *x <<= y.
func mutantShift[T, S mutantInteger](op func(int, T, S) T, n int, x *T, y S) { *x = op(n, *x, y) }

// mutantSeen returns c. In a traced program, mutantSeen reaches n if c is true, and n+1 if c is false.
func mutantSeen[T ~bool](n int, c T) T {
	if c {
		mutantIs(n)
	} else {
		mutantIs(n + 1)
	}
	return c
}

// mutantFixed returns true if mutant isTrue is active, false if mutant isFalse is active, and otherwise c. Only the mutant
// that differs from c is reached.
func mutantFixed[T ~bool](isTrue, isFalse int, c T) T {
	if c {
		return T(!mutantIs(isFalse))
	}
	return T(mutantIs(isTrue))
}

// mutantNext returns x or, if the mutant is active, x+1.
func mutantNext[T mutantInteger](n int, x T) T {
	if mutantIs(n) {
		return x + 1
	}
	return x
}

// mutantOther returns x or, if the mutant is active, other.
func mutantOther[T any](n int, x, other T) T {
	if mutantIs(n) {
		return other
	}
	return x
}

// mutantCopy returns a copy of x or, if the mutant is active, x itself.
func mutantCopy[T any](n int, copied func(T) T, x T) T {
	if mutantIs(n) {
		return x
	}
	return copied(x)
}

// mutantReverse returns the result of a comparison or, if the mutant is active, the reverse.
func mutantReverse(n, order int) int {
	if mutantIs(n) {
		return -order
	}
	return order
}

// mutantFirst calls cmp.Or. If the mutant is active, mutantFirst swaps the first two values.
func mutantFirst[T any](n int, or func(...T) T, values ...T) T {
	if mutantIs(n) {
		values = append([]T{values[1], values[0]}, values[2:]...)
	}
	return or(values...)
}

// mutantOrder returns a list. Mutant n swaps the first and second elements, mutant n+1 the second and third, and so on.
func mutantOrder[S ~[]E, E any](n int, list S) S {
	for i := range len(list) - 1 {
		if mutantIs(n + i) {
			list[i], list[i+1] = list[i+1], list[i]
		}
	}
	return list
}
