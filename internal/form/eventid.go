package form

import "encoding/base32"

// eventIDEncoding encodes five bits as one character in the event id alphabet.
var eventIDEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// NewEventID converts a UUID (RFC 4122) to an event id of 26 characters. Different UUIDs yield different ids, and the ids sort
// in the same order as the UUIDs. Source: Event resource, id.
func NewEventID(uuid [16]byte) string { return eventIDEncoding.EncodeToString(uuid[:]) }
