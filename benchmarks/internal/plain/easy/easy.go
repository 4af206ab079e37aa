// Package easy declares the types of package plain with the methods that easyjson generates. The package is separate
// because encoding/json would call those methods.
package easy

//go:generate go run ../gen
//go:generate go run github.com/mailru/easyjson/easyjson -all types_gen.go
