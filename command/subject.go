package command

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/visible"
)

// subject is a checked item in a report for tools: a file, an event in a page, a line of a stream, an entry in a recording,
// a request to a server or a case.
type subject struct {
	file     string // the file name, or another name in angle brackets
	name     string // the name of this subject
	about    string // the words printed before the paths of the subject, or ""
	findings []located
}

// located is a finding at a place in the file.
type located struct {
	rule       *diag.Rule // nil if the finding has no rule
	id         string     // the id of the rule, or another name for the finding
	kind       diag.Kind
	path       diag.Pointer
	message    string
	start, end place
	fix        *edit // nil if no fix in the file resolves the finding
}

// edit is a replacement for part of a file.
type edit struct {
	start, end place
	text       string
	safe       bool // no other correction is possible
}

// locatedAt returns a finding in a file at the given place or, for the zero place, at the start of its subject.
func locatedAt(f diag.Finding, text []byte, at, subjectStart place) located {
	if at.line == 0 {
		at = subjectStart
	}
	return located{
		rule: f.Rule, id: f.Rule.ID, kind: f.Kind, path: f.Path, message: cmp.Or(f.Message(), f.Rule.Summary), start: at, end: at.afterToken(text),
	}
}

// text formats a finding on one line, as [diag.Finding.String] does.
func (s *subject) text(f located) string {
	var b strings.Builder
	for _, part := range []string{s.about, string(f.path), f.message} {
		if part != "" && b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(part)
	}
	if f.id != "" {
		fmt.Fprintf(&b, " [%s]", f.id)
	}
	return visible.Text(b.String())
}

// isFile reports whether the subject is in a file.
func (s *subject) isFile() bool { return !strings.HasPrefix(s.file, "<") }

// subject returns f as a subject.
func (f checked) subject() subject {
	s := subject{file: f.name, name: f.name}
	if f.item >= 0 {
		s.name += string(itemPath(f.item, ""))
	}
	for i, finding := range f.result.Findings {
		one := locatedAt(finding, f.text, f.places[i], f.base)
		one.fix = f.edit(finding.Fix)
		s.findings = append(s.findings, one)
	}
	return s
}

// edit returns the edit that applies a fix to the file, or nil if there is no fix.
func (f checked) edit(fix *diag.Fix) *edit {
	if f.event == nil || fix == nil || !isInBody(fix.Patch) {
		return nil
	}
	return editOf(f.text, textStart, f.text, fix.Patch, fix.Safe)
}

// editOf returns the edit to text that applies a patch to part, a request body that starts at the given place in text, or nil
// if the patch cannot be applied.
func editOf(text []byte, at place, part []byte, patch []diag.PatchOperation, safe bool) *edit {
	fixed, ok := new(event.Checker).Apply(&event.Request{Body: part}, patch)
	if !ok {
		return nil
	}
	start, end, inserted := changeOf(part, fixed.Body)
	from := at.advance(text, at.offset+start)
	return &edit{from, from.advance(text, at.offset+end), string(inserted), safe}
}

// changeOf returns the smallest range of whole characters to replace in order to turn text into by, and the replacement.
func changeOf(text, by []byte) (start, end int, inserted []byte) {
	most := min(len(text), len(by))
	for start < most && text[start] == by[start] {
		start++
	}
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	same := 0 // the number of common trailing bytes
	for same < most-start && text[len(text)-1-same] == by[len(by)-1-same] {
		same++
	}
	for same > 0 && !utf8.RuneStart(text[len(text)-same]) {
		same--
	}
	return start, len(text) - same, by[start : len(by)-same]
}

// toolReport writes subjects in one of the formats for tools.
type toolReport interface {
	subject(subject)
	unread(err error) // for a file that cannot be checked; standard error shows the error too
	end(summary fmt.Stringer)
}

// newToolReport returns a report in the given format, one of toolFormats.
func newToolReport(c *console, out io.Writer, format string, quiet bool) toolReport {
	from := newRepository()
	switch format {
	case formatSARIF:
		return newSARIF(c, out)
	case formatGitHub:
		return githubReport{out, from, quiet}
	case formatGitLab:
		return &gitlabReport{out: out, repository: from, fingerprints: fingerprints{}}
	case formatJUnit:
		return &junitReport{out: out, repository: from}
	case formatCheckstyle:
		return &checkstyleReport{out: out, repository: from}
	case formatRDJSON:
		return &rdjsonReport{out: out, repository: from}
	default:
		panic("not a format for tools: " + format)
	}
}

// fileReport is a report on files in a format for tools.
type fileReport struct{ toolReport }

func (r fileReport) file(f checked) { r.subject(f.subject()) }

// repository is the root of the repository that contains the working directory or, outside a repository, the working directory.
// CI services identify files by paths relative to the root.
type repository struct{ root string }

func newRepository() repository {
	dir, err := os.Getwd()
	if err != nil {
		return repository{}
	}
	for above := dir; ; above = filepath.Dir(above) {
		if _, err := os.Stat(filepath.Join(above, ".git")); err == nil {
			return repository{above}
		}
		if above == filepath.Dir(above) {
			return repository{dir}
		}
	}
}

// path returns the slash-separated path of a subject's file, relative to the root if the file is below it, and otherwise
// absolute. For input that is not a file, path returns the name without the brackets, because every tool requires a file.
func (r repository) path(s *subject) string {
	if !s.isFile() {
		return strings.Trim(s.file, "<>")
	}
	absolute, err := filepath.Abs(s.file)
	if err != nil {
		return filepath.ToSlash(s.file)
	}
	below, err := filepath.Rel(r.root, absolute)
	if err != nil || !filepath.IsLocal(below) {
		return filepath.ToSlash(absolute)
	}
	return filepath.ToSlash(below)
}

// uri returns the path as a relative URI or, if the path is absolute, as a file URI.
func (r repository) uri(s *subject) string {
	path := r.path(s)
	if !filepath.IsAbs(path) {
		return (&url.URL{Path: path}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}

// fingerprints distinguish the findings in a run. A fingerprint stays the same if a value changes or lines are added above the
// finding. The number in a fingerprint distinguishes similar findings.
type fingerprints map[string]int

func (f fingerprints) of(path string, s *subject, found located) string {
	parts := []string{path, s.about, found.id, string(found.path)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	hash := fmt.Sprintf("%x", sum[:16])
	f[hash]++
	return fmt.Sprintf("%s:%d", hash, f[hash])
}

// rejects reports whether a finding is of kind reject.
func rejects(f located) bool { return f.kind == diag.Reject }

// firstRejecting returns the first finding of kind reject, or false if there is none.
func (s *subject) firstRejecting() (located, bool) {
	i := slices.IndexFunc(s.findings, rejects)
	if i < 0 {
		return located{}, false
	}
	return s.findings[i], true
}
