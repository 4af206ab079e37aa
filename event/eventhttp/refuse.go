package eventhttp

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/refusal"
)

// Error is a refusal. If it has findings, it unwraps to a [*diag.Error].
type Error struct {
	Status   int           // the HTTP status
	Reason   string        // as in the errors of the public service, such as "notFound"
	Message  string        // a sentence
	Findings diag.Findings // about a checked request; may be nil

	allow string // the Allow field of a 405
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the findings as an error, or nil if none rejects.
func (e *Error) Unwrap() error { return e.Findings.Err() }

// refused returns the error for a request that the findings refuse. It has the lowest status of the findings, and the
// reason and message of the first finding with that status.
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

// asError returns the [*Error] in err, or the refusal by the findings in it. Any other error, or one without an error
// status, becomes an internal server error, whose text clients must not see.
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
// error is an [*Error], or a [*diag.Error] as returned by [event.Result.Err]. For any other error, or one without a
// status from 400 to 599, WriteProblem writes status 500.
func WriteProblem(w http.ResponseWriter, err error) {
	e := asError(err)
	p := diag.Problem{Type: "about:blank", Title: http.StatusText(e.Status), Status: e.Status, Detail: e.Message}
	if found := e.Findings.Problem(e.Status); e.Findings.Rejected() {
		p = found
	} else { // no rule refuses the request
		p.Errors = found.Errors
	}
	write(w, e, "application/problem+json", p)
}

// The form of errors in the responses of the public service.
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

// WriteError writes an error in the form of the public service, which its clients read:
//
//	{"error":{"code":400,"message":"...","errors":[{"domain":"global","reason":"invalid","message":"..."}]}}
//
// There is an item for each finding that rejects; the first determines the status. The message of a finding about the
// body begins with its path. If there is a recorded refusal by the public service, an item in its dialect has the
// recorded wording, and the message of the finding as debugInfo. For the errors, see [WriteProblem].
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

// item returns a finding as an item of the error.
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
	json.NewEncoder(w).Encode(body) // fails only if the client is gone
}
