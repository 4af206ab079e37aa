// Package easy declares the types of package plain with the methods that easyjson generates. It is a separate package,
// because encoding/json would call the methods.
package easy

//go:generate go run ../gen
//go:generate go run github.com/mailru/easyjson/easyjson -all types_gen.go
