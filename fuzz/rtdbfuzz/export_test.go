package rtdbfuzz

// TLS returns whether the request uses TLS; nil is unknown.
func (l Line) TLS() *bool { return l.request().TLS }

// Variants returns the names of all variants by rule, in their order.
func Variants() map[string][]string {
	names := map[string][]string{}
	for rule, list := range variants() {
		for _, v := range list {
			names[rule] = append(names[rule], v.name)
		}
	}
	return names
}

// KeyFileVariants returns the names of the variants of broken key files.
func KeyFileVariants() []string {
	var names []string
	for _, v := range keyFileVariants() {
		names = append(names, v.name)
	}
	return names
}
