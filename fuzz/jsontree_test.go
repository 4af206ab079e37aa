package fuzz_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
)

// node is a JSON value as it is written: an object, an array, or the text of a scalar.
type node struct {
	object, array bool
	names         []string // of the children of an object
	children      []*node
	text          string
}

// parse reads JSON with the standard library, independently of the code under test.
func parse(text []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return parseValue(d)
}

func mustParse(text []byte) *node {
	n, err := parse(text)
	if err != nil {
		panic(err)
	}
	return n
}

func parseValue(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{object: token == json.Delim('{'), array: token == json.Delim('[')}
	if !n.object && !n.array {
		n.text = quote(token)
		return n, nil
	}
	for d.More() {
		if n.object {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, name.(string))
		}
		child, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err = d.Token()
	return n, err
}

func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// member returns the value of a member, or nil.
func (n *node) member(name string) *node {
	if i := slices.Index(n.names, name); i >= 0 {
		return n.children[i]
	}
	return nil
}

func scalar(text string) *node { return &node{text: text} }

// kind distinguishes values of different JSON types.
func (n *node) kind() byte {
	switch {
	case n.object:
		return '{'
	case n.array:
		return '['
	case n.text == "true" || n.text == "false":
		return 't'
	case n.text[0] == '-' || '0' <= n.text[0] && n.text[0] <= '9':
		return '0'
	default:
		return n.text[0]
	}
}

// write appends the value; space returns the white space wherever JSON allows it.
func (n *node) write(dst []byte, space func() string) []byte {
	dst = append(dst, space()...)
	switch {
	case n.object:
		dst = append(dst, '{')
	case n.array:
		dst = append(dst, '[')
	default:
		return append(append(dst, n.text...), space()...)
	}
	for i, child := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n.object {
			dst = append(append(append(dst, space()...), quote(n.names[i])...), space()...)
			dst = append(dst, ':')
		}
		dst = child.write(dst, space)
	}
	dst = append(dst, space()...)
	if n.array {
		dst = append(dst, ']')
	} else {
		dst = append(dst, '}')
	}
	return append(dst, space()...)
}

func (n *node) bytes() []byte { return n.write(nil, func() string { return "" }) }

// place is a value in a document.
type place struct {
	path   diag.Pointer
	node   *node
	parent *node // nil for the document
	i      int   // among the parent's children
}

// places lists all values of the document, including itself.
func places(document *node) []place {
	all := []place{{node: document}}
	for i := 0; i < len(all); i++ {
		at := all[i]
		for k, child := range at.node.children {
			path := at.path.Index(k)
			if at.node.object {
				path = at.path.Member(at.node.names[k])
			}
			all = append(all, place{path, child, at.node, k})
		}
	}
	return all
}

func (p place) replace(with *node) { p.parent.children[p.i] = with }

// shuffle changes the order of the members of all objects.
func (n *node) shuffle(t *rapid.T) {
	if n.object {
		order := make([]int, len(n.children))
		for i := range order {
			order[i] = i
		}
		names, children := slices.Clone(n.names), slices.Clone(n.children)
		for to, from := range rapid.Permutation(order).Draw(t, "order") {
			n.names[to], n.children[to] = names[from], children[from]
		}
	}
	for _, child := range n.children {
		child.shuffle(t)
	}
}

// value returns a text that is equal for equal JSON values: it sorts members, and writes numbers by value.
func (n *node) value() string {
	parts := make([]string, len(n.children))
	for i, child := range n.children {
		parts[i] = child.value()
		if n.object {
			parts[i] = quote(n.names[i]) + ":" + parts[i]
		}
	}
	switch {
	case n.object:
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case n.array:
		return "[" + strings.Join(parts, ",") + "]"
	case n.kind() == '0':
		return numberValue(n.text)
	default:
		return n.text
	}
}

// numberValue writes a number as an integer without trailing zeros, and a power of ten.
func numberValue(s string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(s), "e")
	exponent := new(big.Int)
	exponent.SetString(strings.TrimPrefix(power, "+"), 10)
	digits, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0"
	}
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(significant)-len(fraction))))
	sign := ""
	if negative {
		sign = "-"
	}
	return sign + significant + "e" + exponent.String()
}

// offsets returns the offsets at which the value of each place begins; a repeated member has
// several. It is slow and simple, to check the places of findings.
func offsets(text []byte) map[diag.Pointer][]int {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	at := map[diag.Pointer][]int{}
	locate(d, text, "", at)
	return at
}

func locate(d *json.Decoder, text []byte, path diag.Pointer, at map[diag.Pointer][]int) {
	offset := int(d.InputOffset())
	offset += len(text[offset:]) - len(bytes.TrimLeft(text[offset:], " \t\r\n:,"))
	at[path] = append(at[path], offset)
	token, err := d.Token()
	if err != nil {
		panic(err) // callers only pass well-formed texts
	}
	for i := 0; token == json.Delim('{') || token == json.Delim('['); i++ {
		if !d.More() {
			_, _ = d.Token()
			return
		}
		child := path.Index(i)
		if token == json.Delim('{') {
			name, _ := d.Token()
			child = path.Member(name.(string))
		}
		locate(d, text, child, at)
	}
}

// generic returns the path of a place with * for indexes and for keys of maps.
func generic(p place) string {
	path := ""
	for token := range p.path.Tokens() {
		switch {
		case token != "" && token[0] >= '0' && token[0] <= '9',
			strings.HasSuffix(path, "/private"), strings.HasSuffix(path, "/shared"), strings.HasSuffix(path, "/preferences"):
			token = "*"
		}
		path += "/" + token
	}
	return path
}

// members lists the paths of all members that the Go type has by its tags, as [generic] does.
func members(v any) []string {
	var all []string
	addMembers(&all, "", reflect.TypeOf(v))
	return all
}

func addMembers(all *[]string, path string, typ reflect.Type) {
	switch typ.Kind() {
	case reflect.Pointer:
		addMembers(all, path, typ.Elem())
	case reflect.Slice:
		if typ.Elem().Kind() != reflect.Uint8 { // the element type of json.RawMessage
			addMembers(all, path+"/*", typ.Elem())
		}
	case reflect.Struct:
		for field := range typ.Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
				*all = append(*all, path+"/"+name)
				addMembers(all, path+"/"+name, field.Type)
			}
		}
	}
}
