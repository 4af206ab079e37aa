// Command gen writes the generated file of package typescript under the given directory, which must be the root of the
// repository.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/calrules/calrules/internal/typescript"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(root string) error {
	source, err := typescript.Source(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, typescript.Name), []byte(source), 0o644)
}
