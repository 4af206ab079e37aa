package diag

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Problem is a problem details object (RFC 9457), whose media type is application/problem+json. Type is the URL of the
// page that lists all rules; [Rule.URL] returns the URL of a single rule's page. Errors is an extension member with an
// entry for each finding, rejections first.
type Problem struct {
	Type   string         `json:"type"`
	Title  string         `json:"title"`
	Status int            `json:"status,omitempty"`
	Detail string         `json:"detail,omitempty"`
	Errors []ProblemError `json:"errors,omitempty"`
}

// ProblemError is a finding in a [Problem]. At most one of Pointer, Parameter and Header is set; none is set if the
// finding is about the request as a whole.
type ProblemError struct {
	Detail    string `json:"detail"`
	Pointer   string `json:"pointer,omitempty"`   // "#/start/date": a JSON Pointer as a URI fragment (RFC 6901 section 6)
	Parameter string `json:"parameter,omitempty"` // the name of a query parameter
	Header    string `json:"header,omitempty"`    // the name of a header field
	Rule      string `json:"rule"`
	Kind      Kind   `json:"kind"`
	Basis     Basis  `json:"basis"`

	Fix   []PatchOperation `json:"fix,omitempty"`   // see [Fix]
	FixIs string           `json:"fixIs,omitempty"` // "safe" or "choice"
}

// Problem returns the findings as problem details. Because the documents do not show status codes, the caller chooses
// the status; 400 and 422 are common. A status of 0 omits the member.
func (fs Findings) Problem(status int) Problem {
	p := Problem{Type: (*Rule)(nil).URL(), Title: "The request is accepted.", Status: status}
	var others []ProblemError
	for _, f := range fs {
		if f.Kind == Reject {
			p.Errors = append(p.Errors, problemError(f))
		} else {
			others = append(others, problemError(f))
		}
	}
	if len(p.Errors) > 0 {
		p.Title, p.Detail = "The request breaks the rules of the calendar service.", p.Errors[0].Detail
	}
	p.Errors = append(p.Errors, others...)
	return p
}

func problemError(f Finding) ProblemError {
	e := ProblemError{Detail: f.Message(), Rule: f.rule().ID, Kind: f.Kind, Basis: f.Basis}
	e.Fix, e.FixIs = f.Fix.parts()
	switch {
	case f.Path == "":
	case f.Path[0] == '?':
		e.Parameter = string(f.Path[1:])
	case f.Path[0] == '#':
		e.Header = string(f.Path[1:])
	default:
		e.Pointer = f.Path.Fragment()
	}
	return e
}

// findingJSON is the JSON form of a finding.
type findingJSON struct {
	Rule    string  `json:"rule"`
	Cause   string  `json:"cause,omitempty"`
	Kind    Kind    `json:"kind"`
	Basis   Basis   `json:"basis"`
	Path    Pointer `json:"path"`
	Message string  `json:"message"`

	Fix   []PatchOperation `json:"fix,omitempty"`
	FixIs string           `json:"fixIs,omitempty"`
}

// MarshalJSON encodes the finding as an object with the members rule (the id), cause (if there is one), kind,
// basis, path, message and, if it has a fix, fix (a JSON Patch) and fixIs ("safe" or "choice").
func (f Finding) MarshalJSON() ([]byte, error) {
	fix, is := f.Fix.parts()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // the outer encoder decides whether to escape
	err := encoder.Encode(findingJSON{f.rule().ID, f.Cause.String(), f.Kind, f.Basis, f.Path, f.Message(), fix, is})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalJSON decodes the output of [Finding.MarshalJSON]. UnmarshalJSON sets only the ID and Basis of Rule and the ID of
// Cause. UnmarshalJSON does not set Key, so the message is always the decoded message. The error describes the expected form of
// a finding.
func (f *Finding) UnmarshalJSON(data []byte) error {
	var in findingJSON
	if json.Unmarshal(data, &in) != nil {
		return errors.New("diag: a finding is a JSON object with the strings rule, kind, basis, path and message")
	}
	*f = Finding{
		Rule:    &Rule{ID: in.Rule, Basis: in.Basis},
		Kind:    in.Kind,
		Certain: in.Kind,
		Basis:   in.Basis,
		Path:    in.Path,
		decoded: in.Message,
	}
	if in.Cause != "" {
		f.Cause = &Rule{ID: in.Cause}
	}
	if in.Fix != nil {
		f.Fix = &Fix{Patch: in.Fix, Safe: in.FixIs == isSafe}
	}
	return nil
}
