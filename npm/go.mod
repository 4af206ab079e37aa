module github.com/calrules/calrules/npm

go 1.26.0

require (
	github.com/calrules/calrules v0.0.0
	github.com/google/go-cmp v0.7.0
)

replace github.com/calrules/calrules => ../
