// Growth counts the work of the library for inputs of a size n and of 2n, and prints a table of the inputs whose work
// grows the most. It fails if the work grows faster than the input: the README promises that no input makes the library
// hang. .ci/growth runs it.
package main

import "github.com/calrules/calrules/internal/growth"

func main() { growth.Main(subjects()) }

func check(err error) {
	if err != nil {
		panic(err)
	}
}
