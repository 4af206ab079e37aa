package jsonmerge

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

const before = "before"

// agree checks a merge: the result is that of the pseudo-code of RFC 7396, with the order of members and the spelling of
// numbers, or an error if a text is malformed; the arguments do not change; the fast merge gives up or returns the same.
func agree(t interface{ Fatalf(string, ...any) }, target, patch string) (isFast bool) {
	dst, stored, sent := append(make([]byte, 0, 64), before...), []byte(target), []byte(patch)
	merged, err := Append(dst, stored, sent)
	isValid := (target == "" || jsontest.Valid(target) && !jsontest.Repeats(target)) && jsontest.Valid(patch) && !jsontest.Repeats(patch)
	text, ok := strings.CutPrefix(string(merged), before)
	switch {
	case isValid != (err == nil) || !ok || err != nil && text != "":
		t.Fatalf("%q patched with %q is appended as %q, with the error %v", target, patch, merged, err)
	case err == nil && !reflect.DeepEqual(jsontest.Tree(text), jsontest.MergePatch(jsontest.Tree(target), jsontest.Tree(patch))): // cmp.Diff takes exponential time for deep arrays
		t.Fatalf("%q patched with %q is %q", target, patch, text)
	case err == nil && string(AppendValid([]byte(before), []byte(target), []byte(patch))) != before+text:
		t.Fatalf("%q patched with %q, known to be valid, is not %q", target, patch, text)
	}
	clear(merged[len(before):])
	if string(stored) != target || string(sent) != patch || string(dst) != before {
		t.Fatalf("%q patched with %q: the arguments are now %q, %q and %q", target, patch, stored, sent, dst)
	}
	fast, isFast := appendFast([]byte(before), stored, sent)
	simple, errSimple := appendSimple([]byte(before), stored, sent)
	if isFast && string(fast) != before+text || string(simple) != before+text || (errSimple == nil) != isValid {
		t.Fatalf("%q patched with %q is %q, fast %q, simple %q, %v", target, patch, text, fast, simple, errSimple)
	}
	return isFast
}

// FuzzAppend checks a merge of any texts.
func FuzzAppend(f *testing.F) {
	f.Add(`{"a":1,"b":{"c":[true,null]}}`, `{"a":null,"b":{"d":{"e":null,"f":1}},"g":"h"}`)
	for _, text := range jsontest.Large() {
		f.Add(text, text)
		f.Add(`{"text":"a","lines":["b"],"m700":{"b":1}}`, text)
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

// The results are those of RFC 7396. What does not change is kept as it is written, in its order.
func TestAppend(t *testing.T) {
	for _, c := range append(slices.Clone(jsontest.MergePatches), []struct{ Target, Patch, Result string }{
		{``, `{"a":{"b":null,"c":1},"d":null}`, `{"a":{"c":1}}`},
		{``, `{"\u0061":{"b":null,"c":[null]}}`, `{"\u0061":{"c":[null]}}`},
		{``, ` 1 `, `1`},
		{" { \"a\" : [ 1.50 ] ,\"b\":{ \"c\":1 }\t} ", ` {"b":{ "d" : 1E2 }, "e" : [ null ] } `, `{"a":[ 1.50 ],"b":{"c":1,"d":1E2},"e":[ null ]}`},
		{`{"a":1,"j":1}`, `{"a":null,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":null,"k":null}`, `{"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`},
		{`{"\u0061":1,"b":2}`, `{"a":{"c":1},"\u0062":null}`, `{"\u0061":{"c":1}}`},
		{`{"first and X and last":1,"first and Y and last":2}`, `{"first and Y and last":3,"first and Z and last":4}`,
			`{"first and X and last":1,"first and Y and last":3,"first and Z and last":4}`},
	}...) {
		merged, err := Append([]byte(before), []byte(c.Target), []byte(c.Patch))
		if err != nil || string(merged) != before+c.Result {
			t.Errorf("%s patched with %s is %s, %v", c.Target, c.Patch, merged, err)
		}
		if isFast := agree(t, c.Target, c.Patch); isFast == strings.Contains(c.Target+c.Patch, `\`) {
			t.Errorf("the fast merge of %s and %s gives up: %t", c.Target, c.Patch, !isFast)
		}
	}
}

// The fast merge reads texts of the allowed depth, wherever they are deep. No merge reads deeper ones.
func TestFastDepth(t *testing.T) {
	nested := func(begin, end string, n int) string { return strings.Repeat(begin, n) + strings.Repeat(end, n) }
	for _, levels := range []int{constraint.JSONMaxDepth, constraint.JSONMaxDepth + 1} {
		for _, begin := range []string{`{"a":`, `{"b":{"a":1},"a":`} {
			within := strings.Repeat(begin, levels-1) + "{}" + strings.Repeat("}", levels-1)
			array := begin + nested("[", "]", levels-1) + "}"
			for _, c := range [][2]string{
				{within, `{}`}, {within, `{"a":null}`}, {within, `{"a":1}`}, {within, `{"c":{}}`}, {within, within}, {within, array},
				{``, within}, {`1`, within}, {`{}`, within}, {`{"a":1}`, within}, {`{"a":{"a":{}}}`, within}, {within, `[]`},
				{array, `{}`}, {array, `{"a":null}`}, {array, `{"a":1}`}, {array, `{"a":{}}`}, {array, within}, {array, array},
				{``, array}, {`{}`, array}, {`{"a":1}`, array}, {`{"a":{}}`, array},
			} {
				_, err := Append(nil, []byte(c[0]), []byte(c[1]))
				allowed := levels <= constraint.JSONMaxDepth
				if isFast := agree(t, c[0], c[1]); isFast != allowed || (err == nil) != allowed {
					t.Errorf("%d levels: %s patched with %s: fast: %t, error: %v", levels, c[0], c[1], isFast, err)
				}
			}
		}
	}
}

// Large objects, which have their names in a table, are merged fast too, at any depth.
func TestFastLargeObjects(t *testing.T) {
	for _, n := range []int{few, few + 1, 10 * few} {
		large := many(n, "1")
		nested := strings.ReplaceAll(many(few+1, "{}"), "{}", large)
		for _, c := range [][2]string{
			{large, many(n, "2")}, {large, many(n-1, "null")}, {large, many(2*n, `{"a":null,"b":1}`)}, {nested, nested}, {large, many(2, "3")},
			{nested, many(few, many(few+n, "null"))},
		} {
			if !agree(t, c[0], c[1]) {
				t.Errorf("%d members: the fast merge gives up", n)
			}
		}
		for _, again := range []int{1, n - 1} {
			if twice := strings.Replace(large, fmt.Sprintf(`"m%d"`, again), `"m0"`, 1); agree(t, twice, "{}") || agree(t, "{}", twice) {
				t.Errorf("%d members: the name of member %d is repeated, but that is not found", n, again)
			}
		}
	}
}

// Names of the same length that differ in one character near the beginning or the end have different digests.
func TestDigest(t *testing.T) {
	for length := range 20 {
		of := map[uint64]string{}
		for at := range length + 1 {
			if at >= 7 && at < length-7 {
				continue // in the middle
			}
			text := []byte(strings.Repeat("a", length))
			if at < length {
				text[at] = 'b'
			}
			quoted := `"` + string(text) + `"`
			d := digest([]byte(quoted))
			if other, has := of[d]; has {
				t.Errorf("%s and %s have the same digest", quoted, other)
			}
			of[d] = quoted
		}
	}
}

// A merge keeps buffers of the usual size for the next one, no larger ones, and nothing of the texts.
func TestRelease(t *testing.T) {
	for _, n := range []int{few, 10 * few, 5000} {
		text := []byte(many(n, `{"a":1}`))
		m := new(fast)
		if _, ok := m.append(nil, text, text); !ok {
			t.Fatalf("%d members: the fast merge gives up", n)
		}
		m.release()
		kept := map[string]int{
			"changes": cap(m.changes), "names": cap(m.target.list), "names of the patch": cap(m.patch.list),
			"slots": len(m.target.table.slots), "slots of the patch": len(m.patch.table.slots),
		}
		for what, size := range kept {
			isTable := strings.HasPrefix(what, "slots")
			if most := 1024; size > most || n <= 10*few && size == 0 && (n > few || !isTable) {
				t.Errorf("%d members: %d %s are kept", n, size, what)
			}
		}
		isEmpty := true
		for _, c := range m.changes[:cap(m.changes)] {
			isEmpty = isEmpty && c.text == nil && c.quoted == nil
		}
		for _, s := range []*scanner{&m.target, &m.patch} {
			isEmpty = isEmpty && s.text == nil
			for _, one := range s.list[:cap(s.list)] {
				isEmpty = isEmpty && one.quoted == nil
			}
			for _, e := range s.table.entries[:cap(s.table.entries)] {
				isEmpty = isEmpty && e.quoted == nil
			}
		}
		if !isEmpty {
			t.Errorf("%d members: a text is kept", n)
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
