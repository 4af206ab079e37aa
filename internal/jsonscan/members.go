package jsonscan

// Member is a member of an object: its name without quotes and escapes, and the text of its value.
type Member struct{ Name, Value []byte }

// AppendMembers appends the members of the object that a text is, in one pass over it. It returns false if the text is
// something else, or is not UTF-8; [Valid] and [Value.Members] then say more.
func AppendMembers(dst []Member, text []byte) ([]Member, bool) {
	at := skipSpace(text, 0)
	if at == len(text) || text[at] != '{' {
		return dst, false
	}
	if at = skipSpace(text, at+1); at < len(text) && text[at] == '}' {
		return dst, skipSpace(text, at+1) == len(text)
	}
	for {
		member, end := scanMember(text, at)
		if end == Fail {
			return dst, false
		}
		dst = append(dst, member)
		switch at = skipSpace(text, end); {
		case at < len(text) && text[at] == ',':
			at = skipSpace(text, at+1)
		default:
			return dst, at < len(text) && text[at] == '}' && skipSpace(text, at+1) == len(text)
		}
	}
}

// scanMember reads the member at an offset.
func scanMember(text []byte, at int) (m Member, end int) {
	nameEnd, isPlain := ScanString(text, at)
	if nameEnd == Fail {
		return m, Fail
	}
	value := skipColon(text, nameEnd)
	if value == Fail {
		return m, Fail
	}
	if end, _ = scanValue(text, value, maxLevels-1); end == Fail {
		return m, Fail
	}
	name := text[at+1 : nameEnd-1]
	if !isPlain {
		name = Unquote(text[at:nameEnd])
	}
	return Member{name, text[value:end:end]}, end
}
