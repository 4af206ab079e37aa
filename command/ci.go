package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/visible"
)

// githubReport writes a workflow command for each finding, which GitHub displays next to the line. Source: Workflow commands
// for GitHub Actions, Setting an error message.
type githubReport struct {
	out io.Writer
	repository
	quiet bool
}

// Replacers that escape the characters that would end the message or a property of a workflow command.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (r githubReport) subject(s subject) {
	for _, f := range s.findings {
		where := fmt.Sprintf("line=%d,col=%d,title=%s", f.start.line, f.start.column, githubProperty.Replace(f.id))
		if s.isFile() {
			where = "file=" + githubProperty.Replace(r.path(&s)) + "," + where
		}
		fmt.Fprintf(r.out, "::%s %s::%s\n", namesOf(f.kind).github, where, githubMessage.Replace(s.text(f)))
	}
}

func (r githubReport) unread(err error) {
	fmt.Fprintf(r.out, "::error title=calrules::%s\n", githubMessage.Replace(visible.Text(err.Error())))
}

func (r githubReport) end(summary fmt.Stringer) {
	if !r.quiet {
		fmt.Fprintln(r.out, summary)
	}
}

// gitlabReport writes a Code Quality report. The format cannot represent a file that cannot be read.
// Source: GitLab Docs, Code Quality, Code Quality report format.
type gitlabReport struct {
	out io.Writer
	repository
	fingerprints fingerprints
	issues       []gitlabIssue
}

type (
	gitlabIssue struct {
		Description string         `json:"description"`
		Check       string         `json:"check_name"`
		Fingerprint string         `json:"fingerprint"`
		Severity    string         `json:"severity"`
		Location    gitlabLocation `json:"location"`
	}
	gitlabLocation struct {
		Path  string      `json:"path"`
		Lines gitlabLines `json:"lines"`
	}
	gitlabLines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	}
)

func (r *gitlabReport) subject(s subject) {
	path := r.path(&s)
	for _, f := range s.findings {
		r.issues = append(r.issues, gitlabIssue{
			Description: s.text(f), Check: f.id, Fingerprint: r.fingerprints.of(path, &s, f), Severity: namesOf(f.kind).gitlab,
			Location: gitlabLocation{path, gitlabLines{f.start.line, f.end.line}},
		})
	}
}

func (r *gitlabReport) unread(error)     {}
func (r *gitlabReport) end(fmt.Stringer) { writeJSON(r.out, append([]gitlabIssue{}, r.issues...)) }

// rdjsonReport writes the Reviewdog Diagnostic Format, in which columns count bytes. The format cannot represent a file
// that cannot be read.
// Source: https://github.com/reviewdog/reviewdog, proto/rdf/reviewdog.proto.
type rdjsonReport struct {
	out io.Writer
	repository
	diagnostics []rdjsonDiagnostic
}

type (
	rdjsonLog struct {
		Source      rdjsonSource       `json:"source"`
		Diagnostics []rdjsonDiagnostic `json:"diagnostics"`
	}
	rdjsonSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	rdjsonDiagnostic struct {
		Message     string             `json:"message"`
		Location    rdjsonLocation     `json:"location"`
		Severity    string             `json:"severity"`
		Code        rdjsonCode         `json:"code"`
		Suggestions []rdjsonSuggestion `json:"suggestions,omitempty"`
	}
	rdjsonLocation struct {
		Path  string      `json:"path"`
		Range rdjsonRange `json:"range"`
	}
	rdjsonRange struct {
		Start rdjsonPosition `json:"start"`
		End   rdjsonPosition `json:"end"`
	}
	rdjsonPosition struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	rdjsonCode struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	rdjsonSuggestion struct {
		Range rdjsonRange `json:"range"`
		Text  string      `json:"text"`
	}
)

func rdjsonBetween(start, end place) rdjsonRange {
	return rdjsonRange{rdjsonPosition{start.line, start.utf8}, rdjsonPosition{end.line, end.utf8}}
}

func (r *rdjsonReport) subject(s subject) {
	path := r.path(&s)
	for _, f := range s.findings {
		d := rdjsonDiagnostic{
			Message: s.text(f), Severity: namesOf(f.kind).rdjson, Code: rdjsonCode{Value: f.id},
			Location: rdjsonLocation{path, rdjsonBetween(f.start, f.end)},
		}
		if f.rule != nil {
			d.Code.URL = reference.URL(f.rule)
		}
		if f.fix != nil {
			d.Suggestions = []rdjsonSuggestion{{rdjsonBetween(f.fix.start, f.fix.end), f.fix.text}}
		}
		r.diagnostics = append(r.diagnostics, d)
	}
}

func (r *rdjsonReport) unread(error) {}

func (r *rdjsonReport) end(fmt.Stringer) {
	writeJSON(r.out, rdjsonLog{rdjsonSource{"calrules", homepage}, append([]rdjsonDiagnostic{}, r.diagnostics...)})
}

// homepage is the URL of the project.
const homepage = "https://github.com/calrules/calrules"
