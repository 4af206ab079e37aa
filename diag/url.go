package diag

import "strings"

// reference is the address of the pages about rules, without the ending of a single page.
const reference = "https://github.com/calrules/calrules/blob/main/docs/rules"

// URL returns the address of the rule's page, if it is a rule of this module. For a nil rule, it returns the address of
// the index of all rules.
func (r *Rule) URL() string {
	if r == nil {
		return reference + ".md"
	}
	prefix, _, _ := strings.Cut(r.ID, ".")
	return reference + "/" + prefix + ".md#" + strings.ReplaceAll(r.ID, ".", "")
}
