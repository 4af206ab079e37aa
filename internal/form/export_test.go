package form

// URIScheme returns the scheme of s and whether s is a URI.
func URIScheme(s string) (scheme string, ok bool) {
	scheme, _, ok = splitURI(s)
	return scheme, ok
}
