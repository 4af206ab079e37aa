package diag

import "strings"

// reference is the URL of the pages about rules, without the suffix for a single page.
const reference = "https://github.com/calrules/calrules/blob/main/docs/rules"

// URL returns the URL of the page about the rule, which exists only for rules of this module. For a nil rule, URL
// returns the URL of the index of all rules.
func (r *Rule) URL() string {
	if r == nil {
		return reference + ".md"
	}
	prefix, _, _ := strings.Cut(r.ID, ".")
	return reference + "/" + prefix + ".md#" + strings.ReplaceAll(r.ID, ".", "")
}
