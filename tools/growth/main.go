// Growth counts the work that the library performs for inputs of sizes n and 2n, and prints a table of the inputs whose work
// grows the most. Growth fails if the work grows faster than the input, because the README promises that no input makes the
// library hang. The script .ci/growth runs this command.
package main

import "github.com/calrules/calrules/internal/growth"

func main() { growth.Main(subjects()) }

func check(err error) {
	if err != nil {
		panic(err)
	}
}
