// Command validator checks its own struct with go-playground/validator and the tags from package event/tags, so that a form
// accepts the same values as the calendar service. The findings use the struct's JSON names.
//
//	go run ./examples/validator < booking.json
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event/tags"
)

// booking is the data in a form. The fields of a booking have the validator's own tags and tags from package event/tags.
type booking struct {
	Room      string   `json:"room" validate:"required,max=20"`
	Day       string   `json:"day" validate:"cal_fulldate"`
	TimeZone  string   `json:"timeZone" validate:"cal_ianazone"`
	Repeat    []string `json:"repeat" validate:"dive,cal_rruleline"`
	Guests    []guest  `json:"guests" validate:"dive"`
	RemindMin *int64   `json:"remindMinutes" validate:"omitempty,cal_reminderminutes"`
}

type guest struct {
	Email string `json:"email" validate:"cal_present=attendee.email.required,cal_addrspec"`
}

// newValidator returns a validator with the tags registered. A program should create a single validator and reuse it.
func newValidator() (*validator.Validate, error) {
	v := validator.New(validator.WithRequiredStructEnabled())
	return v, tags.Register(v)
}

// read reads and checks a booking. The findings are nil if the booking is valid.
func read(v *validator.Validate, r io.Reader) (*booking, diag.Findings, error) {
	b := new(booking)
	if err := json.NewDecoder(r).Decode(b); err != nil {
		return nil, nil, err
	}
	return b, tags.Translate(v.Struct(b)), nil
}

func main() {
	v, err := newValidator()
	var findings diag.Findings
	if err == nil {
		_, findings, err = read(v, os.Stdin)
	}
	if err == nil {
		err = findings.Err()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
