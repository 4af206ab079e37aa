package object

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Fault is a kind of fault at a place in the text.
type Fault uint8

// The faults that decoding reports.
const (
	Syntax    Fault = iota + 1 // not JSON, or not one object; the rest was not read
	Duplicate                  // an earlier member of the object has the same name
	WrongType                  // the value has another JSON type than its table says
	MapType                    // the same within a map of strings
	Unknown                    // no table lists the member
	Tolerated                  // the value has another JSON type than its table says, and was read all the same
	Foreign                    // the value is a name of the other dialect
)

// Problem is one fault.
type Problem struct {
	Fault  Fault
	Path   diag.Pointer // in the names of the text
	Offset int          // the offset of the value in the text, in bytes
	Value  string       // the JSON text of a value of a wrong type, the name of an unknown member, or the value of another dialect
	Rule   *diag.Rule   // that the member declares for values of a wrong type, or [Reading.Foreign]; nil if there is none

	key    string                // of the sentence about a syntax error; of the part of another sentence about the received value
	err    *jsonscan.SyntaxError // if the key is malformed
	n, max int                   // bytes
	read   string                // the JSON text of the value read for a tolerated one
	want   string                // the key of the part of the sentence about the type that the value must have
	known  *form.Words           // the names that an unknown name may be a misspelling of
}

// Nulls is the meaning of null.
type Nulls uint8

const (
	NullIsKept    Nulls = iota // the member is absent, but encoding writes the null again
	NullIsDropped              // the member is absent, as if it had not been sent
	NullIsWrong                // the value has a wrong type
)

// maxProblems is the maximum number of problems that decoding reports, because a hostile text may have many. Unknown members,
// and values that are read in spite of their type, are counted separately: they must not hide faults. A report keeps one less,
// so that it knows that there were more.
const maxProblems = engine.Most + 1

// Reading holds the options for reading a text. The zero value keeps null and takes the names of the documents.
type Reading struct {
	Nulls   Nulls
	Dialect diag.Dialect
	Lenient bool       // read values of a wrong type that the public service is known to read in its dialect
	Foreign *diag.Rule // about values that are names of the other dialect; nil if they are no problem
	Limits
	Offsets *Offsets // if not nil, it is set to the offsets in the text
	Memory  any      // a *[]T: zero values for the first objects whose Go type is T; it is set to the values that remain
}

// Limits bound the cost of a hostile text. A text that exceeds one of them is read no further,
// which is a [Syntax] problem.
type Limits struct {
	Bytes    int // of the text; 0 means [constraint.JSONMaxBytes]
	Depth    int // of nested arrays and objects; 0 means [constraint.JSONMaxDepth]
	Elements int // members and array elements, except within values that no table describes; 0 means 250,000
}

// withDefaults replaces each limit that is 0.
func (l Limits) withDefaults() Limits {
	const elements = 250_000
	return Limits{cmp.Or(l.Bytes, constraint.JSONMaxBytes), cmp.Or(l.Depth, constraint.JSONMaxDepth), cmp.Or(l.Elements, elements)}
}

// decoder reads one text.
type decoder struct {
	jsonscan.Decoder
	Reading
	text
	problems []Problem

	orders []order // by the number of the table
	spaces []any   // see space, by the number of the table

	tolerates bool // [Reading.Lenient] applies to the member being read
	tolerated bool // it was read in spite of its type

	elements        int // members and array elements so far
	faults, unknown int // the numbers of problems: all but Unknown, Tolerated and Foreign, and these three
}

// decoders are kept for reuse: their buffers are costly to make.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

const null = "null"

// Decode reads text, which must be one JSON object, into v. It returns the problems of the text, in the order of the
// text. A [Syntax] problem is always the last; v then contains everything that was read before it.
func (t *Table[P]) Decode(body []byte, v P, how Reading) []Problem {
	how.Limits = how.withDefaults()
	if how.Offsets != nil {
		how.Offsets.whole, how.Offsets.valid, how.Offsets.noted, how.Offsets.elements = 0, false, 0, how.Offsets.elements[:0]
	}
	if len(body) > how.Bytes {
		return []Problem{{Fault: Syntax, key: "too-large", n: len(body), max: how.Bytes}}
	}
	t.extra(v).detach() // v may be a copy
	d := decoders.Get().(*decoder)
	d.Reading = how
	d.text.reset(body)
	d.Reset(body, how.Depth)
	problems := t.decodeWhole(d, v)
	d.Release()
	d.Offsets, d.Memory = nil, nil
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
			t.decode(d, v)
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

// count counts a member or an array element. It stops reading if there are too many.
func (d *decoder) count() {
	if d.elements++; d.elements > d.Elements {
		d.Stop(jsonscan.TooMany, d.Elements)
	}
}

// order is the order in which the members of a table came in the last texts: by 1 plus the index of a member, and by 0 for
// the beginning, the index of the next one. Members mostly come in one order.
type order [maxMembers + 1]uint8

// order returns the order of a table with n members. At first, it is the order of the table.
func (d *decoder) order(table, n int) *order {
	for len(d.orders) <= table {
		var first order
		for i := range first {
			first[i] = uint8(i)
		}
		d.orders = append(d.orders, first)
	}
	o := &d.orders[table]
	if int(o[n]) == n {
		o[n] = 0 // the first member follows the last one
	}
	return o
}

// decode reads the members of an object whose opening brace has been read.
func (t *Table[P]) decode(d *decoder, v P) {
	var seen Set
	var unknown nameSet
	names, order := t.in(d.Dialect), d.order(t.number, len(t.members))
	last := 0
	for {
		i := int(order[last])
		name, isNext, ok := d.Member(names.List[i])
		if !ok {
			return
		}
		d.count()
		if !isNext {
			i = indexOf(names, name)
		}
		if i < 0 {
			t.decodeUnknown(d, v, &unknown, string(name))
			continue
		}
		m := t.members[i]
		order[last] = uint8(i)
		last = i + 1
		if seen.Has(m.bit) {
			d.duplicate()
			continue
		}
		seen |= m.bit
		if d.Offsets != nil && d.IsOutermost() {
			d.Offsets.note(i, d.Next())
		}
		t.decodeMember(d, m, v)
	}
}

// decodeMember reads the value of one member. It keeps the text if the field does not contain all of it.
func (t *Table[P]) decodeMember(d *decoder, m *Member[P], v P) {
	start, faults, problems := d.Offset(), d.faults, len(d.problems)
	whole, has := true, false
	d.tolerates, d.tolerated = m.tolerated && d.Lenient && d.Dialect == diag.Google, false
	if d.Kind() == 'n' && (!m.null || d.Nulls == NullIsDropped) {
		d.null(m.is)
		m.clear(v)
		if d.Nulls == NullIsDropped {
			return
		}
	} else {
		whole, has = m.decode(d, v)
		if m.renames && has {
			d.rename(&m.Declaration, m.text(v), start)
		}
		for i := problems; m.TypeRule != nil && i < len(d.problems); i++ {
			d.problems[i].Rule = m.TypeRule
		}
	}
	if whole && has || d.Err() != nil {
		return
	}
	text := d.since(start)
	if d.tolerated && whole { // a zero
		text = string(m.append(diag.Documents, nil, v))
	}
	t.extra(v).add(rawMember{name: m.Name, value: text, over: !whole, wrong: d.faults > faults && !has})
}

// rename replaces a value with its name in the documents, and reports the name of the other dialect.
func (d *decoder) rename(of *Declaration, value *string, start int) {
	if in, ok := diag.DialectOf(*value); ok && in != d.Dialect && d.Foreign != nil && of.HasRenamed(*value) && d.wants(Foreign) {
		d.report(Problem{Fault: Foreign, Path: d.Path(), Offset: d.After(start), Value: *value, Rule: d.Foreign})
	}
	*value = d.Dialect.Name(*value)
}

func (t *Table[P]) decodeUnknown(d *decoder, v P, seen *nameSet, name string) {
	isNull := d.Kind() == 'n'
	problem := Problem{Fault: Unknown, Offset: d.Next()}
	if !seen.add(name) {
		d.duplicate()
		return
	}
	start, wanted := d.Offset(), d.wants(Unknown)
	if wanted {
		problem.Path = d.Path()
	}
	if _, ok := d.skip(); !ok {
		return
	}
	if !isNull || d.Nulls != NullIsDropped {
		own := t.extra(v).own()
		if own.unknown == nil {
			own.unknown = make([]rawMember, 0, 4) // a text with one unknown member often has several
		}
		own.unknown = append(own.unknown, rawMember{name: t.nameIn(d.Dialect, name), value: d.since(start)})
	}
	if !wanted {
		return
	}
	problem.Value, problem.known = name, &t.in(d.Dialect).Words
	d.report(problem)
}

// nameSet is a set of names, mostly very few.
type nameSet struct {
	few  []string
	many map[string]bool // the names in few, and all others; nil if there are no others
}

// add adds a name, and reports whether it is new.
func (s *nameSet) add(name string) bool {
	const most = 8
	if s.few == nil {
		s.few = make([]string, 0, most)
	}
	if s.many[name] || s.many == nil && slices.Contains(s.few, name) {
		return false
	}
	switch {
	case len(s.few) < most:
		s.few = append(s.few, name)
		return true
	case s.many == nil:
		s.many = map[string]bool{}
		for _, name := range s.few {
			s.many[name] = true
		}
	}
	s.many[name] = true
	return true
}

// begin reads the beginning of an object or array. If it sees another value, it reads that, reports
// it and returns false.
func (d *decoder) begin(open jsonscan.Kind, want jsonType) bool {
	if d.Kind() != open {
		d.wrong(WrongType, want)
		return false
	}
	return d.Enter()
}

// readString reads a string. If it has no escape, it is a part of the text and not a copy.
func (d *decoder) readString() (string, bool) {
	switch kind := d.Kind(); {
	case kind == '0' && d.tolerates:
		return d.readNumberAsText()
	case kind != '"':
		d.wrong(WrongType, stringType)
		return "", false
	}
	start, end, isPlain, ok := d.String()
	switch {
	case !ok:
		return "", false
	case !isPlain:
		return string(jsonscan.Unquote(d.bytes[start:end])), true
	default:
		return d.part(start+1, end-1), true
	}
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

// readIntInText reads an integer that is written as a string of digits.
func (d *decoder) readIntInText() (int64, bool) {
	start, end, _, ok := d.String()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(string(jsonscan.Unquote(d.bytes[start:end])), 10, 63)
	if err != nil {
		if d.wants(WrongType) {
			d.reportWrong(WrongType, start, "the-string", intType.want)
		}
		return 0, false
	}
	d.tolerate(start, "the-string", intType, strconv.FormatUint(n, 10))
	return int64(n), true
}

// readNumberAsText reads a number as its digits.
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

// readRaw reads any value as written.
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

// readStringMap reads a map of strings. Where null is allowed, it means an absent key.
func (d *decoder) readStringMap() (m map[string]string, whole bool) {
	if d.Kind() != '{' {
		d.wrong(MapType, stringMapType)
		return nil, true
	}
	if !d.Enter() {
		return nil, true
	}
	m, whole = map[string]string{}, true
	var missing map[string]bool // keys whose value is not a string
	for key, _, ok := d.Member(""); ok; key, _, ok = d.Member("") {
		d.count()
		name := string(key)
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

// decodeNew reads an object. It returns false if there is none.
func (t *Table[P]) decodeNew(d *decoder) (v P, ok bool) {
	if !d.begin('{', objectType) {
		return v, false
	}
	v = t.freshIn(d)
	t.decode(d, v)
	return v, true
}

func decodeArray[S any](t *Table[*S], d *decoder) (list []S, whole bool) {
	if !d.begin('[', arrayType) {
		return nil, true
	}
	memory := space[S](d, t.number)
	list, *memory = (*memory)[:0], nil // as an element may have such a list
	isNoted := d.Offsets != nil && d.IsInMember()
	for d.More() {
		d.count()
		if isNoted {
			d.Offsets.noteElement(d.Next())
		}
		start := d.Offset()
		list = append(list, *new(S))
		s := &list[len(list)-1]
		if d.begin('{', objectType) {
			t.decode(d, s)
		} else {
			t.extra(s).own().element = d.since(start)
		}
	}
	used := list
	list = make([]S, len(used))
	copy(list, used)
	const usual = 256 // elements
	if cap(used) <= usual {
		clear(used)
		*memory = used
	}
	return list, true
}

// space returns memory for the elements of the arrays of a table. An array is copied from it when all its elements have been
// read, because it would be copied several times if it grew.
func space[S any](d *decoder, table int) *[]S {
	for len(d.spaces) <= table {
		d.spaces = append(d.spaces, nil)
	}
	if d.spaces[table] == nil {
		d.spaces[table] = new([]S)
	}
	return d.spaces[table].(*[]S)
}

// null reads a null as the value of a member.
func (d *decoder) null(want jsonType) {
	if d.Nulls == NullIsWrong {
		d.wrong(WrongType, want)
		return
	}
	d.Skip()
}

// skip reads any value and returns its text. It reports a repeated name within the value.
func (d *decoder) skip() ([]byte, bool) {
	raw, ok := d.Value()
	if ok {
		d.duplicateWithin(raw)
	}
	return raw, ok
}

// duplicateWithin reports the first repeated name in a value that no table describes.
func (d *decoder) duplicateWithin(raw []byte) {
	if raw[0] != '{' && raw[0] != '[' {
		return
	}
	if path, offset, found := jsonscan.FindDuplicate(raw); found && d.wants(Duplicate) {
		d.report(Problem{Fault: Duplicate, Path: d.Path() + path, Offset: d.Offset() - len(raw) + offset})
	}
}

// since returns the text of the value that was read after the offset start, or "" if it was not read.
func (d *decoder) since(start int) string {
	end := d.Offset()
	return d.part(min(d.After(start), end), end)
}

func (d *decoder) report(p Problem) {
	const usual = 4 // a text with one problem often has several
	if d.problems == nil {
		d.problems = make([]Problem, 0, usual)
	}
	d.problems = append(d.problems, p)
}

// wants counts a problem, and reports whether to report it: a text may have any number.
func (d *decoder) wants(fault Fault) bool {
	count := &d.faults
	if fault == Unknown || fault == Tolerated || fault == Foreign {
		count = &d.unknown
	}
	*count++
	return *count <= maxProblems
}

// duplicate reports that the name that was just read is repeated, and skips the value.
func (d *decoder) duplicate() {
	if d.wants(Duplicate) {
		d.report(Problem{Fault: Duplicate, Path: d.Path(), Offset: d.Next()})
	}
	d.skip()
}

// wrong reads a value of a wrong type and reports it.
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

// tolerate reports the value of a wrong type that was just read and begins at the offset. read is the JSON text of its
// interpretation.
func (d *decoder) tolerate(offset int, seen string, want jsonType, read string) {
	d.tolerated = true
	if d.wants(Tolerated) {
		d.reportWrong(Tolerated, offset, seen, want.want)
		d.problems[len(d.problems)-1].read = read
	}
}

// reportWrong reports the value that was just read, and that begins at the offset. seen and want are keys of parts of
// the sentence.
func (d *decoder) reportWrong(fault Fault, offset int, seen, want string) {
	d.report(Problem{Fault: fault, Path: d.Path(), Offset: offset, Value: d.part(offset, d.Offset()), key: seen, want: want})
}
