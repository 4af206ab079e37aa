// Command empty is a WebAssembly module that does nothing, to compare the time that the package takes to load.
package main

func main() {}
