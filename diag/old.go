package diag

import (
	"fmt"
	"slices"
	"strings"
)

// This file is the way to report finished sentences. It goes when every rule declares its sentences.

// Data is what a finished sentence says, as data.
type Data struct{ Value, Limit, Suggestion string }

// Arguments returns the data as arguments.
func (d Data) Arguments() (args []Arg) {
	if d.Value != "" {
		args = append(args, Value("value", d.Value))
	}
	if d.Limit != "" {
		args = append(args, Value("limit", d.Limit))
	}
	if d.Suggestion != "" {
		args = append(args, Value("suggestion", d.Suggestion))
	}
	return args
}

// OldReport reports a finished sentence.
func (r Reporter) OldReport(path Pointer, format string, args ...any) {
	r.OldSayf(path, Data{}, format, args...)
}

// OldSayf is OldReport with data.
func (r Reporter) OldSayf(path Pointer, data Data, format string, args ...any) {
	if r.rule != nil {
		r.OldAs(r.rule.Kind, path, data, format, args...)
	}
}

// OldAs is OldSayf with a kind.
func (r Reporter) OldAs(kind Kind, path Pointer, data Data, format string, args ...any) {
	r.As(kind).OldSay(path, data, fmt.Sprintf(format, args...))
}

// OldSay is OldSayf without a format.
func (r Reporter) OldSay(path Pointer, data Data, message string) {
	if place := r.at(path); r.wants(place) {
		f := OldFinding(r.rule, place, message, data)
		if r.kind != "" {
			f.Kind = r.kind
		}
		f.In = r.report.Dialect
		r.report.Add(f)
	}
}

// OldFinding returns a finding with a finished sentence.
func OldFinding(rule *Rule, path Pointer, message string, data Data) Finding {
	return Finding{Rule: rule, Kind: rule.Kind, Basis: rule.Basis, Path: path, Offset: -1, decoded: message, Args: data.Arguments()}
}

// OldMessage replaces a finished sentence.
func (f *Finding) OldMessage(message string) {
	if f == nil {
		return
	}
	f.Key, f.decoded = "", message
}

// OldTranslate gives a finished sentence the names of the dialect.
func (f *Finding) OldTranslate(d Dialect) {
	if f == nil || f.Key != "" {
		return
	}
	f.decoded = d.Text(f.decoded)
	for i := range f.Args {
		if f.Args[i].Name != "value" {
			f.Args[i].text = d.Text(f.Args[i].text)
		}
	}
}

// Text returns a text for people with the names of the dialect in place of the documents'; names of the
// dialect stay. It leaves what is within double quotes as it is, because that is what somebody sent.
func (d Dialect) Text(text string) string {
	isIn := func(pair [2]string) bool { return strings.Contains(text, pair[Documents]) }
	if d != Google || !slices.ContainsFunc(renamed, isIn) {
		return text
	}
	var out strings.Builder
	for text != "" {
		n := partLength(text)
		out.WriteString(d.inText(text[:n]))
		text = text[n:]
	}
	return out.String()
}

// inText returns a part of a text with the name of the dialect, if it is a name of the documents.
func (d Dialect) inText(part string) string {
	for _, pair := range renamed {
		if part == pair[Documents] {
			return pair[d]
		}
	}
	return part
}

// partLength returns the length of what a text begins with: a quoted part, a word, or one other byte.
func partLength(text string) int {
	if text[0] == '"' {
		return quotedLength(text)
	}
	if n := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) }); n >= 0 {
		return max(n, 1)
	}
	return len(text)
}

// quotedLength returns the length of the quoted part that a text begins with, or 1 if its quote is not
// closed.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 1
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}
