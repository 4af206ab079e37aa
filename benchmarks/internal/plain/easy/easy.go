// Package easy has the types of package plain with the methods that easyjson generates. The methods are in a package of their
// own, because encoding/json would call them.
package easy

//go:generate go run ../gen
//go:generate go run github.com/mailru/easyjson/easyjson -all types_gen.go
