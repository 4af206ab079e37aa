package jsonscan

// A Member is a member of a JSON object. Name is the name without quotes and escapes, and Value is the JSON text of the value.
type Member struct{ Name, Value []byte }

// AppendMembers appends the members of the object in text, in one pass. AppendMembers returns false if text is not a
// valid object or is not UTF-8; to find out why, use [Valid] and [Value.Members].
func AppendMembers(dst []Member, text []byte) ([]Member, bool) {
	d := decoders.Get().(*Decoder)
	defer d.release()
	d.Reset(text, maxLevels)
	if d.kind != '{' || !d.Enter() {
		return dst, false
	}
	for name, _, ok := d.Member(""); ok; name, _, ok = d.Member("") {
		value, _ := d.Value()
		dst = append(dst, Member{name, value[:len(value):len(value)]})
	}
	d.End()
	return dst, d.err == nil
}
