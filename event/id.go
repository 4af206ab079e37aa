package event

import "encoding/base32"

// idEncoding writes the alphabet of event ids, in which five bits are a character.
var idEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// NewID returns a UUID (RFC 4122) as an event id: 26 characters of the base32hex alphabet in
// lower case. Different UUIDs give different ids, and ids sort as their UUIDs do. The UUID is
// the caller's to make, as by uuid.New of github.com/google/uuid:
//
//	checker := event.Checker{NewID: func() string { return event.NewID(uuid.New()) }}
//
// Source: calendar.md, Event resource, id.
func NewID(uuid [16]byte) string { return idEncoding.EncodeToString(uuid[:]) }
