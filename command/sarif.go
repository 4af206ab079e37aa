package command

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/traffic"
)

// sarifReport writes a SARIF log for code scanning services.
// Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS; GitHub Docs, SARIF support for code
// scanning.
type sarifReport struct {
	*console
	out io.Writer
	repository
	fingerprints fingerprints
	indexes      map[*diag.Rule]int // the index of each rule in rules
	rules        []sarifRule
	results      []sarifResult
	notes        []sarifNote
	failed       bool // whether a file could not be read
}

func newSARIF(c *console, out io.Writer) *sarifReport {
	return &sarifReport{console: c, out: out, repository: newRepository(), fingerprints: fingerprints{}, indexes: map[*diag.Rule]int{}}
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
		Partial   sarifPartial    `json:"partialFingerprints"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifPartial struct {
		LineHash string `json:"primaryLocationLineHash"` // identifies a result across runs
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
		Inserted *sarifText  `json:"insertedContent,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
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

func (r *sarifReport) subject(s subject) {
	for _, f := range s.findings {
		if f.rule == nil {
			r.notes = append(r.notes, sarifNote{namesOf(f.kind).sarif, sarifText{s.text(f)}})
			continue
		}
		r.results = append(r.results, sarifResult{
			RuleID:    f.id,
			RuleIndex: r.index(f.rule),
			Level:     namesOf(f.kind).sarif,
			Message:   sarifText{f.message},
			Locations: []sarifLocation{{sarifPhysical{sarifArtifact{r.uri(&s)}, sarifBetween(f.start, f.end)}, sarifLogicals(&s, f)}},
			Partial:   sarifPartial{r.fingerprints.of(r.path(&s), &s, f)},
			Fixes:     r.fixes(&s, f.fix),
		})
	}
}

// sarifBetween returns a region, with columns in UTF-16 code units.
func sarifBetween(start, end place) sarifRegion {
	return sarifRegion{start.line, start.utf16, end.line, end.utf16}
}

// sarifLogicals returns the logical location of a finding within its subject, or nil if the finding is about the whole subject.
func sarifLogicals(s *subject, f located) []sarifLogical {
	name := strings.TrimSpace(s.about + " " + string(f.path))
	switch {
	case name == "":
		return nil
	case s.about != "":
		return []sarifLogical{{name, "resource"}}
	case !f.path.InBody():
		return []sarifLogical{{name, "parameter"}}
	default:
		return []sarifLogical{{name, "member"}}
	}
}

// fixes returns a fix as SARIF, or nil if there is no fix.
func (r *sarifReport) fixes(s *subject, fix *edit) []sarifFix {
	if fix == nil {
		return nil
	}
	description := "A person should confirm this change."
	if fix.safe {
		description = "This is the only possible correction."
	}
	replacement := sarifReplacement{Deleted: sarifBetween(fix.start, fix.end)}
	if fix.text != "" {
		replacement.Inserted = &sarifText{fix.text}
	}
	return []sarifFix{{sarifText{description}, []sarifChange{{sarifArtifact{r.uri(s)}, []sarifReplacement{replacement}}}}}
}

// index returns the index of a rule, adding the rule if it is new.
func (r *sarifReport) index(rule *diag.Rule) int {
	if i, ok := r.indexes[rule]; ok {
		return i
	}
	in := reference.In(r.dialect, rule)
	entry := sarifRule{
		ID:         rule.ID,
		HelpURI:    reference.URL(rule),
		Short:      sarifText{in.Summary},
		Full:       sarifText{firstOf(in.Summary+" "+in.Why, maxDescription)},
		Help:       sarifText{r.help(in)},
		Default:    sarifDefault{namesOf(rule.Kind).sarif},
		Properties: sarifProperties{[]string{reference.Group(rule), rule.Does(), string(rule.Basis)}, rule.Section},
	}
	r.indexes[rule], r.rules = len(r.rules), append(r.rules, entry)
	return r.indexes[rule]
}

// help returns the page that describes a rule.
func (r *sarifReport) help(rule *diag.Rule) string {
	var b strings.Builder
	r.console.explain(&b, rule)
	return strings.TrimSuffix(b.String(), "\n")
}

// maxDescription is the maximum length, in characters, of a description in code scanning.
const maxDescription = 1024

// firstOf shortens text to at most the given number of characters.
func firstOf(text string, most int) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + ellipsis
}

func (r *sarifReport) unread(err error) {
	r.failed = true
	r.notes = append(r.notes, sarifNote{"error", sarifText{err.Error()}})
}

func (r *sarifReport) end(summary fmt.Stringer) {
	var properties *totalsJSON
	if t, ok := summary.(*traffic.Totals); ok {
		properties = &totalsJSON{t}
	}
	writeJSON(r.out, sarifLog{sarifSchema, "2.1.0", []sarifRun{{
		Tool:        sarifTool{sarifDriver{Name: "calrules", Version: version(), InformationURI: homepage, Rules: append([]sarifRule{}, r.rules...)}},
		Invocations: []sarifInvocation{{!r.failed, r.notes}},
		ColumnKind:  "utf16CodeUnits",
		Results:     append([]sarifResult{}, r.results...),
		Properties:  properties,
	}}})
}
