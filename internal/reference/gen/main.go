// Command gen writes the generated files of package reference under the given directory, which must be the root of the
// repository.
package main

import (
	"fmt"
	"os"

	"github.com/calrules/calrules/internal/reference"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FOLDER")
		os.Exit(2)
	}
	if err := reference.Write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
