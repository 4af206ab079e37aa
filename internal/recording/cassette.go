package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
)

// A cassette is a recording made by one of the test libraries go-vcr, VCR for Ruby, vcrpy and betamax. Every cassette is a YAML or
// JSON document with a list of interactions: pairs of a request and a response. The test libraries differ in the names and
// forms of a few members.

// readCassette returns the exchanges in a cassette, parsing the file without expanding aliases. The limit is the maximum total
// length in bytes of the strings that aliases repeat.
func readCassette(text []byte, limit int) (all []Exchange, err error) {
	root, err := readTree(text)
	if err != nil {
		return nil, fmt.Errorf("not a cassette: %w", err)
	}
	r := tapeReader{left: int64(limit)}
	list := "interactions"
	interactions := r.member(root, list)
	if interactions == nil {
		list = "http_interactions"
		interactions = r.member(root, list)
	}
	if interactions == nil || interactions.Kind != yaml.SequenceNode {
		return nil, errors.New("not a cassette: it contains no list of interactions")
	}
	places := lines{text: text, line: 1}
	for i, node := range interactions.Content {
		e, err := r.exchange(r.follow(node))
		if r.err != nil {
			err = r.err // the cause of missing values
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d%s: %w", i+1, lineOf(node), err)
		}
		e.Offset = places.offsetOf(node)
		all = append(all, e)
	}
	if root.Line == 0 { // the cassette is JSON
		locate(text, diag.Pointer("").Member(list), all)
	}
	return all, nil
}

// lines finds the offsets of nodes in a file, in ascending order.
type lines struct {
	text               []byte
	line, offset, last int // the current line and its offset, and the offset of the last node
}

// offsetOf returns the offset of a node that is preceded on its line only by white space and punctuation. The offset is
// approximate after line breaks other than \n, which YAML also has, but never decreases.
func (l *lines) offsetOf(n *yaml.Node) int {
	for ; l.line < n.Line; l.line++ {
		_, rest, _ := bytes.Cut(l.text[l.offset:], []byte("\n"))
		l.offset = len(l.text) - len(rest)
	}
	l.last = max(l.last, min(len(l.text), l.offset+max(0, n.Column-1)))
	return l.last
}

// lineOf returns the line number of a node for a message, or "" for a node from JSON.
func lineOf(n *yaml.Node) string {
	if n.Line == 0 {
		return ""
	}
	return fmt.Sprintf(": line %d", n.Line)
}

// readTree returns the root of a YAML or JSON document, or nil if the document is empty. JSON is read separately because YAML
// does not support surrogate pairs.
func readTree(text []byte) (*yaml.Node, error) {
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if json.Valid(text) && d.Decode(&value) == nil {
		return nodeOf(value), nil
	}
	if tooManyDirectives(text) {
		return nil, fmt.Errorf("it contains more than %d directives", maxDirectives)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, errors.New(yamlMistake(err))
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// nodeOf converts a JSON value to a YAML node, with the members of objects in no particular order.
func nodeOf(value any) *yaml.Node {
	switch v := value.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for name, member := range v {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, nodeOf(member))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, element := range v {
			n.Content = append(n.Content, nodeOf(element))
		}
		return n
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(value)}
}

// maxDirectives is the maximum number of tag directives, because the YAML parser compares each directive with all others.
const maxDirectives = 1000

// tooManyDirectives reports whether text may have more than maxDirectives tag directives. Only directives before the first line
// that begins with ---, if any, are counted.
func tooManyDirectives(text []byte) bool {
	if bytes.HasPrefix(text, []byte("---")) {
		return false
	}
	head, _, _ := bytes.Cut(text, []byte("\n---"))
	return bytes.Count(head, []byte("%TAG")) > maxDirectives
}

// yamlMistake returns the parser's error message without the parser's name and without quoted input, which may contain
// credentials.
func yamlMistake(err error) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "`")
	text, _, _ = strings.Cut(text, "'")
	if errors.Is(err, io.EOF) {
		return "unexpected end of input"
	}
	return strings.TrimSpace(text)
}

type tapeReader struct {
	left int64 // the number of bytes that aliases may still repeat
	err  error // the error if aliases repeat too much
}

// follow returns the node to which an alias refers. Only scalars may be repeated: no library writes other aliases, and
// nested lists could otherwise grow without bound.
func (r *tapeReader) follow(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.AliasNode {
		return n
	}
	if n.Alias.Kind != yaml.ScalarNode {
		r.err = fmt.Errorf("the alias in line %d does not refer to a string", n.Line)
		return nil
	}
	if r.left -= int64(len(n.Alias.Value)); r.left < 0 {
		r.err = errors.New("its aliases repeat more bytes than --max-size allows")
		return nil
	}
	return n.Alias
}

// member returns the value of the first member of a mapping with one of the names, or nil.
func (r *tapeReader) member(n *yaml.Node, names ...string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for _, name := range names {
		for pair := range slices.Chunk(n.Content, 2) {
			if pair[0].Value == name {
				return r.follow(pair[1])
			}
		}
	}
	return nil
}

// text returns the value of a scalar, or "" for null.
func (r *tapeReader) text(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

func (r *tapeReader) exchange(n *yaml.Node) (e Exchange, err error) {
	request, response := r.member(n, "request"), r.member(n, "response")
	if request == nil || request.Kind != yaml.MappingNode {
		return e, errors.New("it contains no request")
	}
	e.Method = strings.ToUpper(r.text(r.member(request, "method")))
	e.URL = r.text(r.member(request, "url", "uri"))
	if e.URL == "" {
		return e, errors.New("its request has no url")
	}
	e.Body, e.BodyErr = r.body(request)
	e.Header = r.header(request, e.Body)
	e.expectBody(hasLength(e.Header))
	e.Status = r.status(response)
	e.Answer, e.AnswerErr = r.body(response)
	e.AnswerHeader = r.header(response, e.Answer)
	return e, nil
}

// status returns the status of a response: a number, a line such as "200 OK", or a mapping with the code. The result is 0 if
// there is no status.
func (r *tapeReader) status(response *yaml.Node) int {
	n := r.member(response, "code")
	if n == nil {
		n = r.member(response, "status")
	}
	if n != nil && n.Kind == yaml.MappingNode {
		n = r.member(n, "code")
	}
	code, _, _ := strings.Cut(r.text(n), " ")
	status, err := strconv.Atoi(code)
	if err != nil {
		return 0
	}
	return status
}

// body returns the body of a message, which is a string or a mapping that contains a string. A string in base64, as in a binary
// scalar, is decoded.
func (r *tapeReader) body(message *yaml.Node) ([]byte, error) {
	n := r.member(message, "body")
	if coded := r.member(n, "base64_string"); coded != nil {
		return decodeBase64(r.text(coded))
	}
	if n != nil && n.Kind == yaml.MappingNode {
		n = r.member(n, "string")
	}
	if n != nil && (n.Tag == "!!binary" || n.Tag == "!binary") { // Ruby writes !binary
		return decodeBase64(n.Value)
	}
	return []byte(r.text(n)), nil
}

func decodeBase64(text string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, errNotBase64
	}
	return b, nil
}

var errNotBase64 = errors.New("it is not valid base64")

func (r *tapeReader) header(message *yaml.Node, body []byte) between.Header {
	header := between.Header{}
	fields := r.member(message, "headers")
	if fields == nil || fields.Kind != yaml.MappingNode {
		return header
	}
	for pair := range slices.Chunk(fields.Content, 2) {
		name, value := pair[0].Value, r.follow(pair[1])
		if strings.HasPrefix(name, ":") {
			continue
		}
		if value != nil && value.Kind == yaml.SequenceNode {
			for _, v := range value.Content {
				header[name] = append(header[name], r.text(r.follow(v)))
			}
			continue
		}
		header[name] = append(header[name], r.text(value))
	}
	dropCoding(header, body)
	return header
}

// dropCoding drops the Content-Encoding field unless the body begins like a gzip file, because most libraries keep the field
// after decoding the body.
func dropCoding(header between.Header, body []byte) {
	const gzipMagic = "\x1f\x8b"
	if strings.HasPrefix(string(body), gzipMagic) {
		return
	}
	for name := range header {
		if strings.EqualFold(name, "Content-Encoding") {
			delete(header, name)
		}
	}
}
