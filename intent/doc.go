// Package intent creates the requests that carry out a user's intent, such as responding to an invitation, adding a guest, or
// moving an instance and all later instances. The package does not send requests.
//
// The methods of a [Maker] take the stored event and return the requests to send, in order, or none if nothing needs to change.
// Stop at the first request that the service refuses. A request contains the operation, query parameters, body and entity tag;
// [event.Request.Existing] is the event to change, with the id for the path. The parameters include all parameters without
// which the body would have no effect, and sendUpdates=all if guests see the change.
//
// A patch replaces arrays as a whole, so pass the complete event as last read to each method. Array elements that are missing
// from that event may be lost. If the service would refuse a request because of the stored event, the error is a [*diag.Error].
package intent
