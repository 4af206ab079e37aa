// Package example has mutants of all fates.
package example

// Larger returns the larger number.
func Larger(x, y int) int {
	if x > y {
		return x
	}
	return y
}

// Sum adds numbers.
func Sum(numbers []int) int {
	sum := 0
	for i := 0; i < len(numbers); i++ {
		sum += numbers[i]
	}
	return sum
}

// Between has a test that is too weak.
func Between(x, low, high int) bool {
	return low <= x && x <= high
}

// Not has a test that sees only one outcome of its condition.
func Not(b bool) bool {
	return !b
}

// Twice has no test.
func Twice(x int) int {
	return x * two
}

const two = 1 + 1
