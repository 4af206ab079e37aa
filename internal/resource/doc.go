// Package resource checks the bodies of requests about resources other than events: calendars, calendar list entries,
// access control rules, free/busy queries and notification channels.
//
// The documents do not describe the fields of resources other than events. The checks follow the reference and the guides of
// the public service, so they apply only in [diag.Google], and every rule in this package is observed. See [discovery] for the
// revision of the reference.
package resource
