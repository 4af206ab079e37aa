module github.com/calrules/calrules/benchmarks

go 1.26.0

require github.com/calrules/calrules v0.0.0

require (
	github.com/evanphx/json-patch/v5 v5.9.11
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
)

replace github.com/calrules/calrules => ../
