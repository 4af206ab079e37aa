package command

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/calrules/calrules/between"
)

// A cassette is a recording that a test library makes: go-vcr, VCR for Ruby, and vcrpy. All are documents of YAML with
// a list of interactions, each a request and a response. They differ in the names and forms of a few members.

// readCassette returns the exchanges of a cassette. Its text is read as a tree, in which an alias is a pointer: nothing
// is expanded. limit bounds the bytes of the texts that aliases repeat.
func readCassette(text []byte, limit size) (all []exchange, err error) {
	if tooManyDirectives(text) {
		return nil, fmt.Errorf("not a cassette: it has more than %d directives", maxDirectives)
	}
	var doc yaml.Node
	err = yaml.Unmarshal(text, &doc)
	if err != nil {
		return nil, fmt.Errorf("not a cassette: %s", yamlMistake(err))
	}
	r := tapeReader{left: int64(limit)}
	interactions := r.member(r.only(&doc), "interactions", "http_interactions")
	if interactions == nil || interactions.Kind != yaml.SequenceNode {
		return nil, errors.New("not a cassette: it has no list of interactions")
	}
	for i, node := range interactions.Content {
		e, err := r.exchange(r.follow(node))
		if r.err != nil {
			err = r.err // the cause of what is missing
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d: line %d: %w", i+1, node.Line, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// maxDirectives is how many tag directives may be before a document. The parser compares each with all others.
const maxDirectives = 1000

// tooManyDirectives reports whether more directives may be before a document. The line --- ends them, and needs no other check
// of the form: where it is missing, the whole text counts.
func tooManyDirectives(text []byte) bool {
	if bytes.HasPrefix(text, []byte("---")) {
		return false
	}
	head, _, _ := bytes.Cut(text, []byte("\n---"))
	return bytes.Count(head, []byte("%TAG")) > maxDirectives
}

// yamlMistake returns what the parser says, without its name and without a quotation of the text: that may be a
// credential.
func yamlMistake(err error) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "`")
	text, _, _ = strings.Cut(text, "'")
	if errors.Is(err, io.EOF) {
		return "it ends too early"
	}
	return strings.TrimSpace(text)
}

// tapeReader reads the nodes of a cassette.
type tapeReader struct {
	left int64 // how many bytes aliases may still repeat
	err  error // that they repeat more
}

// only returns the root of a document, or nil if it is empty.
func (r *tapeReader) only(doc *yaml.Node) *yaml.Node {
	if len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

// follow returns the node that an alias names. Only a text may be repeated: no library writes other aliases, and
// a list of lists would grow without a bound.
func (r *tapeReader) follow(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.AliasNode {
		return n
	}
	if n.Alias.Kind != yaml.ScalarNode {
		r.err = fmt.Errorf("line %d repeats more than a text by an alias", n.Line)
		return nil
	}
	if r.left -= int64(len(n.Alias.Value)); r.left < 0 {
		r.err = errors.New("its aliases repeat more bytes than --max-size allows")
		return nil
	}
	return n.Alias
}

// member returns the first member of a mapping with one of the names, or nil.
func (r *tapeReader) member(n *yaml.Node, names ...string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for _, name := range names {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				return r.follow(n.Content[i+1])
			}
		}
	}
	return nil
}

// text returns a scalar as text; null is empty.
func (r *tapeReader) text(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// exchange returns the exchange of an interaction.
func (r *tapeReader) exchange(n *yaml.Node) (e exchange, err error) {
	request, response := r.member(n, "request"), r.member(n, "response")
	if request == nil || request.Kind != yaml.MappingNode {
		return e, errors.New("it has no request")
	}
	e.method = strings.ToUpper(r.text(r.member(request, "method")))
	e.url = r.text(r.member(request, "url", "uri"))
	if e.url == "" {
		return e, errors.New("its request has no url")
	}
	e.body, e.bodyErr = r.body(request)
	e.header = r.header(request, e.body)
	e.expectBody(hasLength(e.header))
	e.status = r.status(response)
	e.answer, e.answerErr = r.body(response)
	e.answerHeader = r.header(response, e.answer)
	return e, nil
}

// status returns the status of a response: a number, a line such as "200 OK", or a mapping with the code. It is 0 if
// there is none.
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

// body returns a body: a text, or a mapping with the text or with its base64 form. A binary text is base64 too.
func (r *tapeReader) body(message *yaml.Node) ([]byte, error) {
	n := r.member(message, "body")
	if coded := r.member(n, "base64_string"); coded != nil {
		return decodeBase64(r.text(coded))
	}
	if n != nil && n.Kind == yaml.MappingNode {
		n = r.member(n, "string")
	}
	if n != nil && (n.Tag == "!!binary" || n.Tag == "!binary") { // Ruby writes the latter
		return decodeBase64(n.Value)
	}
	return []byte(r.text(n)), nil
}

func decodeBase64(text string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, errors.New("it is not valid base64")
	}
	return b, nil
}

// header returns the fields of a header. Most libraries keep the field for the content coding after they have decoded
// the body, so the first bytes of the body decide whether it stays.
func (r *tapeReader) header(message *yaml.Node, body []byte) between.Header {
	header := between.Header{}
	fields := r.member(message, "headers")
	if fields == nil || fields.Kind != yaml.MappingNode {
		return header
	}
	const gzipMagic = "\x1f\x8b"
	for i := 0; i+1 < len(fields.Content); i += 2 {
		name, value := fields.Content[i].Value, r.follow(fields.Content[i+1])
		if strings.HasPrefix(name, ":") || strings.EqualFold(name, "Content-Encoding") && !strings.HasPrefix(string(body), gzipMagic) {
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
	return header
}
