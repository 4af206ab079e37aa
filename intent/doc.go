// Package intent makes the requests that do what somebody means to do: answer an invitation, add a guest, move one event and
// all later ones. It sends nothing.
//
// The methods of a [Maker] take the stored event and return the requests to send, in this order. Send the next one only if the
// service accepts the one before. There are none if nothing needs to change. A request has its operation, query parameters,
// body and entity tag, and [event.Request.Existing] is the event that it is about, with the id for the path. The parameters are
// those without which a part of the body has no effect, and sendUpdates=all if guests see the change.
//
// A patch replaces arrays as a whole, so give each method the event as it was read last: what it lacks, the service may lose.
// If the service would refuse a request, as the stored event does not allow it, the error is a [*diag.Error].
package intent
