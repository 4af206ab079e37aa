// Command gen writes the reference documentation to the folder that its argument names.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/calrules/calrules/internal/reference"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	if len(os.Args) != 2 {
		log.Fatal("name the folder to write to, and nothing else")
	}
	for _, file := range reference.Files() {
		if err := os.WriteFile(filepath.Join(os.Args[1], file.Name), []byte(file.Text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
