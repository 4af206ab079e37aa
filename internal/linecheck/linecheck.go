// Package linecheck lets the packages of this module check recurrence lines as a part of a request. Programs call
// recurrence.CheckLines.
package linecheck

import "github.com/calrules/calrules/diag"

// Lines are the recurrence lines of an event, and the facts that their rules also read.
type Lines struct {
	Texts  []string
	Start  any  // a *recurrence.Start, which may be zero, or nil; the rules that need a start are then not checked
	Stored bool // the lines may be stored already; then they are not rejected for having no instance
}

// Check reports every problem of the lines, in their order. base is the path of the array. The rules about the instances of
// a set apply only if no line is rejected. Without a report, Check reports nothing.
//
// Check returns whether the set is empty, that is, has no instance, and the indexes of the EXDATE lines with a value that
// matches none, unless the set is empty. They are false and nil if a line is rejected or the start is not known.
//
// Package recurrence sets Check when it is initialized: the rules are there, and this package cannot import it.
var Check func(l Lines, on diag.When, report *diag.Report, base diag.Pointer) (empty bool, misses []int)
