// Command gen writes schema_gen.go, the code of a package that follows from its tables of members:
//
//   - For each type with a table, the methods MarshalJSON, UnmarshalJSON, Equal and String that the package does not declare.
//   - For a table that is declared with WithNonZero, a set for each of its members, and the function.
//
// Its argument is the type whose methods the comments refer to. It runs in the folder of the package.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: gen TYPE")
	}
	text, err := generate(".", os.Args[1])
	if err == nil {
		err = os.WriteFile(fileName, text, 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}
