package recording

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/internal/urltext"
)

// ReadRequest reads a request: a curl command, as copied from a browser, or an HTTP request, as written for a client in
// an editor.
func ReadRequest(text []byte) (Exchange, error) {
	form := FormOf(text)
	text = bytes.ReplaceAll(trimmed(text), []byte("\r\n"), []byte("\n"))
	switch form {
	case Curl:
		return readCurl(string(text))
	case HTTP:
		return readHTTP(string(afterComments(text)))
	}
	return Exchange{}, fmt.Errorf("not a request: it looks like %s", form)
}

// readHTTP reads a request line, a header and a body, and returns an error if a "###" line begins another request.
func readHTTP(text string) (e Exchange, err error) {
	text, more, several := strings.Cut(text, "\n###")
	if _, next, _ := strings.Cut(more, "\n"); several && strings.TrimSpace(next) != "" {
		return e, errors.New("it contains several requests; put each in its own file")
	}
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	words := strings.Fields(lines[0])
	e = Exchange{Method: words[0], URL: words[1], Header: between.Header{}, Body: []byte(body)}
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//"):
		case !ok && strings.TrimSpace(line) != "":
			return e, errors.New("a header line contains no colon")
		case ok:
			name = strings.TrimSpace(name)
			e.Header[name] = append(e.Header[name], strings.TrimSpace(value))
		}
	}
	if host := e.Header["Host"]; strings.HasPrefix(e.URL, "/") && len(host) > 0 {
		e.URL = "https://" + host[0] + e.URL
	}
	return e, hasVariables(e.URL + body)
}

// hasVariables returns an error if text contains variables for an editor to fill in.
func hasVariables(text string) error {
	if before, after, ok := strings.Cut(text, "{{"); ok && strings.Contains(after, "}}") && !strings.HasSuffix(before, `"`) {
		return errors.New("it contains a variable such as {{name}}; replace it with its value")
	}
	return nil
}

// readCurl reads a curl command, except options that do not change the request.
func readCurl(text string) (e Exchange, err error) {
	words, err := splitWords(strings.TrimPrefix(text, "$ "))
	if err != nil {
		return e, err
	}
	c := curlCommand{Exchange: Exchange{Header: between.Header{}}}
	for words = words[1:]; len(words) > 0; {
		if words, err = c.option(words); err != nil {
			return e, err
		}
	}
	return c.request()
}

// curlCommand is the request described by the options read so far.
type curlCommand struct {
	Exchange
	data  []string
	isGet bool
}

// curlOptions lists the options with a value, and curlLetters maps short names to these options. All other options have no
// value.
var (
	curlOptions = []string{
		"--request", "--url", "--header", "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--json", "--user", "--form", "--form-string",
		"--upload-file", "--config", "--url-query", "--user-agent", "--cookie", "--cookie-jar", "--referer", "--output", "--max-time", "--connect-timeout",
		"--proxy", "--proxy-header", "--proxy-user", "--noproxy", "--cert", "--cert-type", "--key", "--key-type", "--pass", "--cacert", "--capath", "--ciphers",
		"--tls-max", "--write-out", "--dump-header", "--range", "--speed-time", "--speed-limit", "--limit-rate", "--max-redirs", "--retry", "--retry-delay",
		"--retry-max-time", "--resolve", "--connect-to", "--interface", "--oauth2-bearer", "--aws-sigv4", "--stderr", "--trace", "--trace-ascii",
	}
	curlLetters = map[byte]string{
		'X': "--request", 'H': "--header", 'd': "--data", 'u': "--user", 'F': "--form", 'T': "--upload-file", 'K': "--config", 'A': "--user-agent", 'b': "--cookie",
		'c': "--cookie-jar", 'e': "--referer", 'o': "--output", 'm': "--max-time", 'x': "--proxy", 'U': "--proxy-user", 'E': "--cert", 'w': "--write-out",
		'D': "--dump-header", 'r': "--range", 'y': "--speed-time", 'Y': "--speed-limit",
	}
)

// option reads the option or URL at the beginning of words, and returns the following words.
func (c *curlCommand) option(words []string) (rest []string, err error) {
	word, rest := words[0], words[1:]
	name, value := word, ""
	switch {
	case !strings.HasPrefix(word, "-"):
		return rest, c.setURL(word)
	case !strings.HasPrefix(word, "--"):
		name, value = c.letters(word[1:])
	case !slices.Contains(curlOptions, name):
		c.flag(name)
		return rest, nil
	}
	switch {
	case name == "":
		return rest, nil
	case value == "" && len(rest) == 0:
		return nil, errors.New("a curl option has no value")
	case value == "":
		value, rest = rest[0], rest[1:]
	}
	return rest, c.set(name, value)
}

// letters reads the short options in one word. If the last option has a value, letters returns the option's name, and the value
// if it is in the same word.
func (c *curlCommand) letters(word string) (name, value string) {
	for i := range len(word) {
		if name := curlLetters[word[i]]; name != "" {
			return name, word[i+1:]
		}
		c.flag("-" + word[i:i+1])
	}
	return "", ""
}

func (c *curlCommand) flag(name string) {
	switch name {
	case "-G", "--get":
		c.isGet = true
	case "-I", "--head":
		c.Method = "HEAD"
	}
}

func (c *curlCommand) set(name, value string) error {
	switch name {
	case "--request":
		c.Method = value
	case "--url":
		return c.setURL(value)
	case "--header":
		field, text, _ := strings.Cut(value, ":")
		c.Header[field] = append(c.Header[field], strings.TrimSpace(text))
	case "--data", "--data-ascii", "--data-binary", "--json":
		if strings.HasPrefix(value, "@") {
			c.BodyErr = errInFile
		}
		c.data = append(c.data, value)
	case "--data-raw":
		c.data = append(c.data, value)
	case "--user":
		c.Header["Authorization"] = []string{"Basic " + base64.StdEncoding.EncodeToString([]byte(value))}
	case "--data-urlencode":
		c.data = append(c.data, c.encoded(value))
	case "--form", "--form-string", "--upload-file", "--config", "--url-query":
		return fmt.Errorf("the curl option %s is not supported", name)
	}
	return nil
}

// encoded returns the data that curl sends for an argument of --data-urlencode. A name before = is not encoded.
func (c *curlCommand) encoded(value string) string {
	i := strings.IndexAny(value, "=@")
	if i >= 0 && value[i] == '@' {
		c.BodyErr = errInFile
		return value
	}
	name := value[:i+1]
	return strings.TrimPrefix(name, "=") + strings.ReplaceAll(url.QueryEscape(value[i+1:]), "+", "%20")
}

func (c *curlCommand) setURL(value string) error {
	if c.URL != "" {
		return errors.New("it contains several URLs, or an unquoted value")
	}
	c.URL = value
	return nil
}

func (c *curlCommand) request() (Exchange, error) {
	if c.URL == "" {
		return Exchange{}, errors.New("it contains no URL")
	}
	if !strings.Contains(c.URL, "://") {
		c.URL = "https://" + c.URL
	}
	body := strings.Join(c.data, "&")
	method := "GET"
	switch {
	case c.isGet && body != "":
		c.URL = urltext.WithQuery(c.URL, body)
	case c.data != nil:
		method, c.Body = "POST", []byte(body)
	}
	if c.Method == "" {
		c.Method = method
	}
	return c.Exchange, nil
}

// splitWords splits a command line into words, supporting the shell syntax that is common in curl commands: quotes, $'...' and
// backslashes.
func splitWords(text string) (words []string, err error) {
	var word strings.Builder
	inWord := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if i++; text[i] != '\n' {
				word.WriteByte(text[i])
				inWord = true
			}
		case c == '\'' || c == '"' || c == '$' && strings.HasPrefix(text[i+1:], "'"):
			n, err := quotedWord(&word, text[i:])
			if err != nil {
				return nil, err
			}
			i += n - 1
			inWord = true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
			if c == '\n' {
				return nil, errors.New("it consists of several lines; end each line but the last with a backslash")
			}
		case strings.IndexByte("|;&<>`", c) >= 0 && !inWord:
			return words, nil // the rest is another command or a redirection
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quotedWord appends the quoted string at the start of text to word, and returns its length including the quotes.
func quotedWord(word *strings.Builder, text string) (n int, err error) {
	i, end := 1, text[0]
	isC := text[0] == '$'
	if isC {
		i, end = 2, '\''
	}
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == end:
			return i + 1, nil
		case c == '\\' && i+1 < len(text) && (isC || end == '"' && strings.IndexByte("\"\\$`\n", text[i+1]) >= 0):
			i++
			c = text[i]
			if isC {
				n, ok := escaped(word, text[i:])
				if !ok {
					return 0, errors.New("it contains an unsupported escape sequence")
				}
				i += n - 1
				continue
			}
		}
		word.WriteByte(c)
	}
	return 0, errors.New("a quotation mark is not closed")
}

// escaped appends the character for an escape sequence of $'...', given without the backslash, and returns its length.
func escaped(word *strings.Builder, text string) (n int, ok bool) {
	switch c := text[0]; c {
	case '\'', '"', '\\', '!':
		word.WriteByte(c)
		return 1, true
	case 'n':
		word.WriteByte('\n')
		return 1, true
	case 't':
		word.WriteByte('\t')
		return 1, true
	case 'r':
		word.WriteByte('\r')
		return 1, true
	case 'x':
		b, ok := hexadecimal(text, "x", 2)
		word.WriteByte(byte(b))
		return 3, ok
	case 'u':
		r, ok := hexadecimal(text, "u", 4)
		if low, isPair := hexadecimal(text[min(5, len(text)):], `\u`, 4); isPair && utf16.IsSurrogate(r) {
			word.WriteRune(utf16.DecodeRune(r, low))
			return 11, ok
		}
		word.WriteRune(r)
		return 5, ok
	}
	return 0, false
}

// hexadecimal returns the value of the hexadecimal digits that follow a prefix of text.
func hexadecimal(text, prefix string, digits int) (n rune, ok bool) {
	text, ok = strings.CutPrefix(text, prefix)
	if !ok || len(text) < digits {
		return 0, false
	}
	v, err := strconv.ParseUint(text[:digits], 16, 32)
	return rune(v), err == nil
}
