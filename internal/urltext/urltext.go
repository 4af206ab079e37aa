// Package urltext joins parts of URLs as strings. The URLs need not be valid.
package urltext

import "strings"

// WithQuery returns url with query appended to its query string. WithQuery drops the fragment, which is not sent.
func WithQuery(url, query string) string {
	url, _, _ = strings.Cut(url, "#")
	switch {
	case query == "":
		return url
	case strings.Contains(url, "?"):
		return url + "&" + query
	}
	return url + "?" + query
}
