package eventhttp

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/refusal"
)

// Error is the refusal of a request. An Error with rejecting findings unwraps to a [*diag.Error].
type Error struct {
	Status   int           // the HTTP status
	Reason   string        // a reason from the public service's errors, such as "notFound"
	Message  string        // a human-readable sentence
	Findings diag.Findings // the findings about a checked request; may be nil

	allow string // the Allow header field for status 405
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the findings as an error, or nil if no finding rejects.
func (e *Error) Unwrap() error { return e.Findings.Err() }

// refused returns the error for a request that the findings reject. The error has the lowest status of the rejecting
// findings, and the reason and message of the first finding with that status.
func refused(findings diag.Findings) *Error {
	first := byStatus(findings)[0]
	known := refusal.Recorded(first)
	return &Error{Status: known.Status, Reason: known.Reason, Message: first.Message(), Findings: findings}
}

// byStatus returns the findings that reject, sorted by status.
func byStatus(findings diag.Findings) diag.Findings {
	rejecting := findings.OfKind(diag.Reject)
	slices.SortStableFunc(rejecting, func(a, b diag.Finding) int {
		return refusal.Recorded(a).Status - refusal.Recorded(b).Status
	})
	return rejecting
}

// asError returns the [*Error] in err, or a refusal for the [*diag.Error] in err. For any other error, or an [*Error]
// without an error status, it returns an internal server error that does not reveal the message of err.
func asError(err error) *Error {
	e, isError := errors.AsType[*Error](err)
	switch {
	case isError && e != nil && 400 <= e.Status && e.Status <= 599:
		return e
	case !isError:
		if e, ok := errors.AsType[*diag.Error](err); ok && e != nil && e.Findings.Rejected() {
			return refused(e.Findings)
		}
	}
	return &Error{Status: http.StatusInternalServerError, Reason: "backendError", Message: "The server failed."}
}

// WriteProblem writes an error as problem details (RFC 9457), which list the findings; see [diag.Findings.Problem]. The
// error should be an [*Error], or a [*diag.Error] from [event.Result.Err]. For any other error, or an [*Error] whose
// status is not from 400 to 599, WriteProblem writes status 500.
func WriteProblem(w http.ResponseWriter, err error) {
	e := asError(err)
	p := diag.Problem{Type: "about:blank", Title: http.StatusText(e.Status), Status: e.Status, Detail: e.Message}
	if found := e.Findings.Problem(e.Status); e.Findings.Rejected() {
		p = found
	} else { // the request is refused, but not by a rule
		p.Errors = found.Errors
	}
	write(w, e, "application/problem+json", p)
}

// The form of errors in the public service's responses.
type (
	errorForm struct {
		Error errorBody `json:"error"`
	}
	errorBody struct {
		Code    int         `json:"code"`
		Message string      `json:"message"`
		Errors  []errorItem `json:"errors"`
	}
	errorItem struct {
		Domain       string `json:"domain"`
		Reason       string `json:"reason"`
		Message      string `json:"message"`
		LocationType string `json:"locationType,omitempty"`
		Location     string `json:"location,omitempty"`
		DebugInfo    string `json:"debugInfo,omitempty"`
	}
)

// WriteError writes an error in the public service's form, which its clients can read:
//
//	{"error":{"code":400,"message":"...","errors":[{"domain":"global","reason":"invalid","message":"..."}]}}
//
// The array errors contains an item for each rejecting finding, and the first item determines the status. The message of a
// finding about the body begins with the path. If the public service's message for a finding in its dialect is recorded, the
// item contains the recorded message, and the finding's own message in debugInfo. [WriteProblem] documents which errors are
// accepted.
func WriteError(w http.ResponseWriter, err error) {
	e := asError(err)
	items := []errorItem{}
	for _, f := range byStatus(e.Findings) {
		items = append(items, item(f))
	}
	if len(items) == 0 {
		items = append(items, errorItem{Domain: refusal.Domain(e.Reason), Reason: e.Reason, Message: e.Message})
	}
	write(w, e, "application/json; charset=UTF-8", errorForm{errorBody{e.Status, items[0].Message, items}})
}

// item returns the error item for a finding.
func item(f diag.Finding) errorItem {
	known := refusal.Recorded(f)
	i := errorItem{Domain: refusal.Domain(known.Reason), Reason: known.Reason, Message: f.Message()}
	switch {
	case f.Path == "":
	case f.Path.InBody():
		i.Message = string(f.Path) + ": " + f.Message()
	case f.Path[0] == '?':
		i.LocationType, i.Location = "parameter", string(f.Path[1:])
	default:
		i.LocationType, i.Location = "header", string(f.Path[1:])
	}
	if known.Message != "" { // the library's own sentence is more precise
		i.DebugInfo, i.Message = i.Message, known.Message
	}
	if known.Location != "" {
		i.LocationType, i.Location = "parameter", known.Location
	}
	return i
}

func write(w http.ResponseWriter, e *Error, contentType string, body any) {
	w.Header().Set("Content-Type", contentType)
	if e.allow != "" {
		w.Header().Set("Allow", e.allow)
	}
	w.WriteHeader(e.Status)
	json.NewEncoder(w).Encode(body) // fails only if the client has disconnected
}
