module github.com/calrules/calrules/tools/mutation

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	golang.org/x/tools v0.51.0
)

require (
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
)
