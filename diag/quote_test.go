package diag

import (
	"strconv"
	"testing"
)

// TestIsPlain: a quoted character is plain if package strconv writes it as it is.
func TestIsPlain(t *testing.T) {
	for c := range 256 {
		s := string([]byte{byte(c)})
		if want := strconv.Quote(s) == `"`+s+`"`; isPlain(s) != want {
			t.Errorf("%q is plain: %t", s, !want)
		}
	}
}
