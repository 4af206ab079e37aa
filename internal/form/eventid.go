package form

import "encoding/base32"

// eventIDEncoding encodes five bits as one character of the alphabet of event ids.
var eventIDEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// NewEventID returns a UUID (RFC 4122) as an event id: 26 characters. Different UUIDs have different ids, and ids sort like
// their UUIDs.
// Source: Event resource, id.
func NewEventID(uuid [16]byte) string { return eventIDEncoding.EncodeToString(uuid[:]) }
