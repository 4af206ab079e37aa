package object

import "testing"

// Offsets that are released keep usual buffers only.
func TestReleaseOffsets(t *testing.T) {
	for _, test := range []struct {
		elements, inner int // the lengths of the buffers
		keeps           bool
	}{{256, 256, true}, {257, 256, false}, {256, 257, false}} {
		o := &Offsets{elements: make([]element, test.elements), inner: make([]innerMember, test.inner)}
		o.Release()
		if hasElements, hasInner := o.elements != nil, o.inner != nil; hasElements != test.keeps || hasInner != test.keeps {
			t.Errorf("%+v: it keeps elements: %t, members: %t", test, hasElements, hasInner)
		}
	}
}
