// Package gen draws valid and broken requests to the calendar service. Package fuzz documents the requests and provides them
// to property tests; the fuzz command writes them.
//
// A field is a member of an event together with its declaration, which determines the drawn values: see [field.set]. Only
// members whose parts depend on each other have their own functions, in the special table.
//
// Valid requests are drawn in three ways. An insert is an event that is drawn field by field ([Event]). A stored event is drawn
// in the same way, with members that the service adds. A change of a stored event copies some members from another event of the
// same type; a patch is the difference between the events before and after the change, with additional members that change
// nothing ([Patch]). All valid requests are valid by construction, without a check: a rejection reveals a bug in this package.
//
// A broken request is a valid request with a fault. Faults come from the declaration of a member or a parameter in the schema,
// and from the good and the bad example of a rule. If a broken request does not break exactly the intended rule, according to a
// check by the library, it is drawn again. A new rule needs no code in this package: see [breach].
package gen
