package jsonmerge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/jsontest"
)

const before = "before"

// agree checks that the fast merge gives up or returns the result of the simple merge, and that Append returns
// that result in both cases.
func agree(t interface{ Fatalf(string, ...any) }, target, patch string) (isFast bool) {
	fast, isFast := appendFast([]byte(before), []byte(target), []byte(patch))
	simple, err := appendSimple([]byte(before), []byte(target), []byte(patch))
	switch {
	case !isFast:
	case err != nil:
		t.Fatalf("%q patched with %q is %q without the error %v", target, patch, fast, err)
	case string(fast) != string(simple):
		t.Fatalf("%q patched with %q (-simple +fast):\n%s", target, patch, cmp.Diff(string(simple), string(fast)))
	}
	merged, errMerged := Append([]byte(before), []byte(target), []byte(patch))
	if string(merged) != string(simple) || (errMerged == nil) != (err == nil) {
		t.Fatalf("%q patched with %q is %q, %v; the simple merge returns %q, %v", target, patch, merged, errMerged, simple, err)
	}
	if err == nil && string(AppendValid([]byte(before), []byte(target), []byte(patch))) != string(simple) {
		t.Fatalf("%q patched with %q, known to be valid, is not %q", target, patch, simple)
	}
	return isFast
}

// FuzzFast compares the fast merge with the simple one.
func FuzzFast(f *testing.F) {
	f.Add(`{"a":1,"b":{"c":[true,null]}}`, `{"a":null,"b":{"d":{"e":null,"f":1}},"g":"h"}`)
	for _, text := range jsontest.Large() {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, target, patch string) {
		if len(target)+len(patch) <= jsontest.MaxFuzzed {
			agree(t, target, patch)
		}
	})
}

// many returns an object with n members.
func many(n int, value string) string {
	var members []string
	for i := range n {
		members = append(members, fmt.Sprintf(`"m%d":%s`, i, value))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// The fast merge reads all objects whose names have no escapes. It agrees with the simple merge on texts that are
// cut off or changed.
func TestFastAgreesWithSimple(t *testing.T) {
	names := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "start", "description", "descriptions"}), rapid.StringN(0, 12, -1))
	texts := rapid.OneOf(jsontest.Object(3, names, false), jsontest.Object(2, names, true), jsontest.Value(2, names, false))
	rapid.Check(t, func(t *rapid.T) {
		target, patch := texts.Draw(t, "target"), texts.Draw(t, "patch")
		isFast := agree(t, target, patch)
		refused := jsontest.Repeats(target) || jsontest.Repeats(patch)
		if !isFast && !refused && !strings.Contains(target+patch, `\`) {
			t.Fatalf("the fast merge of %q and %q gives up", target, patch)
		}
		cut := rapid.IntRange(0, len(target)).Draw(t, "cut")
		agree(t, target[:cut], patch)
		agree(t, target[:cut]+rapid.SampledFrom([]string{`"`, `\`, "\x1f", "\xff", ",", "}", "0", "e", "."}).Draw(t, "byte")+target[cut:], patch)
	})
}

// Large objects, which have their names in a table, are merged fast too, at any depth.
func TestFastLargeObjects(t *testing.T) {
	for _, n := range []int{few, few + 1, 10 * few, 1000} {
		large := many(n, "1")
		nested := strings.ReplaceAll(many(3*few, "{}"), "{}", large)
		for _, c := range [][2]string{
			{large, many(n, "2")}, {large, many(n-1, "null")}, {large, many(2*n, `{"a":null,"b":1}`)}, {nested, nested}, {large, many(2, "3")},
			{nested, many(few, many(few+n, "null"))},
		} {
			if !agree(t, c[0], c[1]) {
				t.Errorf("%d members: the fast merge gives up", n)
			}
		}
		if twice := strings.Replace(large, `"m1"`, `"m0"`, 1); agree(t, twice, "{}") || agree(t, "{}", twice) {
			t.Errorf("%d members: a repeated name is not found", n)
		}
	}
}

// A merge leaves nothing behind for the next one, and does not allocate.
func TestFastAllocatesNothing(t *testing.T) {
	for name, c := range map[string][2]string{
		"few":  {`{"a":{"b":"c"},"d":[1,{"e":null}]}`, `{"a":{"b":null,"f":1},"d":null}`},
		"deep": {strings.Repeat(`{"a":`, constraint.JSONMaxDepth) + "1" + strings.Repeat("}", constraint.JSONMaxDepth), strings.Repeat(`{"a":`, constraint.JSONMaxDepth-1) + "1" + strings.Repeat("}", constraint.JSONMaxDepth-1)},
		"many": {many(100, "1"), many(60, "null")},
	} {
		target, patch := []byte(c[0]), []byte(c[1])
		dst := make([]byte, 0, len(target)+len(patch))
		if n := testing.AllocsPerRun(100, func() { appendFast(dst, target, patch) }); n > 0 && !raceDetector {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}
