package command

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/reference"
)

// sarifReport writes one SARIF log, which code scanning services read.
// Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS.
type sarifReport struct {
	*console
	out     io.Writer
	indexes map[*diag.Rule]int // in rules
	rules   []sarifRule
	results []sarifResult
	notes   []sarifNote
	failed  bool    // a file was not read
	totals  *totals // of traffic; nil for files
}

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
		Properties  *totalsJSON       `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string          `json:"id"`
		Short      sarifText       `json:"shortDescription"`
		Full       sarifText       `json:"fullDescription"`
		Help       sarifText       `json:"help"`
		HelpURI    string          `json:"helpUri,omitempty"`
		Default    sarifDefault    `json:"defaultConfiguration"`
		Properties sarifProperties `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags    []string `json:"tags"`
		Section string   `json:"section"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifInvocation struct {
		Successful bool        `json:"executionSuccessful"`
		Notes      []sarifNote `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNote struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
)

// sarifLevel returns the level of a kind of findings.
func sarifLevel(kind diag.Kind) string {
	for _, k := range kinds {
		if k.kind == kind {
			return k.sarif
		}
	}
	return "none"
}

func (r *sarifReport) file(f checked) {
	for i, finding := range f.result.Findings {
		r.results = append(r.results, sarifResult{
			RuleID:    finding.Rule.ID,
			RuleIndex: r.index(finding.Rule),
			Level:     sarifLevel(finding.Kind),
			Message:   sarifText{finding.Message()},
			Locations: []sarifLocation{sarifPlace(f, finding.Path, f.places[i])},
			Fixes:     sarifFixes(f, finding.Fix),
		})
	}
}

// index returns the index of a rule, which it adds if it is new.
func (r *sarifReport) index(rule *diag.Rule) int {
	if i, ok := r.indexes[rule]; ok {
		return i
	}
	in := reference.In(r.dialect, rule)
	entry := sarifRule{
		ID:         rule.ID,
		HelpURI:    reference.URL(rule),
		Short:      sarifText{in.Summary},
		Full:       sarifText{strings.TrimSpace(in.Summary + " " + in.Why)},
		Help:       sarifText{r.help(in)},
		Default:    sarifDefault{sarifLevel(rule.Kind)},
		Properties: sarifProperties{[]string{reference.Group(rule), rule.Does(), string(rule.Basis)}, rule.Section},
	}
	r.indexes[rule], r.rules = len(r.rules), append(r.rules, entry)
	return r.indexes[rule]
}

// help returns the page of a rule.
func (r *sarifReport) help(rule *diag.Rule) string {
	var b strings.Builder
	r.console.explain(&b, rule)
	return strings.TrimSuffix(b.String(), "\n")
}

// sarifPlace returns the location of a finding.
func sarifPlace(f checked, path diag.Pointer, at place) (l sarifLocation) {
	if f.name != stdinName {
		l.Physical = &sarifPhysical{Artifact: sarifArtifact{fileURI(f.name)}}
		if at.line > 0 {
			l.Physical.Region = &sarifRegion{at.line, at.column, at.line, at.column + tokenWidth(f.text[at.offset:])}
		}
	}
	switch {
	case path == "":
		l.Logical = []sarifLogical{{"/", "object"}}
	case path[0] == '/':
		l.Logical = []sarifLogical{{string(path), "member"}}
	default:
		l.Logical = []sarifLogical{{string(path), "parameter"}}
	}
	return l
}

// sarifFixes returns the fix of a finding as the change of one range of the file, or nil if there is none in the file.
func sarifFixes(f checked, fix *diag.Fix) []sarifFix {
	if fix == nil || !isInBody(fix.Patch) || f.name == stdinName {
		return nil
	}
	mended, ok := new(event.Checker).Apply(&event.Request{Body: f.text}, fix.Patch)
	if !ok {
		return nil
	}
	start, end, text := changeOf(f.text, mended.Body)
	from := textStart.advance(f.text, start)
	to := from.advance(f.text, end)
	description := "A person confirms this change."
	if fix.Safe {
		description = "Nothing else can have been meant."
	}
	replacement := sarifReplacement{sarifRegion{from.line, from.column, to.line, to.column}, sarifText{string(text)}}
	return []sarifFix{{sarifText{description}, []sarifChange{{sarifArtifact{fileURI(f.name)}, []sarifReplacement{replacement}}}}}
}

// changeOf returns the smallest range of whole characters in a text that has to be replaced to get another text, and what
// replaces it.
func changeOf(text, by []byte) (start, end int, inserted []byte) {
	most := min(len(text), len(by))
	for start < most && text[start] == by[start] {
		start++
	}
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	same := 0 // at the end
	for same < most-start && text[len(text)-1-same] == by[len(by)-1-same] {
		same++
	}
	for same > 0 && !utf8.RuneStart(text[len(text)-same]) {
		same--
	}
	return start, len(text) - same, by[start : len(by)-same]
}

// tokenWidth returns the number of characters of the JSON token at the start of a text, or 1 if there is none. An object
// or an array counts as its bracket.
func tokenWidth(text []byte) int {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return 1
	}
	return utf8.RuneCount(text[:d.InputOffset()])
}

// fileURI returns the URI of a file: relative to the working directory, or absolute.
func fileURI(name string) string {
	name = filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		return (&url.URL{Path: name}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()
}

func (r *sarifReport) unread(err error) {
	r.failed = true
	r.notes = append(r.notes, sarifNote{"error", sarifText{err.Error()}})
}

func (r *sarifReport) end(tally) {
	var properties *totalsJSON
	if r.totals != nil {
		properties = &totalsJSON{r.totals}
	}
	writeJSON(r.out, sarifLog{sarifSchema, "2.1.0", []sarifRun{{
		Tool: sarifTool{sarifDriver{
			Name: "calrules", Version: version(), InformationURI: "https://github.com/calrules/calrules", Rules: append([]sarifRule{}, r.rules...),
		}},
		Invocations: []sarifInvocation{{!r.failed, r.notes}},
		ColumnKind:  "unicodeCodePoints",
		Results:     append([]sarifResult{}, r.results...),
		Properties:  properties,
	}}})
}
