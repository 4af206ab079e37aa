package form_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/form"
)

func TestNewEventID(t *testing.T) {
	for uuid, want := range map[string]string{
		"00000000000000000000000000000000": "00000000000000000000000000",
		"00000000000000000000000000000001": "00000000000000000000000004", // the last three bits, padded with two zeros
		"08000000000000000000000000000000": "10000000000000000000000000", // the first five bits are 1
		"ffffffffffffffffffffffffffffffff": "vvvvvvvvvvvvvvvvvvvvvvvvvs",
		"f81d4fae7dec11d0a76500a0c91e6bf6": "v0ekvbjttg8t19r502gci7jbuo", // the UUID of RFC 4122 section 3
	} {
		var id [16]byte
		if _, err := hex.Decode(id[:], []byte(uuid)); err != nil {
			t.Fatal(err)
		}
		if got := form.NewEventID(id); got != want {
			t.Errorf("NewEventID(%s) = %s, want %s", uuid, got, want)
		}
	}
}

func TestNewEventIDKeepsOrderAndIsValid(t *testing.T) {
	uuid := rapid.Custom(func(t *rapid.T) [16]byte { return [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes")) })
	rapid.Check(t, func(t *rapid.T) {
		a, b := uuid.Draw(t, "a"), uuid.Draw(t, "b")
		if !form.IsEventID(form.NewEventID(a)) {
			t.Fatalf("NewEventID(%x) = %s, which is not a valid id", a, form.NewEventID(a))
		}
		if got, want := strings.Compare(form.NewEventID(a), form.NewEventID(b)), bytes.Compare(a[:], b[:]); got != want {
			t.Fatalf("the ids of %x and %x compare as %d, the UUIDs as %d", a, b, got, want)
		}
	})
}
