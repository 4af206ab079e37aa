// Package gen draws requests to the calendar service, valid and broken. Package fuzz gives them to property tests, and
// describes them; the command fuzz writes them.
//
// A field is a member of an event with its declaration. The schema decides how it is drawn: see [field.set].
// Only members whose parts depend on each other have a function, in the table special.
//
// A valid request takes three ways. An insert is an event that is drawn field by field ([Event]). A stored event is
// drawn likewise, with the additions of the service. A change of it takes some members from another event of its type; a
// patch is the difference between the two, with members that change nothing ([Patch]). Such a request is valid by
// construction: no rule is asked, and a rejection is a mistake of this package.
//
// A broken request is a valid one with a fault. Faults come from the declaration of a member or a parameter in the schema
// (its constraint, its type, whether it is required) and from the good and the bad example of a rule. The library is asked whether the
// request breaks this rule and no other; if not, another is drawn. A new rule needs no line here: see [breach].
package gen
