// Package resource checks the bodies of requests about resources other than events: calendars, entries of the calendar
// list, rules of access control, free/busy queries and notification channels.
//
// The documents do not show the fields of these resources. The checks follow the reference and the guides of the
// public service, so they hold only in [diag.Google]; every rule of this package is observed. See
// [discovery] for the revision of the reference.
package resource
