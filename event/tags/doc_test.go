package tags_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event/tags"
)

// The documentation of the package names every tag.
func TestDocNamesTags(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "without a prefix,\n")
	list, _, _ = strings.Cut(list, ".\n")
	var want []string
	for _, tag := range tags.Table() {
		want = append(want, tag.Name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, regexp.MustCompile(`\w+`).FindAllString(list, -1)); diff != "" {
		t.Errorf("(-table +doc):\n%s", diff)
	}
}
