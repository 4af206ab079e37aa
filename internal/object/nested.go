package object

import (
	"slices"

	"github.com/calrules/calrules/diag"
)

// nested is what can be done with the objects within a member. A member without such objects has no inner.
type nested[P any] struct {
	checked, service bool // whether there are constraints, or members that the service writes, within
	inner[P]
}

// inner is an object, or an array of objects, within the object to which a P points.
type inner[P any] interface {
	visit(at diag.Pointer, do func(diag.Pointer, *Declaration, GoField))
	check(c Checking, v, stored P, at place, m *Declaration)
	ignored(c Checking, sent, stored P, at diag.Pointer, m *Declaration)
	keep(v, stored P)                   // see [Table.KeepWithin]
	overwrites(v, stored P) bool        // whether keep changes anything
	saysNothingNew(sent, stored P) bool // whether all sent values are also stored
	dropMalformed(v P, on diag.When)    // see [Table.DropMalformed]
}

// innerObject is an object within another.
type innerObject[P, Q any] struct {
	*Table[Q]
	at func(P) *Q
}

func (o innerObject[P, Q]) visit(at diag.Pointer, do func(diag.Pointer, *Declaration, GoField)) {
	o.Visit(at, do)
}

func (o innerObject[P, Q]) check(c Checking, v, stored P, at place, m *Declaration) {
	if s := *o.at(v); !isNil(s) {
		o.Table.check(&c, s, within(o.at, stored), at.within(m, single), o.checked)
	}
}

func (o innerObject[P, Q]) ignored(c Checking, sent, stored P, at diag.Pointer, m *Declaration) {
	if s := *o.at(sent); !isNil(s) && (o.hasServerFields(s) || o.extra(s).kept != nil) {
		o.checkIgnored(c, s, *o.at(stored), m.in(at), o.service, true)
	}
}

func (o innerObject[P, Q]) keep(v, stored P) {
	if o.overwrites(v, stored) {
		*o.at(v) = o.shallow(*o.at(v))
		o.restoreServerFields(*o.at(v), *o.at(stored))
	}
}

func (o innerObject[P, Q]) overwrites(v, stored P) bool {
	return !isNil(*o.at(v)) && o.overwritesServerFields(*o.at(v), *o.at(stored))
}

func (o innerObject[P, Q]) saysNothingNew(sent, stored P) bool {
	return !isNil(*o.at(sent)) && !isNil(*o.at(stored)) && o.SaysNothingNew(*o.at(sent), *o.at(stored))
}

func (o innerObject[P, Q]) dropMalformed(v P, on diag.When) {
	if s := *o.at(v); !isNil(s) && o.hasServerFields(s) {
		*o.at(v) = o.shallow(s)
		o.DropMalformed(*o.at(v), on)
	}
}

// innerArray is an array of objects within another object.
type innerArray[P, S any] struct {
	*Table[*S]
	at func(P) *[]S
	Pairings[S]
}

func (a innerArray[P, S]) visit(at diag.Pointer, do func(diag.Pointer, *Declaration, GoField)) {
	a.Visit(at.Member("*"), do)
}

func (a innerArray[P, S]) check(c Checking, v, stored P, at place, m *Declaration) {
	c.Partial = false // an array is sent whole
	elements := *a.at(v)
	partner := partners(a.Known, elements, within(a.at, stored))
	i := 0
	was := func() *S {
		if was := partner(i); was != nil || !c.NoneAdded && !(c.Unknown && a.MayBeKnown(&elements[i])) {
			return was
		}
		return new(S) // its members are unknown
	}
	inArray := at.within(m, 0)
	for index := &inArray.steps[inArray.n-1].index; i < len(elements); i++ {
		*index = i
		a.checkMembers(&c, &elements[i], nil, was, &inArray, a.checked)
	}
}

func (a innerArray[P, S]) ignored(c Checking, sent, stored P, at diag.Pointer, m *Declaration) {
	elements := *a.at(sent)
	partner := partners(a.Identity, elements, *a.at(stored))
	for i := range elements {
		if a.hasServerFields(&elements[i]) {
			a.checkIgnored(c, &elements[i], partner(i), m.in(at).Index(i), a.service, false)
		}
	}
}

func (a innerArray[P, S]) keep(v, stored P) {
	elements := *a.at(v)
	if !a.overwrites(v, stored) {
		return
	}
	partner := partners(a.Identity, elements, *a.at(stored))
	isShared := true
	for i := range elements {
		if !a.overwritesServerFields(&elements[i], partner(i)) {
			continue
		}
		if isShared {
			elements, isShared = slices.Clone(elements), false
		}
		a.restoreServerFields(&elements[i], partner(i))
	}
	*a.at(v) = elements
}

func (a innerArray[P, S]) overwrites(v, stored P) bool { return !sameArray(*a.at(v), *a.at(stored)) }

// saysNothingNew returns false: an array replaces the stored one.
func (a innerArray[P, S]) saysNothingNew(_, _ P) bool { return false }

func (a innerArray[P, S]) dropMalformed(v P, on diag.When) {
	if !slices.ContainsFunc(*a.at(v), func(s S) bool { return a.hasServerFields(&s) }) {
		return
	}
	*a.at(v) = slices.Clone(*a.at(v))
	for i := range *a.at(v) {
		a.DropMalformed(&(*a.at(v))[i], on)
	}
}

// pairingsOf returns the only element of a list, if there is one, and makes functions for those that are nil.
func pairingsOf[S any](list []Pairings[S]) (p Pairings[S]) {
	if len(list) > 0 {
		p = list[0]
	}
	if p.Identity == nil {
		p.Identity = func(_, _ []S) []int { return nil }
	}
	if p.Known == nil {
		p.Known = p.Identity
	}
	if p.MayBeKnown == nil {
		p.MayBeKnown = func(*S) bool { return false }
	}
	return p
}

// Pairing pairs each element of a new array with the stored element that it continues: it returns the index of the
// stored element for each, or -1. A nil slice means that there are none at all.
type Pairing[S any] func(elements, stored []S) []int

// Pairings are the ways in which the elements of an array are paired with stored ones.
type Pairings[S any] struct {
	// Identity pairs elements that are about the same thing. For them, the service keeps the members that only it
	// writes.
	Identity Pairing[S]

	// Known pairs elements that are not new. Requirements on new elements do not apply to them, and the values that
	// they share with the stored element are not checked. Nil means Identity.
	Known Pairing[S]

	// MayBeKnown, if not nil, is called if the stored elements are unknown. It reports whether an
	// element that lacks a required member may be paired with a stored one.
	MayBeKnown func(element *S) bool
}

// partners returns a function that returns the stored element that element i is paired with, or nil.
// The elements are paired at its first call.
func partners[S any](pair Pairing[S], elements, stored []S) func(i int) *S {
	var pairs []int
	return func(i int) *S {
		if pairs == nil && len(stored) > 0 {
			pairs = pair(elements, stored)
		}
		if pairs == nil || pairs[i] < 0 {
			return nil
		}
		return &stored[pairs[i]]
	}
}

// within returns the field of v, or the zero value if v is nil.
func within[P, F any](at func(P) *F, v P) (f F) {
	if isNil(v) {
		return f
	}
	return *at(v)
}
