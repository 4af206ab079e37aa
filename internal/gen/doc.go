// Package gen draws requests to the calendar service, valid and broken. Package fuzz gives them to property tests, and
// describes them; the command fuzz writes them.
//
// Four words name what the package is made of:
//
//   - A field is a member of an event with its declaration. The schema says how it is drawn: see [field.set].
//     Only members whose parts depend on each other have a function of their own, in the table special.
//   - A draft is a valid request in parts: the stored event and the body as trees of JSON, and facts about the caller
//     and the calendar.
//   - A step changes a draft. Steps are written in variants.txt; a word in them draws a text or a value.
//   - A variant is a name and the steps that break one rule, and no other, in any draft of some operations.
//
// A valid request takes three ways. An insert is an event that is drawn field by field ([Event]). A stored event is
// drawn likewise, with what the service adds. A change of it takes some members from another event of its type; a
// patch is the difference between the two, with members that change nothing ([Patch]).
//
// # How to break a new rule
//
// A rule about one value, which the schema declares, needs nothing: its variants derive from the constraint, the type
// or the requirement. Any other rule with a good and a bad example is broken as these differ, until variants.txt has a
// block for it:
//
//	event.description.removed
//		cleared | given /description = "Weekly" | /description -
//		made empty | given /description = "Weekly" | /description = ""
//
// The line first prepares a valid request, and then breaks it. The verdict has the kind of the rule and the place of
// the last edit, unless the steps kind, at or under say otherwise. The comment of variantsText lists the steps that
// choose operations and event types, and [namedSteps] the others. A step or a word that is missing is an entry of that
// table, or of [words]. The tests of package fuzz check that each variant breaks its rule and no other on each
// operation.
package gen
