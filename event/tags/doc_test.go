package tags_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/calrules/calrules/event/tags"
)

// Every name that the documentation of the package lists is a tag, and it lists almost all: a new limit makes a new tag.
func TestDocNamesTags(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "// The tags are\n")
	list, _, _ = strings.Cut(list, ".\n")
	known := map[string]bool{}
	for _, tag := range tags.Table() {
		known[tag.Name] = true
	}
	listed := regexp.MustCompile(`\w+`).FindAllString(list, -1)
	for _, name := range listed {
		if !known[name] {
			t.Errorf("%s is no tag", name)
		}
	}
	if len(known)-len(listed) > 3 {
		t.Errorf("%d of %d tags are listed", len(listed), len(known))
	}
}
