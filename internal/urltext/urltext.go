// Package urltext joins the parts of URLs that are texts, which need not be valid.
package urltext

import "strings"

// WithQuery returns a URL whose query also has the pairs of another query. A fragment is left out, as it is not sent.
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
