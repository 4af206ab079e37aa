package payload

// VariantsText is the text with the variants that are written by hand.
var VariantsText = variantsText

// Vocabulary lists what the text may name: preparations, verbs, and the words of patterns and values.
func Vocabulary() (names []string) {
	for name := range preparations() {
		names = append(names, "with "+name)
	}
	for name := range verbs() {
		names = append(names, "| "+name)
	}
	for name := range deeds() {
		names = append(names, "do "+name)
	}
	for name := range texts() {
		names = append(names, "<"+name)
	}
	for name := range values() {
		names = append(names, "<"+name)
	}
	return names
}

// CompileVariant compiles the steps of a variant.
func CompileVariant(fields ...string) { newVariant(nil, fields) }
