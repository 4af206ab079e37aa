// Package urltext joins the parts of URLs as strings, which need not be valid.
package urltext

import "strings"

// WithQuery returns a URL whose query also has the pairs of another query. It leaves out a fragment, which is not
// sent.
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
