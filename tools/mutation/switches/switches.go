// Package switches is the code that the command mutation adds to a package: each operator of the package becomes a call
// that acts as another operator if a certain mutant is active. A program has one active mutant, or none, for its whole
// life. The names start with mutant so that they differ from the package's own.
package switches

import (
	"cmp"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// The environment variables that name the active mutant, and the file for the numbers of the mutants that the program
// reaches.
const (
	mutantVariable      = "MUTATION_MUTANT"
	mutantTraceVariable = "MUTATION_TRACE"
)

var (
	mutantActive = mutantNumber(os.Getenv(mutantVariable))
	mutantTrace  = mutantTracer{path: os.Getenv(mutantTraceVariable)}
	mutantTraced = mutantTrace.path != ""
)

// mutantNumber returns the number of a mutant, or -1 for none.
func mutantNumber(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return -1
}

// mutantIs reports whether mutant n is active. Mutants are numbered from 1; 0 means that an operator has no such
// mutant.
func mutantIs(n int) bool { return mutantActive == n || mutantTraced && mutantTrace.reach(n) }

// mutantTracer writes the number of each mutant to a file when the program reaches it for the first time.
type mutantTracer struct {
	path string
	seen [1 << 16]atomic.Bool // by number
	mu   sync.Mutex
	file *os.File
}

// reach returns false, since no mutant is active in a traced program.
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

// mutantJoin has no mutant: strings have no other operator.
func mutantJoin[T ~string](_ int, x, y T) T { return x + y }

// mutantUpdate is an assignment such as *x += y. In the mutant remove it is *x = y.
func mutantUpdate[T any](op func(int, T, T) T, n, remove int, x *T, y T) {
	if mutantIs(remove) {
		*x = y
		return
	}
	*x = op(n, *x, y)
}

// mutantShift is an assignment such as *x <<= y.
func mutantShift[T, S mutantInteger](op func(int, T, S) T, n int, x *T, y S) { *x = op(n, *x, y) }

// mutantSeen returns c. In a traced program, it reaches n if c is true, and n+1 if c is false.
func mutantSeen[T ~bool](n int, c T) T {
	if c {
		mutantIs(n)
	} else {
		mutantIs(n + 1)
	}
	return c
}

// mutantFixed returns c, or true in the mutant isTrue, or false in the mutant isFalse. It reaches only the mutant that
// differs from c.
func mutantFixed[T ~bool](isTrue, isFalse int, c T) T {
	if c {
		return T(!mutantIs(isFalse))
	}
	return T(mutantIs(isTrue))
}

// mutantNext is a number, or the next number in the mutant.
func mutantNext[T mutantInteger](n int, x T) T {
	if mutantIs(n) {
		return x + 1
	}
	return x
}

// mutantOther is x, or other in the mutant.
func mutantOther[T any](n int, x, other T) T {
	if mutantIs(n) {
		return other
	}
	return x
}

// mutantCopy returns a copy of x, or x itself in the mutant.
func mutantCopy[T any](n int, copied func(T) T, x T) T {
	if mutantIs(n) {
		return x
	}
	return copied(x)
}

// mutantReverse is the result of a comparison, or of the reverse comparison in the mutant.
func mutantReverse(n, order int) int {
	if mutantIs(n) {
		return -order
	}
	return order
}

// mutantFirst calls cmp.Or. In the mutant, it swaps the first two values.
func mutantFirst[T any](n int, or func(...T) T, values ...T) T {
	if mutantIs(n) {
		values = append([]T{values[1], values[0]}, values[2:]...)
	}
	return or(values...)
}

// mutantOrder returns a list. Mutant n swaps the first two elements, the next mutant the second and the third, and so
// on.
func mutantOrder[S ~[]E, E any](n int, list S) S {
	for i := range len(list) - 1 {
		if mutantIs(n + i) {
			list[i], list[i+1] = list[i+1], list[i]
		}
	}
	return list
}
