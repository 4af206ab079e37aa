module github.com/calrules/calrules/npm

go 1.26.0

require (
	github.com/calrules/calrules v0.0.0
	github.com/google/go-cmp v0.7.0
)

require github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect

replace github.com/calrules/calrules => ../
