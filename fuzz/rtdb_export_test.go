package fuzz

// RTDBWays returns the names of all ways of breaking the rules of the realtime database, by
// rule and in their order.
func RTDBWays() map[string][]string {
	names := map[string][]string{}
	for rule, ways := range rtdbWays() {
		for _, w := range ways {
			names[rule] = append(names[rule], w.name)
		}
	}
	return names
}

// KeyFileWays returns the names of all ways in which a text is no key file.
func KeyFileWays() []string {
	var names []string
	for _, w := range keyFileWays() {
		names = append(names, w.name)
	}
	return names
}
