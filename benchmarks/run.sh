#!/usr/bin/env bash
# Measures calrules beside other libraries and writes docs/performance.md. The times of a busy
# machine mean nothing; the ratios of one run mean something, and those of six runs more.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${COUNT:-6}
time=${BENCHTIME:-200ms}
bench() { go test -run '^$' -bench "$1" -benchtime "$time" -count "$count" "$2"; }

{
	cat <<-'EOF'
		# Performance

		Made by `benchmarks/run.sh`; do not edit. Each row is the median of the ratios of times of one
		run, ours to theirs: below 1 is faster. The allocations are those of one operation.

		- **DecodeAndCheck**: an insert from bytes to findings, against encoding/json decoding the same
		  bytes into the same struct, without any check.
		- **Expand**: the instances of a recurrence rule, an occurrence an operation, against rrule-go.
		- **Check**: all rules of an insert put to a decoded event, against go-playground/validator with
		  the tags that the event carries, which are the rules about single fields, and against a JSON
		  Schema that says about the same as these.
		- **Merge**: a merge patch (RFC 7396) of one JSON text into another.

	EOF
	{
		bench DecodeAndCheck ./event
		bench Expand ./recurrence
		(cd benchmarks && bench . .)
	} | (cd benchmarks && go run ./report)
} >docs/performance.md.new
mv docs/performance.md.new docs/performance.md
