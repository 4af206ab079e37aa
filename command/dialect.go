package command

import (
	"fmt"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// reading determines the dialect in which a command reads its files.
type reading struct {
	dialect diag.Dialect
	asked   bool      // whether --dialect or the configuration sets the dialect
	decided bool      // whether decide was called
	flags   []byte    // the values of flags, as members of an event
	own     [2]string // for each dialect, a name in the files that only this dialect has
	untold  bool      // suppress the note, because the output states the dialect or has no room for a note
}

// between returns the dialect for exchanges with the service: google, unless the user chose a different dialect.
func (r *reading) between() diag.Dialect {
	if r.asked {
		return r.dialect
	}
	return diag.Google
}

// decide chooses one dialect for all files of an invocation. If the user did not choose a dialect, the dialect is google if
// the files and flags contain names that are unique to google but none that are unique to documents, and otherwise documents.
// Every command that reads events calls decide with all of its files.
func (r *reading) decide(params operation.Params, files ...document) {
	texts := [][]byte{r.flags}
	for _, file := range files {
		texts = append(texts, file.text)
	}
	r.own, r.decided = event.OwnNames(params, texts...), true
	if !r.asked && r.own[diag.Google] != "" && r.own[diag.Documents] == "" {
		r.dialect = diag.Google
	}
}

// note returns a note about the dialect, to be printed after the output, or "".
func (r *reading) note() string {
	this, other := r.own[r.dialect], r.own[diag.Google-r.dialect]
	switch {
	case !r.decided:
		return ""
	case r.asked && other != "" && r.dialect == diag.Documents:
		return "this looks like a Google Calendar event; use --dialect google"
	case r.asked && other != "":
		return "this looks like an event with the documents' names; use --dialect documents"
	case r.asked || r.untold:
		return ""
	case other != "":
		return fmt.Sprintf("read in the dialect %s, but %s is a name in google and %s a name in documents; choose with --dialect [%s]", r.dialect, other, this, ruleid.DialectMixed)
	case this != "":
		return fmt.Sprintf("read in the dialect %s, because only that dialect has the name %s; choose with --dialect", r.dialect, this)
	default:
		return fmt.Sprintf("read in the dialect %s; use --dialect google for Google Calendar", r.dialect)
	}
}
