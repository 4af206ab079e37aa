package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
)

// Fault is what is wrong with a place in the text.
type Fault uint8

// The faults that decoding tells of.
const (
	Syntax    Fault = iota + 1 // not JSON, or not one object; what follows was not read
	Duplicate                  // the member name stands a second time in its object
	WrongType                  // the value has another JSON type than its row says
	MapType                    // the same within a map of strings
	Unknown                    // no table lists the member
)

// Problem is one fault. Detail is a whole sentence where the fault is [Syntax], and else what
// follows the name of the place in one, such as "is null; it must be an integer."
type Problem struct {
	Fault  Fault
	Path   diag.Pointer
	Offset int // of the value in the text, in bytes
	Detail string
	Rule   *diag.Rule // that the member declares for values of a wrong type; nil if it declares none
}

// Sentence gives the problem as a sentence for people.
func (p Problem) Sentence() string {
	if p.Fault == Syntax {
		return p.Detail
	}
	last := ""
	for token := range p.Path.Tokens() {
		last = token
	}
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return "The element " + last + " " + p.Detail
	}
	return "The member " + diag.Quote(last) + " " + p.Detail
}

// Nulls says what null stands for.
type Nulls uint8

const (
	NullIsKept    Nulls = iota // absent, but written back as null when the value is encoded
	NullIsDropped              // absent, as if it had not been sent
	NullIsWrong                // a value of a wrong type
)

// maxProblems bounds what a hostile text costs: decoding goes on, but tells of no more. Members
// that are unknown count for themselves, as they must not hide what is wrong. It is one more
// than a report keeps, so that the report knows that there were more.
const maxProblems = diag.DefaultMax + 1

// decoder reads one text.
type decoder struct {
	json     jsontext.Decoder
	buffer   bytes.Buffer
	text     string // what is read; strings without escapes are cut from it
	nulls    Nulls
	problems []Problem
	stopped  bool          // after a syntax error
	next     jsontext.Kind // of the value that [decoder.peek] looked at last

	faults, strangers int // how many problems there were, without and with Unknown
}

// decoders keeps what scanning needs, which is costly to make.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

const null = "null"

// Decode reads text, which must be one JSON object and nothing else, into v, and returns
// what is wrong with it in the order of the text. After a [Syntax] problem, which is always
// the last one, v holds what was read before it.
func (t *Type[T]) Decode(text []byte, v *T, nulls Nulls) []Problem {
	d := decoders.Get().(*decoder)
	d.text = string(text)
	d.nulls = nulls
	d.buffer = *bytes.NewBuffer(text)
	d.json.Reset(&d.buffer, jsontext.AllowDuplicateNames(true))
	switch kind := d.peek(); kind {
	case '{':
		if d.begin('{', "") {
			t.decode(d, v)
		}
		d.end()
	default:
		d.notObject(kind)
	}
	problems := d.problems
	d.text, d.problems, d.stopped = "", nil, false
	d.faults, d.strangers = 0, 0
	d.buffer = bytes.Buffer{}
	decoders.Put(d)
	return problems
}

// Unmarshal reads text into a fresh *v, as [json.Unmarshaler] wants it. The error tells of
// everything that is wrong with the text; members that no table lists are not wrong.
func (t *Type[T]) Unmarshal(text []byte, v *T) error {
	*v = *new(T)
	var errs []error
	for _, p := range t.Decode(text, v, NullIsKept) {
		switch p.Fault {
		case Unknown:
		case Syntax:
			errs = append(errs, errors.New(p.Detail))
		default:
			errs = append(errs, fmt.Errorf("%s: %s", p.Path, p.Sentence()))
		}
	}
	return errors.Join(errs...)
}

// notObject tells why the text is not an object.
func (d *decoder) notObject(kind jsontext.Kind) {
	if kind == jsontext.KindInvalid {
		_, err := d.json.ReadToken()
		d.stop(err)
		return
	}
	d.syntax("", 0, fmt.Sprintf("The body is %s; it must be one JSON object.", kindName(kind)))
}

// end checks that nothing follows the object.
func (d *decoder) end() {
	if d.stopped {
		return
	}
	offset := int(d.json.InputOffset())
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		offset += len(d.text[offset:]) - len(strings.TrimLeft(d.text[offset:], " \t\r\n"))
		d.syntax("", offset, fmt.Sprintf("Something follows the JSON object, at byte %d; the body must be one object and nothing else.", offset))
	}
}

// decode reads the members of an object whose opening brace has been read.
func (t *Type[T]) decode(d *decoder, v *T) {
	var seen uint64
	var unlisted nameSet
	next := 0
	for {
		name, ok := d.name()
		if !ok {
			return
		}
		i := t.lookup(name, next)
		if i < 0 {
			t.decodeUnknown(d, v, &unlisted, string(name))
			continue
		}
		next = i + 1
		m := &t.members[i]
		if seen&(1<<i) != 0 {
			d.duplicate()
			d.skip()
			continue
		}
		seen |= 1 << i
		t.decodeMember(d, m, v)
	}
}

// decodeMember reads the value of one member, and keeps its text where the field does not
// hold all of it.
func (t *Type[T]) decodeMember(d *decoder, m *Member[T], v *T) {
	kind := d.peek()
	start := d.json.InputOffset()
	whole, wrong := true, false
	if kind == 'n' && !(m.null && d.nulls != NullIsDropped) {
		d.null(m.want)
		m.clear(v)
		if d.nulls == NullIsDropped {
			return
		}
	} else {
		faults := d.faults
		problems := len(d.problems)
		whole = m.decode(d, v)
		for i := problems; m.TypeRule != nil && i < len(d.problems); i++ {
			d.problems[i].Rule = m.TypeRule
		}
		wrong = d.faults > faults && !m.has(v)
	}
	if d.stopped || whole && m.has(v) {
		return
	}
	t.extra(v).add(rawMember{name: m.Name, value: d.since(start), over: !whole, wrong: wrong})
}

// lookup finds the row of a name. Members mostly come in one order, so the row after the
// last one is the first guess.
func (t *Type[T]) lookup(name []byte, guess int) int {
	if guess < len(t.members) && t.members[guess].Name == string(name) {
		return guess
	}
	if i, ok := t.index[string(name)]; ok {
		return i
	}
	return -1
}

// nameSet is a set of names. Hardly any object has a member that its table does not list, so
// few names are looked through, and only many are worth a map.
type nameSet struct {
	few  []string
	many map[string]bool
}

// add reports whether the name is new to the set.
func (s *nameSet) add(name string) bool {
	const few = 16
	if s.many == nil && len(s.few) < few {
		if slices.Contains(s.few, name) {
			return false
		}
		s.few = append(s.few, name)
		return true
	}
	if s.many == nil {
		s.many = make(map[string]bool, 2*few)
		for _, old := range s.few {
			s.many[old] = true
		}
	}
	if s.many[name] {
		return false
	}
	s.many[name] = true
	return true
}

func (t *Type[T]) decodeUnknown(d *decoder, v *T, names *nameSet, name string) {
	start := d.json.InputOffset()
	isNull := d.json.PeekKind() == 'n'
	path, offset := d.json.StackPointer(), d.offset()
	if !names.add(name) {
		d.duplicate()
		d.skip()
		return
	}
	if d.skip() == nil {
		return
	}
	if !isNull || d.nulls != NullIsDropped {
		t.extra(v).add(rawMember{name: name, value: d.since(start)})
	}
	d.tell(Problem{Fault: Unknown, Path: diag.Pointer(path), Offset: offset, Detail: t.unknownDetail(name)})
}

func (t *Type[T]) unknownDetail(name string) string {
	const detail = "is none that the documents list, and has no effect."
	if near, ok := limits.Nearest(name, t.Names()); ok {
		return fmt.Sprintf("%s Did you mean %q?", detail, near)
	}
	return detail
}

// begin reads the opening of an object or array. It returns false, having told of it and
// read the value, where another value stands there.
func (d *decoder) begin(open jsontext.Kind, want string) bool {
	if d.next != open {
		d.wrong(WrongType, want)
		return false
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.stop(err)
		return false
	}
	if d.json.StackDepth() > limits.JSONMaxDepth {
		d.tooDeep()
		return false
	}
	return true
}

// name reads the next member name, or the closing brace. The bytes are valid until the next
// read.
func (d *decoder) name() ([]byte, bool) {
	if d.stopped {
		return nil, false
	}
	if d.json.PeekKind() == '}' {
		if _, err := d.json.ReadToken(); err != nil {
			d.stop(err)
		}
		return nil, false
	}
	quoted, err := d.json.ReadValue()
	if err != nil {
		d.stop(err)
		return nil, false
	}
	return unquote(quoted), true
}

// peek looks at the next value. The typed reads go by what it saw, so that nobody looks twice.
func (d *decoder) peek() jsontext.Kind {
	d.next = d.json.PeekKind()
	return d.next
}

// more reports whether another element of an array follows, and reads its end otherwise.
func (d *decoder) more() bool {
	if d.stopped {
		return false
	}
	if d.peek() != ']' {
		return true
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.stop(err)
	}
	return false
}

func unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	plain, _ := jsontext.AppendUnquote(nil, quoted) // it was scanned: there is no error
	return plain
}

func (d *decoder) readString() (string, bool) {
	if d.next != '"' {
		d.wrong(WrongType, wantString)
		return "", false
	}
	return d.quoted()
}

// quoted reads a string. Without an escape it is a piece of the text: no copy is made.
func (d *decoder) quoted() (string, bool) {
	raw, err := d.json.ReadValue()
	if err != nil {
		d.stop(err)
		return "", false
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		return string(unquote(raw)), true
	}
	end := int(d.json.InputOffset())
	return d.text[end-len(raw)+1 : end-1], true
}

func (d *decoder) readBool() (value, ok bool) {
	kind := d.next
	if kind != 't' && kind != 'f' {
		d.wrong(WrongType, wantBool)
		return false, false
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.stop(err)
		return false, false
	}
	return kind == 't', true
}

func (d *decoder) readInt() (int64, bool) {
	if d.next != '0' {
		d.wrong(WrongType, wantInt)
		return 0, false
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		d.stop(err)
		return 0, false
	}
	n, ok := parseInt(raw)
	if !ok {
		d.tell(Problem{
			Fault:  WrongType,
			Path:   diag.Pointer(d.json.StackPointer()),
			Offset: int(d.json.InputOffset()) - len(raw),
			Detail: fmt.Sprintf("is %s; it must be an integer of at most 64 bits.", clip(raw)),
		})
	}
	return n, ok
}

// readRaw reads any value as it is written.
func (d *decoder) readRaw() json.RawMessage {
	return json.RawMessage(bytes.Clone(d.skip()))
}

func (d *decoder) readStrings() (list []string, whole bool) {
	if !d.begin('[', wantStrings) {
		return nil, true
	}
	list, whole = []string{}, true
	for d.more() {
		s, ok := d.readString()
		list, whole = append(list, s), whole && ok
	}
	return list, whole
}

// readStringMap reads a map of strings. A null stands for an absent key, where null may stand.
func (d *decoder) readStringMap() (m map[string]string, whole bool) {
	if d.next != '{' {
		d.wrong(MapType, wantStringMap)
		return nil, true
	}
	if !d.begin('{', "") {
		return nil, true
	}
	m, whole = map[string]string{}, true
	var missing map[string]bool // keys whose value is no string
	for {
		raw, ok := d.name()
		if !ok {
			return m, whole
		}
		name := string(raw)
		if _, twice := m[name]; twice || missing[name] {
			d.duplicate()
			d.skip()
			whole = false
			continue
		}
		kind := d.peek()
		if kind == '"' {
			m[name], _ = d.quoted()
			continue
		}
		if missing == nil {
			missing = map[string]bool{}
		}
		missing[name] = true
		if kind == 'n' && d.nulls != NullIsWrong {
			d.skip()
			whole = whole && d.nulls == NullIsDropped
			continue
		}
		whole = false
		d.wrong(MapType, wantString)
	}
}

func decodeArray[S any](d *decoder, t *Type[S]) []S {
	if !d.begin('[', wantArray) {
		return nil
	}
	const usual = 4 // elements: most lists are short, and growing one copies it
	list := make([]S, 0, usual)
	for d.more() {
		start := d.json.InputOffset()
		list = append(list, *new(S))
		s := &list[len(list)-1]
		if d.begin('{', wantObject) {
			t.decode(d, s)
		} else {
			t.extra(s).element = d.since(start)
		}
	}
	return slices.Clip(list)
}

// null reads a null where a member's value stands.
func (d *decoder) null(want string) {
	if d.nulls == NullIsWrong {
		d.wrong(WrongType, want)
		return
	}
	d.skip()
}

// skip reads any value and returns its text, or nil after a syntax error.
func (d *decoder) skip() []byte {
	raw := d.value()
	d.duplicatesWithin(raw)
	return raw
}

// value reads any value and returns its text, or nil after a syntax error. Unlike the typed
// reads it may meet nesting that nobody has looked at yet.
func (d *decoder) value() []byte {
	raw, err := d.json.ReadValue()
	if err != nil {
		d.stop(err)
		return nil
	}
	if isNested(raw) && d.json.StackDepth()+depth(raw) > limits.JSONMaxDepth {
		d.tooDeep()
		return nil
	}
	return raw
}

func isNested(raw []byte) bool { return raw[0] == '{' || raw[0] == '[' }

// depth returns how deep the arrays and objects of a well-formed value are nested.
func depth(raw []byte) int {
	deepest, now := 0, 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		case '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		}
	}
	return deepest
}

// duplicatesWithin tells of the first repeated name in a value that no table describes.
func (d *decoder) duplicatesWithin(raw []byte) {
	if raw == nil || !isNested(raw) {
		return
	}
	var syntax *jsontext.SyntacticError
	err := jsontext.NewDecoder(bytes.NewBuffer(raw)).SkipValue()
	if !errors.As(err, &syntax) { // it was scanned: nothing else is wrong with it
		return
	}
	name := int(syntax.ByteOffset)
	colon := skipSpace(raw, skipString(raw, name))
	d.tell(Problem{
		Fault:  Duplicate,
		Path:   diag.Pointer(d.json.StackPointer()) + diag.Pointer(syntax.JSONPointer),
		Offset: int(d.json.InputOffset()) - len(raw) + skipSpace(raw, colon+1),
		Detail: duplicateDetail,
	})
}

// since returns the text of the value that was read after the offset start.
func (d *decoder) since(start int64) string {
	text := d.text[start:d.json.InputOffset()]
	return strings.TrimLeft(text, " \t\r\n:,")
}

// offset returns where the next value begins; it has been peeked at.
func (d *decoder) offset() int {
	rest := d.text[d.json.InputOffset():]
	return len(d.text) - len(strings.TrimLeft(rest, " \t\r\n:,"))
}

func (d *decoder) tell(p Problem) {
	told := &d.faults
	if p.Fault == Unknown {
		told = &d.strangers
	}
	if *told++; *told <= maxProblems || p.Fault == Syntax {
		d.problems = append(d.problems, p)
	}
}

const duplicateDetail = "stands a second time in its object; it may stand once."

// duplicate tells that the name just read is a repeated one.
func (d *decoder) duplicate() {
	d.tell(Problem{
		Fault:  Duplicate,
		Path:   diag.Pointer(d.json.StackPointer()),
		Offset: d.offset(),
		Detail: duplicateDetail,
	})
}

// wrong reads a value of a wrong type and tells of it.
func (d *decoder) wrong(fault Fault, want string) {
	kind := d.json.PeekKind()
	offset := d.offset()
	raw := d.value()
	if raw == nil {
		return
	}
	d.tell(Problem{
		Fault:  fault,
		Path:   diag.Pointer(d.json.StackPointer()),
		Offset: offset,
		Detail: fmt.Sprintf("is %s; it must be %s.", seen(kind, raw), want),
	})
	d.duplicatesWithin(raw)
}

// seen describes a value: scalars by kind and value, the others by kind.
func seen(kind jsontext.Kind, raw []byte) string {
	switch kind {
	case '"':
		return "the string " + clip(raw)
	case '0':
		return "the number " + clip(raw)
	default:
		return kindName(kind)
	}
}

// clip cuts what a message quotes of a payload.
func clip(raw []byte) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "…"
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return null
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	case '{':
		return "an object"
	default:
		return "no JSON value"
	}
}

func (d *decoder) tooDeep() {
	d.syntax(diag.Pointer(d.json.StackPointer()), int(d.json.InputOffset()),
		fmt.Sprintf("Arrays and objects are nested more than %d levels deep; the limit is %d.", limits.JSONMaxDepth, limits.JSONMaxDepth))
}

// stop ends the decoding after an error of the scanner.
func (d *decoder) stop(err error) {
	var syntax *jsontext.SyntacticError
	switch {
	case d.stopped:
	case errors.As(err, &syntax) && strings.Count(string(syntax.JSONPointer), "/") > limits.JSONMaxDepth:
		d.tooDeep() // before it went wrong
	case errors.As(err, &syntax):
		d.syntax(diag.Pointer(syntax.JSONPointer), int(syntax.ByteOffset),
			fmt.Sprintf("The body is not well-formed JSON at byte %d: %s.", syntax.ByteOffset, reason(syntax)))
	case errors.Is(err, io.EOF):
		d.syntax("", len(d.text), "The body is empty; it must be one JSON object.")
	default: // reading from memory has no other error
		d.syntax("", len(d.text), "The body ends too early; it must be one JSON object.")
	}
}

// reason gives the scanner's words without its name.
func reason(err *jsontext.SyntacticError) string {
	if errors.Is(err.Err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Err.Error(), "jsontext: ")
}

func (d *decoder) syntax(path diag.Pointer, offset int, sentence string) {
	d.stopped = true
	d.tell(Problem{Fault: Syntax, Path: path, Offset: offset, Detail: sentence})
}
