// Command empty is a WebAssembly module that does nothing, as a baseline for the loading time of the package.
package main

func main() {}
