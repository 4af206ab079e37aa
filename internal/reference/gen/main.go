// Command gen writes the generated files of package reference below a folder, the root of the
// repository.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/calrules/calrules/internal/reference"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FOLDER")
		os.Exit(2)
	}
	for _, file := range reference.Files() {
		if err := os.WriteFile(filepath.Join(os.Args[1], file.Name), []byte(file.Text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
