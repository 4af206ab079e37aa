// Command gen writes the rule reference to the file that its argument names.
package main

import (
	"log"
	"os"

	"github.com/calrules/calrules/internal/reference"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	if len(os.Args) != 2 {
		log.Fatal("name the file to write, and nothing else")
	}
	text := reference.Markdown(reference.Docs())
	if err := os.WriteFile(os.Args[1], []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}
