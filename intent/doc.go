// Package intent makes the requests that carry out a user's intent: to answer an invitation, add a guest, or move one
// event and all later ones. It sends nothing.
//
// The methods of a [Maker] take the stored event and return the requests to send, in order, or none if nothing needs to
// change. Stop at the first request that the service refuses. A request has its operation, query parameters, body and
// entity tag; [event.Request.Existing] is the event to change, with the id for the path. The parameters include all that
// the body needs to have an effect, and sendUpdates=all if guests see the change.
//
// A patch replaces arrays as a whole, so give each method the event as last read: the service may lose what it lacks. If
// the service would refuse a request because of the stored event, the error is a [*diag.Error].
package intent
