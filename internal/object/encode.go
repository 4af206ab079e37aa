package object

import (
	"maps"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Append appends v as a JSON object with the documents' names. The members of the table come first, in table order, followed by
// the unknown members.
func (t *Table[P]) Append(dst []byte, v P) []byte { return t.AppendIn(diag.Documents, dst, v) }

// AppendIn is like [Table.Append], but uses the names in the given dialect.
func (t *Table[P]) AppendIn(in diag.Dialect, dst []byte, v P) []byte {
	extra := t.extra(v)
	if extra.Element() {
		return append(dst, extra.kept.element...)
	}
	dst = append(dst, '{')
	start := len(dst)
	for s := t.Present(v); s != 0; s &= s - 1 {
		m := t.first(s)
		dst = m.appendKnown(in, dst, start)
		if kept := t.keptText(m, v, extra); kept != nil {
			dst = append(dst, kept.value...)
		} else {
			dst = m.append(in, dst, v)
		}
	}
	for _, m := range extra.all().unknown {
		dst = append(appendName(dst, start, t.nameIn(in, m.name)), m.value...)
	}
	return append(dst, '}')
}

// keptText returns the original JSON text of a member if that text must be written instead of the field, and otherwise nil.
func (t *Table[P]) keptText(m *Member[P], v P, extra *Extra) *rawMember {
	kept := extra.find(m.Name)
	if kept != nil && (!m.has(v) || kept.over && t.stillReads(m, kept, v)) {
		return kept
	}
	return nil
}

// stillReads reports whether decoding the kept JSON text of a member still yields the value of the field. Otherwise, the field
// has been changed, and its new value is written.
func (t *Table[P]) stillReads(m *Member[P], kept *rawMember, v P) bool {
	read := t.fresh()
	t.Decode(append(appendName([]byte("{"), 1, m.Name), kept.value+"}"...), read, Reading{})
	return m.equal(read, v, false)
}

// appendKnown is like [appendName], but for a member of the table.
func (m *Member[P]) appendKnown(in diag.Dialect, dst []byte, start int) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	return append(dst, m.quotedIn(in)...)
}

// quotedIn returns the name of the member in a dialect, in quotes and with a colon.
func (m *Member[P]) quotedIn(in diag.Dialect) string {
	if in == diag.Google {
		return m.quoted[in]
	}
	return m.quoted[diag.Documents]
}

// appendName appends the name of a member, preceded by a comma unless the object that begins at start is still empty.
func appendName(dst []byte, start int, name string) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	return append(jsonscan.AppendQuote(dst, name), ':')
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// appendStringMap appends a map as a JSON object with sorted keys, so equal maps have equal encodings.
func appendStringMap(dst []byte, m map[string]string) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		dst = jsonscan.AppendQuote(appendName(dst, start, key), m[key])
	}
	return append(dst, '}')
}

func appendArray[S any](t *Table[*S], in diag.Dialect, dst []byte, list []S) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.AppendIn(in, dst, &list[i])
	}
	return append(dst, ']')
}
