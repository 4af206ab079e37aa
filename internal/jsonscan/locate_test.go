package jsonscan_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// locate returns the offset of each path.
func locate(text string, paths ...diag.Pointer) []int {
	places := make([]jsonscan.Place, len(paths))
	for i, path := range paths {
		places[i].Path = path
	}
	jsonscan.Locate([]byte(text), places)
	offsets := make([]int, len(paths))
	for i := range places {
		offsets[i] = places[i].Offset
	}
	return offsets
}

func TestLocate(t *testing.T) {
	const text = ` {"a": [1, {"b" :"x"}] ,"c/d":{"~":null,"":0},"a":9,"é":[[]]}`
	for path, at := range map[diag.Pointer]string{
		"":                ` {"a"`[1:],
		"/a":              "[1,",
		"/a/0":            "1,",
		"/a/1":            `{"b"`,
		"/a/1/b":          `"x"`,
		"/c~1d":           `{"~"`,
		"/c~1d/~0":        "null",
		"/c~1d/":          "0}",
		"/é/0":            "[]]",
		"/x":              `{"a"`, // missing: the object around it
		"/a/2":            "[1,",
		"/a/x":            "[1,",
		"/a/00":           "[1,",
		"/a/":             "[1,",
		"/a/1/x/y":        `{"b"`,
		"/a/0/x":          "1,",
		"/c~1d/~01":       `{"~"`,
		"?maxResults":     "",
		"#Content-Length": "",
	} {
		offset := locate(text, path)[0]
		switch {
		case at == "" && offset != -1:
			t.Errorf("%s is at %d, want -1", path, offset)
		case at != "" && (offset < 0 || !strings.HasPrefix(text[offset:], at)):
			t.Errorf("%s is at %d, want where %s stands", path, offset, at)
		}
		if !path.InBody() {
			continue
		}
		if found := jsonscan.Find([]byte(text), 1, path); found != offset {
			t.Errorf("%s is found alone at %d, want %d", path, found, offset)
		}
	}
}

func TestArrayIndex(t *testing.T) {
	for token, want := range map[string]int{
		"0": 0, "7": 7, "10": 10, "123456789": 123456789,
		"": -1, "a": -1, "1a": -1, "-1": -1, "00": -1, "01": -1, "1234567890": -1,
	} {
		got, ok := jsonscan.ArrayIndex(token)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q is the index %d, want %d", token, got, want)
		}
	}
}

// A place in a value without places does not end the search.
func TestLocateWithinScalar(t *testing.T) {
	const text = `{"a":7,"b":[8]}`
	if diff := cmp.Diff([]int{5, 12}, locate(text, "/a/x", "/b/0")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", text, diff)
	}
}

// Of however many places in one object or array each is found.
func TestLocateManyPlaces(t *testing.T) {
	for n := range 20 {
		var members, elements []string
		paths := []diag.Pointer{"/o/x", "/a/x"} // missing
		for i := range n {
			members = append(members, fmt.Sprintf(`"m%d":[%d]`, i, i))
			elements = append(elements, fmt.Sprintf(`[%d]`, i))
			paths = append(paths, diag.Pointer("/o").Member(fmt.Sprint("m", i)).Index(0), diag.Pointer("/a").Index(i))
		}
		text := fmt.Sprintf(`{"o":{%s},"a":[%s]}`, strings.Join(members, ","), strings.Join(elements, ","))
		for i, got := range locate(text, paths...) {
			if want := jsontest.Locate(text, paths[i]); got != want {
				t.Errorf("%s in %s is at %d, want %d", paths[i], text, got, want)
			}
		}
	}
}

// The memory for a few places is used again, and that for many is not kept.
func TestLocateKeepsItsRoom(t *testing.T) {
	few, many := locateAllocations(diag.Pointer("/a")), locateAllocations(diag.Pointer(strings.Repeat("/a", 1000)))
	if few >= many {
		t.Errorf("%v allocations to locate a place, %v to locate one that is 1000 deep", few, many)
	}
}

// locateAllocations returns how many allocations it takes at best: pools may forget at any time.
func locateAllocations(path diag.Pointer) float64 {
	least := math.Inf(1)
	for range 50 {
		least = min(least, testing.AllocsPerRun(1, func() { locate("{}", path) }))
	}
	return least
}

// A text that ends early still has places before its end.
func TestLocateInBrokenText(t *testing.T) {
	offsets := locate(`{"a":1,"b":{"c":2`, "/b/c", "/a", "/z", "")
	if want := []int{16, 5, 0, 0}; !slices.Equal(offsets, want) {
		t.Errorf("offsets %v, want %v", offsets, want)
	}
	for _, text := range []string{"", " ", "x", "[", `{"a`, `{"a":`, "\xff"} {
		locate(text, "", "/a", "/a/b") // must not panic
	}
}

func TestLocateAgreesWithNaive(t *testing.T) {
	names := rapid.SampledFrom([]string{"a", "b", "a/b", "~", "", "0", "1", "é"})
	step := rapid.OneOf(rapid.Map(names, func(s string) diag.Pointer { return diag.Pointer("").Member(s) }),
		rapid.Map(rapid.IntRange(0, 3), func(i int) diag.Pointer { return diag.Pointer("/" + strconv.Itoa(i)) }))
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.Value(3, names, true).Draw(t, "text")
		var paths []diag.Pointer
		for _, steps := range rapid.SliceOfN(rapid.SliceOfN(step, 0, 4), 1, 5).Draw(t, "paths") {
			var path diag.Pointer
			for _, s := range steps {
				path += s
			}
			paths = append(paths, path)
		}
		for i, got := range locate(text, paths...) {
			if want := jsontest.Locate(text, paths[i]); got != want {
				t.Fatalf("%s in %s is at %d, want %d", paths[i], text, got, want)
			}
			if found := jsonscan.Find([]byte(text), len(text)-len(strings.TrimLeft(text, " \t\r\n")), paths[i]); found != got {
				t.Fatalf("%s in %s is found alone at %d, want %d", paths[i], text, found, got)
			}
		}
	})
}
