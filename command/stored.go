package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
)

// readStored reads an event that is not the body of a request, so no findings are about it. A member or a value with a
// name of the other dialect is an error: the user has most likely forgotten to choose the dialect.
func readStored(text []byte, in diag.Dialect) (*event.Event, error) {
	e, findings := event.Decode(text, in)
	for i := range findings {
		if isForeign(findings[i]) {
			findings[i].Kind = diag.Reject
		}
	}
	if err := findings.Err(); err != nil {
		return e, err
	}
	return e, foreignValue(in, e)
}

// looksPublic reports whether an event in the documents' names has names of the public service.
func looksPublic(text []byte) bool {
	e, findings := event.Decode(text, diag.Documents)
	return slices.ContainsFunc(findings, isForeign) || foreignValue(diag.Documents, e) != nil
}

// isForeign reports whether a finding is about a member with its name in the other dialect.
func isForeign(f diag.Finding) bool {
	return f.Value() != f.Suggestion() && f.Value() == diag.Google.Name(f.Suggestion())
}

// foreignValue returns an error if a value of an event that was read in a dialect has a name of the other dialect.
// Whichever dialect that is, the value in memory then has the name of the public service.
func foreignValue(in diag.Dialect, e *event.Event) error {
	data := e.ConferenceData
	if data == nil {
		data = new(conference.Data)
	}
	request, solution := data.CreateRequest, data.Solution
	if request == nil {
		request = new(conference.CreateRequest)
	}
	if solution == nil {
		solution = new(conference.Solution)
	}
	return errors.Join(
		foreign(in, "/eventType", e.EventType, constraint.EventType),
		foreignType(in, "/conferenceData/createRequest/conferenceSolutionKey/type", request.SolutionKey),
		foreignType(in, "/conferenceData/conferenceSolution/key/type", solution.Key),
	)
}

func foreignType(in diag.Dialect, path diag.Pointer, key *conference.Key) error {
	if key == nil {
		return nil
	}
	return foreign(in, path, key.Type, constraint.ConferenceType)
}

func foreign(in diag.Dialect, path diag.Pointer, value string, c *constraint.Constraint) error {
	documents := diag.Google.Name(value)
	if documents == value || !slices.Contains(c.Values(), documents) {
		return nil
	}
	other := diag.Google
	if in == other {
		other = diag.Documents
	}
	return fmt.Errorf("%s: the value %q is the name of %s in the dialect %s", path, in.Name(value), in.Name(documents), other)
}
