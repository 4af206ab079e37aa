package event

import "encoding/base32"

// idEncoding encodes five bits as one character of the alphabet of event ids.
var idEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// NewID returns a UUID (RFC 4122) as an event id: 26 characters of the base32hex alphabet in lower
// case. Different UUIDs have different ids, and ids sort like their UUIDs. The caller generates the
// UUID, for example with uuid.New of github.com/google/uuid:
//
//	checker := event.Checker{NewID: func() string { return event.NewID(uuid.New()) }}
//
// Source: calendar.md, Event resource, id.
func NewID(uuid [16]byte) string { return idEncoding.EncodeToString(uuid[:]) }
