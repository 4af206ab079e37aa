package fuzz

import (
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// corpus contains the initial bodies for the native fuzz targets of this package, and bodies for which a target once failed.
//
//go:embed testdata/fuzz
var corpus embed.FS

// maxSeed is the maximum length of a seed, in bytes. A fuzzer changes only a few bytes at a time, so it makes little
// progress with long seeds.
const maxSeed = 4 << 10

// Seeds adds bodies to the corpus of a native fuzz target whose only argument is a []byte, which saves the fuzzer from having
// to discover the shape of an event. The seeds are the corpora of this package's own targets, a valid body for each operation,
// and a few short bodies that break each rule, if such bodies are found quickly. All seeds use the documents' names. The seeds
// are for the given operations or, if none are given, for [operation.Response] and every operation with an event as the body.
// Seeds adds nothing for operations without an event as the body. All seeds are different, and none is longer than 4 KiB. Seeds
// panics if f is nil or an operation does not exist.
//
//	func FuzzHandler(f *testing.F) {
//		fuzz.Seeds(f, operation.EventsInsert)
//		f.Fuzz(func(t *testing.T, body []byte) { ... })
//	}
func Seeds(f interface{ Add(args ...any) }, ops ...operation.ID) {
	if f == nil {
		panic("fuzz: Seeds has no target to add to")
	}
	if len(ops) == 0 {
		ops = gen.OperationsOn(gen.WithBody)
	}
	seen := map[string]bool{}
	for body := range seeds(ops) {
		if text := string(body); body != nil && len(body) <= maxSeed && !seen[text] {
			seen[text] = true
			f.Add(body)
		}
	}
}

// seeds yields the bodies from which [Seeds] chooses.
func seeds(ops []operation.ID) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, op := range ops {
			for _, body := range committed(targetOf(op)) {
				if !yield(body) {
					return
				}
			}
			if !yield(shortBody(gen.Valid(diag.Documents, op), 0)) {
				return
			}
		}
		const each = 3 // broken bodies for each rule
		for _, rule := range Rules(diag.Documents, ops...) {
			broken := gen.Violating(diag.Documents, rule, ops...)
			for i := range each {
				if !yield(shortBody(broken, i)) {
					return
				}
			}
		}
	}
}

// shortBody draws a few bodies and returns the first body that is short enough or, if all bodies are too long, the last.
// Different numbers result in different bodies.
func shortBody(g draw.Generator[gen.Payload], number int) (body []byte) {
	const tries = 8
	for seed := range tries {
		if body = g(draw.Seeded(uint64(tries*number + seed))).Event.Body; len(body) <= maxSeed {
			break
		}
	}
	return body
}

// targetOf returns the name of this package's native fuzz target for an operation, or "" if there is none.
func targetOf(op operation.ID) string {
	switch op {
	case operation.EventsInsert:
		return "FuzzInsert"
	case operation.EventsPatch:
		return "FuzzPatch"
	case operation.EventsUpdate:
		return "FuzzUpdate"
	case operation.Response:
		return "FuzzResponse"
	default:
		return ""
	}
}

// committed returns the bodies in the corpus of a target. The body is the last line of a file, after the stored event, if any.
func committed(target string) [][]byte {
	files, err := fs.Glob(corpus, path.Join("testdata/fuzz", target, "*"))
	if err != nil || target == "" {
		return nil
	}
	var bodies [][]byte
	for _, name := range files {
		text, err := corpus.ReadFile(name)
		if err != nil {
			panic(fmt.Sprintf("fuzz: %v", err)) // cannot happen: the file is embedded
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		quoted, isBytes := strings.CutPrefix(lines[len(lines)-1], "[]byte(")
		body, err := strconv.Unquote(strings.TrimSuffix(quoted, ")"))
		if isBytes && err == nil {
			bodies = append(bodies, []byte(body))
		}
	}
	return bodies
}
