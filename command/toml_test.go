package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// nested is a table in a table, n times.
func nested(n int) string { return "x = " + strings.Repeat("{a=", n) + "1" + strings.Repeat("}", n) }

func TestNesting(t *testing.T) {
	const usual = "dialect = \"google\"\nselect = [\"time\"]\n[grade]\n\"time.order\" = \"advise\"\n"
	for _, test := range []struct{ name, text, want string }{
		{"usual", usual, ""},
		{"deep enough", nested(maxConfigDepth), ""},
		{"tables", nested(maxConfigDepth + 1), "line 1: values are nested more than 8 levels deep; a configuration contains only tables of values and lists"},
		{"arrays", usual + "x = " + strings.Repeat("[", 5000), "line 5: values are nested"},
		{"dotted key", strings.Repeat("a.", 5000) + "a = 1", "line 1: values are nested"},
		{"header", "[" + strings.Repeat("a.", 5000) + "a]", "line 1: values are nested"},
		{"closed more than opened", strings.Repeat("]", 100) + nested(100), "line 1: values are nested"},
		{"in a string", `x = "` + strings.Repeat("{[.", 100) + `"`, ""},
		{"after an escaped quote", `x = "\"` + strings.Repeat("{", 100) + `"`, ""},
		{"in a literal string", `x = '` + strings.Repeat("{[.", 100) + `\'`, ""},
		{"in a text of several lines", "x = \"\"\"\n" + strings.Repeat("{[.\n", 100) + `"""`, ""},
		{"after a text of several lines", "x = '''\n''' \ny = " + strings.Repeat("{", 100), "line 3: values are nested"},
		{"in a comment", "# " + strings.Repeat("{[.", 100) + "\nx = 1", ""},
		{"in a comment at the end", "x = 1 # " + strings.Repeat("{[.", 100), ""},
		{"after a comment", "# \n" + nested(100), "line 2: values are nested"},
		{"after a string without an end", "x = \"\n" + nested(100), "line 2: values are nested"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := fmt.Sprint(checkNesting(test.text))
			if test.want == "" && got != "<nil>" || !strings.HasPrefix(got, test.want) {
				t.Errorf("the error is %s, want %s", got, test.want)
			}
		})
	}
}

// What a configuration costs is bounded, whatever it is.
func TestHostileConfig(t *testing.T) {
	fill := func(part string) string { return strings.Repeat(part, maxConfigBytes/len(part)) }
	for name, text := range map[string]string{
		"tables":  nested(maxConfigBytes / 8),
		"dots":    fill("a."),
		"headers": fill("[a.b.c.d.e.f.g.h]\n"),
		"keys":    fill("a.b.c.d.e.f.g.h=1\n"),
		"lists":   "x=[" + fill("[[[[[[]]]]]],"),
		"arrays":  fill("[[a]]\n"),
		"quotes":  fill(`"`),
		"lines":   fill("\n"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fromTOML([]byte(text))
		runtime.ReadMemStats(&after)
		if most := uint64(64 << 20); after.TotalAlloc-before.TotalAlloc > most {
			t.Errorf("%s: reading %d bytes allocates %d", name, len(text), after.TotalAlloc-before.TotalAlloc)
		}
	}
	long := filepath.Join(t.TempDir(), "calrules.toml")
	if err := os.WriteFile(long, []byte(fill("# \n")+"# the end"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s: the file is too long; a configuration may have at most 65536 bytes", long)
	if _, err := readConfigFile(long); fmt.Sprint(err) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// A file whose size is not known in advance is not read without a limit.
func TestEndlessConfig(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip("there is no " + endless)
	}
	if _, err := readConfigFile(endless); err == nil || !strings.Contains(err.Error(), "at most 65536 bytes") {
		t.Errorf("the error is %v", err)
	}
}

func FuzzTOML(f *testing.F) {
	for _, text := range []string{"dialect = \"google\"", nested(9), "[grade]\n\"time.order\" = 'advise'", "x = \"\"\"\n\\\"\"\"\"", "a.b.c = [ # x\n]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxConfigBytes {
			t.Skip()
		}
		object, err := fromTOML([]byte(text))
		if err == nil && !json.Valid(object) {
			t.Errorf("%q becomes %q", text, object)
		}
	})
}
