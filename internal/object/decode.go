package object

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Fault is a kind of fault at a place in the input.
type Fault uint8

// The faults that decoding reports.
const (
	Syntax    Fault = iota + 1 // the input is not JSON, or not one object; the rest was not read
	Duplicate                  // an earlier member of the object has the same name
	WrongType                  // the value does not have the JSON type that its table requires
	MapType                    // like WrongType, but within a map of strings
	Unknown                    // the member is in no table
	Tolerated                  // the value does not have the JSON type that its table requires, but was read anyway
	Foreign                    // the value is a name of the other dialect
)

// Problem is a fault in the input.
type Problem struct {
	Fault  Fault
	Path   diag.Pointer // the path, with the names in the input
	Offset int          // the offset of the value in the input, in bytes
	Value  string       // the wrong value as JSON, the name of an unknown member, or a value of the other dialect
	Rule   *diag.Rule   // the rule that the member declares for values of the wrong type, or [Reading.Foreign], or nil

	key    string                // the key of a syntax error, or of the message part about the received value
	err    *jsonscan.SyntaxError // the error, if key is "malformed"
	n, max int                   // the length and the maximum length in bytes
	read   string                // the JSON text of the value that was read for a tolerated value
	want   string                // the key of the message part about the required type
	known  *names                // the known names, with which an unknown name is compared
}

// Nulls is the meaning of null.
type Nulls uint8

const (
	NullIsKept    Nulls = iota // the member is absent, but encoding writes null again
	NullIsDropped              // the member is absent, as if it had not been sent
	NullIsWrong                // the value has the wrong type
)

// maxProblems is the maximum number of problems that decoding reports, because hostile input may have many. Unknown members,
// and values that are read despite their type, are counted separately, so they cannot hide faults. A report keeps one problem
// fewer, which makes excess problems detectable.
const maxProblems = engine.Most + 1

// Reading contains the options for decoding. The zero value keeps nulls and expects the documents' names.
type Reading struct {
	Nulls   Nulls
	Dialect diag.Dialect
	Lenient bool       // accept values of the wrong type that the public service is known to accept, in its dialect
	Foreign *diag.Rule // the rule for values that are names of the other dialect; nil if they are allowed
	Limits
	Offsets  *Offsets  // if not nil, set to the offsets in the input
	Memory   any       // a *[]T of zero values to use for the first objects of Go type T; set to the values that remain
	Problems []Problem // memory for the result
}

// Limits bound the cost of hostile input. If the input exceeds one of the limits, decoding stops with a [Syntax] problem.
type Limits struct {
	Bytes    int // the length of the input; 0 means [constraint.JSONMaxBytes]
	Depth    int // the nesting depth of arrays and objects; 0 means [constraint.JSONMaxDepth]
	Elements int // the number of members and array elements, except within values without a table; 0 means 250,000
}

// withDefaults returns the limits, with each limit that is 0 replaced by its default.
func (l Limits) withDefaults() Limits {
	const elements = 250_000
	return Limits{cmp.Or(l.Bytes, constraint.JSONMaxBytes), cmp.Or(l.Depth, constraint.JSONMaxDepth), cmp.Or(l.Elements, elements)}
}

// decoder holds the state of one call to [Table.Decode].
type decoder struct {
	jsonscan.Decoder
	Reading
	text
	problems []Problem

	orders []order // indexed by the number of the table
	spaces []any   // see space; indexed by the number of the table

	tolerates bool // whether [Reading.Lenient] applies to the current member
	tolerated bool // whether the current member was read despite its type

	elements        int // the number of members and array elements so far
	faults, unknown int // unknown counts Unknown, Tolerated and Foreign problems, and faults all other problems
}

// decoders is a pool of decoders, whose buffers are expensive to allocate.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

const null = "null"

// Decode decodes body, which must be one JSON object, into v. Decode returns the problems in input order. A [Syntax] problem is
// always the last; v then contains everything that was read before the problem.
func (t *Table[P]) Decode(body []byte, v P, how Reading) []Problem {
	how.Limits, how.Lenient = how.withDefaults(), how.Lenient && how.Dialect == diag.Google
	if how.Offsets != nil {
		how.Offsets.reset()
	}
	if len(body) > how.Bytes {
		return []Problem{{Fault: Syntax, key: "too-large", n: len(body), max: how.Bytes}}
	}
	t.extra(v).detach() // v may be a copy
	d := decoders.Get().(*decoder)
	d.Reading, d.problems = how, how.Problems[:0]
	d.text.reset(body)
	d.Reset(body, how.Depth)
	problems := t.decodeWhole(d, v)
	d.Release()
	d.Offsets, d.Memory, d.Problems, d.tolerates, d.tolerated = nil, nil, nil, false, false
	d.text, d.problems, d.faults, d.unknown, d.elements = text{}, nil, 0, 0, 0
	decoders.Put(d)
	return problems
}

func (t *Table[P]) decodeWhole(d *decoder, v P) []Problem {
	if kind := d.Kind(); kind == '{' || kind == 0 {
		if d.Offsets != nil {
			d.Offsets.whole = d.Next()
		}
		if d.Enter() {
			t.decode(d, v, theWhole)
		}
		d.End()
	} else if d.Skip() {
		if d.End(); d.Err() == nil {
			d.report(Problem{Fault: Syntax, key: "not-an-object", want: KindKey(kind)})
		}
	}
	err := d.Err()
	if d.Offsets != nil {
		d.Offsets.valid = err == nil
	}
	if err != nil {
		d.report(Problem{Fault: Syntax, Path: err.Path, Offset: err.Offset, key: "malformed", err: err})
	}
	return d.problems
}

// count counts a member or an array element, and stops the decoder if the limit is exceeded.
func (d *decoder) count() {
	if d.elements++; d.elements > d.Elements {
		d.Stop(jsonscan.TooMany, d.Elements)
	}
}

// order is the order of a table's members in earlier inputs, which is usually also the order in the next input. The entry at 1
// plus the index of a member is the index of the next member; the entry at 0 is the index of the first member. All entries are
// initially 0.
type order [maxMembers + 1]uint8

// order returns the order for a table.
func (d *decoder) order(table int) *order {
	for len(d.orders) <= table {
		d.orders = append(d.orders, order{})
	}
	return &d.orders[table]
}

// decode reads the members of an object whose opening brace has been read, and notes their offsets if the object is one
// of those with noted members. Decode reads each value itself, because a call for each member would cost 18 instructions.
func (t *Table[P]) decode(d *decoder, v P, is noted) {
	var seen Set
	order := d.order(t.number)
	if d.Offsets == nil {
		is = 0
	}
	last := 0
	for {
		m := t.members[order[last]]
		name, isNext, ok := d.Member(m.quotedIn(d.Dialect))
		if !ok {
			return
		}
		d.count()
		if !isNext {
			i := indexOf(t.in(d.Dialect), name)
			if i < 0 {
				t.decodeUnknown(d, v, d.nameOf(name))
				continue
			}
			m, order[last] = t.members[i], uint8(i)
		}
		last = m.index + 1
		if seen.Has(m.bit) {
			d.duplicate()
			continue
		}
		seen |= m.bit
		if is != 0 {
			d.Offsets.note(is, m.index, m.bit, &m.Declaration, d.Next())
		}
		start, faults, problems := d.Next(), d.faults, len(d.problems)
		whole, has := true, false
		if d.Lenient {
			d.tolerates, d.tolerated = m.tolerated, false
		}
		if d.Kind() == 'n' && (!m.null || d.Nulls == NullIsDropped) {
			d.null(m.is)
			m.assign(v, t.none)
			if d.Nulls == NullIsDropped {
				continue
			}
		} else {
			whole, has = m.decode(d, v)
			if m.renames && has {
				d.rename(&m.Declaration, m.text(v), start)
			}
			for i := problems; i < len(d.problems) && m.TypeRule != nil; i++ {
				d.problems[i].Rule = m.TypeRule
			}
		}
		if !(whole && has) && d.Err() == nil {
			t.keepText(d, m, v, start, whole, d.faults > faults && !has)
		}
	}
}

// keepText keeps the JSON text of a member that was read from the offset start on, because the field cannot represent all of it.
func (t *Table[P]) keepText(d *decoder, m *Member[P], v P, start int, whole, wrong bool) {
	text := d.since(start)
	if d.tolerated && whole { // a zero value
		text = string(m.append(diag.Documents, nil, v))
	}
	t.extra(v).add(rawMember{name: m.Name, value: text, over: !whole, wrong: wrong})
}

// rename replaces a value with its name in the documents, and reports a value that is a name in the other dialect.
func (d *decoder) rename(of *Declaration, value *string, start int) {
	if in, ok := diag.DialectOf(*value); ok && in != d.Dialect && d.Foreign != nil && of.HasRenamed(*value) && d.wants(Foreign) {
		d.report(Problem{Fault: Foreign, Path: d.Path(), Offset: start, Value: *value, Rule: d.Foreign})
	}
	*value = d.Dialect.Name(*value)
}

func (t *Table[P]) decodeUnknown(d *decoder, v P, name string) {
	isNull, start := d.Kind() == 'n', d.Next()
	if !d.IsNew(name) {
		d.duplicate()
		return
	}
	wanted := d.wants(Unknown)
	if _, ok := d.skip(); !ok {
		return
	}
	if !isNull || d.Nulls != NullIsDropped {
		own := t.extra(v).own()
		if own.unknown == nil {
			own.unknown = make([]rawMember, 0, 4) // an object with one unknown member often has several
		}
		own.unknown = append(own.unknown, rawMember{name: t.nameIn(d.Dialect, name), value: d.since(start)})
	}
	if wanted {
		d.report(Problem{Fault: Unknown, Path: d.Around().Member(name), Offset: start, Value: name, known: t.in(d.Dialect)})
	}
}

// begin reads the beginning of an object or array. If the next value has a different type, begin reports the value and returns
// false.
func (d *decoder) begin(open jsonscan.Kind, want jsonType) bool {
	if d.Kind() != open {
		d.wrong(WrongType, want)
		return false
	}
	return d.Enter()
}

// readString reads a string. If the string contains no escapes, the result may share memory with the input.
func (d *decoder) readString() (string, bool) {
	if kind := d.Kind(); kind != '"' {
		if kind == '0' && d.tolerates {
			return d.readNumberAsText()
		}
		d.wrong(WrongType, stringType)
		return "", false
	}
	start, end, content, ok := d.String()
	switch {
	case !ok:
		return "", false
	case content != nil:
		return string(content), true
	default:
		return d.part(start+1, end-1), true
	}
}

// nameOf returns the name that [jsonscan.Decoder.Member] has just returned. If the name contains no escapes, the result may share
// memory with the input.
func (d *decoder) nameOf(name []byte) string {
	if start, end := d.Name(); end-start == len(name) {
		return d.part(start, end)
	}
	return string(name)
}

func (d *decoder) readBool() (value, ok bool) {
	if kind := d.Kind(); kind != 't' && kind != 'f' {
		d.wrong(WrongType, boolType)
		return false, false
	}
	return d.Bool()
}

func (d *decoder) readInt() (int64, bool) {
	switch kind := d.Kind(); {
	case kind == '"' && d.tolerates:
		return d.readIntInText()
	case kind != '0':
		d.wrong(WrongType, intType)
		return 0, false
	}
	raw, ok := d.Scalar()
	if !ok {
		return 0, false
	}
	n, ok := ParseInt(raw)
	if !ok && d.wants(WrongType) {
		d.reportWrong(WrongType, d.Offset()-len(raw), "literal", "a-small-integer")
	}
	return n, ok
}

// readIntInText reads an integer written as a JSON string.
func (d *decoder) readIntInText() (int64, bool) {
	start := d.Next()
	text, ok := d.readString()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		if d.wants(WrongType) {
			d.reportWrong(WrongType, start, "the-string", intType.want)
		}
		return 0, false
	}
	d.tolerate(start, "the-string", intType, strconv.FormatUint(n, 10))
	return int64(n), true
}

// readNumberAsText reads a number, and returns it as a string.
func (d *decoder) readNumberAsText() (string, bool) {
	raw, ok := d.Scalar()
	if !ok {
		return "", false
	}
	n, ok := ParseInt(raw)
	if !ok {
		if d.wants(WrongType) {
			d.reportWrong(WrongType, d.Offset()-len(raw), "the-number", stringType.want)
		}
		return "", false
	}
	text := strconv.FormatInt(n, 10)
	d.tolerate(d.Offset()-len(raw), "the-number", stringType, strconv.Quote(text))
	return text, true
}

// readRaw reads a value of any type, and returns it as written.
func (d *decoder) readRaw() json.RawMessage {
	raw, ok := d.skip()
	if !ok {
		return nil
	}
	return bytes.Clone(raw)
}

func (d *decoder) readStrings() (list []string, whole bool) {
	if !d.begin('[', stringsType) {
		return nil, true
	}
	list, whole = []string{}, true
	for d.More() {
		d.count()
		s, ok := d.readString()
		list, whole = append(list, s), whole && ok
	}
	return list, whole
}

// readStringMap reads a map of strings. If null is allowed, a key with the value null is absent.
func (d *decoder) readStringMap() (m map[string]string, whole bool) {
	if d.Kind() != '{' {
		d.wrong(MapType, stringMapType)
		return nil, true
	}
	if !d.Enter() {
		return nil, true
	}
	m, whole = map[string]string{}, true
	var missing map[string]bool // the keys whose values are not strings
	for key, _, ok := d.Member(""); ok; key, _, ok = d.Member("") {
		d.count()
		name := d.nameOf(key)
		if _, twice := m[name]; twice || missing[name] {
			d.duplicate()
			whole = false
			continue
		}
		switch kind := d.Kind(); {
		case kind == '"':
			m[name], _ = d.readString()
			continue
		case kind == '0' && d.tolerates:
			raw, _ := d.Scalar()
			m[name] = string(raw)
			d.tolerate(d.Offset()-len(raw), "the-number", stringType, strconv.Quote(m[name]))
			continue
		}
		if missing == nil {
			missing = map[string]bool{}
		}
		missing[name] = true
		if d.Kind() == 'n' && d.Nulls != NullIsWrong {
			d.Skip()
			whole = whole && d.Nulls == NullIsDropped
			continue
		}
		whole = false
		d.wrong(MapType, stringType)
	}
	return m, whole
}

// decodeNew decodes an object into a new value, or returns false if the JSON value is not an object.
func (t *Table[P]) decodeNew(d *decoder) (v P, ok bool) {
	if !d.begin('{', objectType) {
		return v, false
	}
	v = t.freshIn(d)
	t.decode(d, v, 0)
	return v, true
}

func decodeArray[S any](t *Table[*S], d *decoder) (list []S, whole bool) {
	if !d.begin('[', arrayType) {
		return nil, true
	}
	memory := space[S](d, t.number)
	list, *memory = (*memory)[:0], nil // an element may itself have such a list
	var is noted
	if d.Offsets != nil && d.IsInMember() {
		is = theElement
	}
	for d.More() {
		d.count()
		if is == theElement {
			d.Offsets.noteElement(d.Next())
		}
		start := d.Next()
		list = append(list, *new(S))
		s := &list[len(list)-1]
		if d.begin('{', objectType) {
			t.decode(d, s, is)
		} else {
			t.extra(s).own().element = d.since(start)
		}
	}
	used := list
	list = make([]S, len(used))
	copy(list, used)
	const usual = 256
	if cap(used) <= usual {
		clear(used)
		*memory = used
	}
	return list, true
}

// space returns reusable memory for the elements of arrays described by a table. The elements of a complete array are then
// copied to an array of the right length, because a growing array would be copied several times.
func space[S any](d *decoder, table int) *[]S {
	for len(d.spaces) <= table {
		d.spaces = append(d.spaces, nil)
	}
	if d.spaces[table] == nil {
		d.spaces[table] = new([]S)
	}
	return d.spaces[table].(*[]S)
}

func (d *decoder) null(want jsonType) {
	if d.Nulls == NullIsWrong {
		d.wrong(WrongType, want)
		return
	}
	d.Skip()
}

// skip reads a value of any type, reports a repeated name within the value, and returns the JSON text.
func (d *decoder) skip() ([]byte, bool) {
	raw, ok := d.Value()
	if ok {
		d.duplicateWithin(raw)
	}
	return raw, ok
}

// duplicateWithin reports the first repeated name in a value not described by a table.
func (d *decoder) duplicateWithin(raw []byte) {
	if raw[0] != '{' && raw[0] != '[' {
		return
	}
	if path, offset, found := jsonscan.FindDuplicate(raw); found && d.wants(Duplicate) {
		d.report(Problem{Fault: Duplicate, Path: d.Path() + path, Offset: d.Offset() - len(raw) + offset})
	}
}

// since returns the JSON text of the value that was read from the offset start on, or "" if no value was read.
func (d *decoder) since(start int) string { return d.part(min(start, d.Offset()), d.Offset()) }

func (d *decoder) report(p Problem) {
	const usual = 4 // an input with one problem often has several
	if d.problems == nil {
		d.problems = make([]Problem, 0, usual)
	}
	d.problems = append(d.problems, p)
}

// wants counts a problem, and reports whether the number of problems is still within the maximum.
func (d *decoder) wants(fault Fault) bool {
	count := &d.faults
	if fault == Unknown || fault == Tolerated || fault == Foreign {
		count = &d.unknown
	}
	*count++
	return *count <= maxProblems
}

// duplicate reports that the name just read is repeated, and skips the value.
func (d *decoder) duplicate() {
	if d.wants(Duplicate) {
		d.report(Problem{Fault: Duplicate, Path: d.Path(), Offset: d.Next()})
	}
	d.skip()
}

func (d *decoder) wrong(fault Fault, want jsonType) {
	kind, next := d.Kind(), d.Next()
	raw, ok := d.Value()
	if !ok {
		return
	}
	if d.wants(fault) {
		d.reportWrong(fault, next, seenKey(kind), want.want)
	}
	d.duplicateWithin(raw)
}

// tolerate reports the value of the wrong type that was just read, which begins at offset. The parameter read is the JSON text
// of the value accepted in its place.
func (d *decoder) tolerate(offset int, seen string, want jsonType, read string) {
	d.tolerated = true
	if d.wants(Tolerated) {
		d.reportWrong(Tolerated, offset, seen, want.want)
		d.problems[len(d.problems)-1].read = read
	}
}

// reportWrong reports the value that was just read, which begins at offset. The parameters seen and want are the keys of
// message parts.
func (d *decoder) reportWrong(fault Fault, offset int, seen, want string) {
	d.report(Problem{Fault: fault, Path: d.Path(), Offset: offset, Value: d.part(offset, d.Offset()), key: seen, want: want})
}
