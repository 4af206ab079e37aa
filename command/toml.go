package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Limits for a configuration. The file may come from an untrusted author, and the parser's memory usage grows with the square
// of the nesting depth.
const (
	maxConfigBytes = 64 << 10
	maxConfigDepth = 8 // counts nested arrays and tables, and the parts of a dotted key
)

// readConfigFile returns the content of a configuration file, or an error if it is too long.
func readConfigFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, whole, err := readAtMost(file, maxConfigBytes)
	if err == nil && !whole {
		return nil, fmt.Errorf("%s: the file is too long; a configuration may have at most %d bytes", name, maxConfigBytes)
	}
	return text, err
}

// fromTOML converts a TOML document to JSON.
func fromTOML(text []byte) ([]byte, error) {
	if err := checkNesting(string(text)); err != nil {
		return nil, err
	}
	var members map[string]any
	if err := toml.Unmarshal(text, &members); err != nil {
		if syntax, ok := errors.AsType[toml.ParseError](err); ok {
			return nil, fmt.Errorf("line %d: %s", syntax.Position.Line, syntax.Message)
		}
		return nil, err
	}
	if grade, ok := members["grade"].(map[string]any); ok {
		for _, word := range slices.Sorted(maps.Keys(grade)) {
			if _, ok := grade[word].(map[string]any); ok {
				return nil, fmt.Errorf("grade.%s is a table; put the id of a rule in quotes, such as \"time.order\" = \"advise\"", word)
			}
		}
	}
	return json.Marshal(members)
}

// checkNesting returns an error if a TOML document is nested too deeply, skipping strings and comments, and leaves all other
// errors to the parser.
func checkNesting(text string) error {
	depth, dots := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = endOfString(text, i)
		case '#':
			comment, _, _ := strings.Cut(text[i:], "\n")
			i += len(comment) - 1
		case '\n':
			dots = 0
		case '.':
			dots++
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		}
		if depth > maxConfigDepth || dots >= maxConfigDepth {
			line := 1 + strings.Count(text[:i], "\n")
			return fmt.Errorf("line %d: values are nested more than %d levels deep; a configuration contains only tables of values and lists", line, maxConfigDepth)
		}
	}
	return nil
}

// endOfString returns the index of the closing quote of the TOML string that starts at i. If the string is unterminated,
// endOfString returns the index of the last byte of the line or of text.
func endOfString(text string, i int) int {
	quote, isBasic := text[i:i+1], text[i] == '"'
	if three := strings.Repeat(quote, 3); strings.HasPrefix(text[i:], three) {
		quote = three
	}
	for k := i + len(quote); k < len(text); k++ {
		switch {
		case strings.HasPrefix(text[k:], quote):
			return k + len(quote) - 1
		case text[k] == '\\' && isBasic:
			k++
		case text[k] == '\n' && len(quote) == 1:
			return k - 1
		}
	}
	return len(text)
}
