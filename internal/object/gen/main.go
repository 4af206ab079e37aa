// Command gen writes schema_gen.go, the code that is derived from the member tables of a package:
//
//   - for each type with a table, the methods MarshalJSON, UnmarshalJSON, Equal and String, unless the package declares them;
//   - for a table that is declared with WithNonZero, the function for WithNonZero;
//   - if the table of the type in the argument is declared with WithNonZero, a set for each of its members.
//
// The generated comments mention the methods of that type. The command must be run in the directory of the package.
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
