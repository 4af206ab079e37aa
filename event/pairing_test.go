package event

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPairAttendeesAgrees(t *testing.T) {
	attendee := rapid.Custom(func(t *rapid.T) Attendee {
		word := rapid.SampledFrom([]string{"", "a@b.c", "a@B.c", "A@b.c"})
		return Attendee{Email: word.Draw(t, "email"), ID: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "id")}
	})
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(attendee, 0, 6)
		stored := list.Draw(t, "stored")
		sent := list.Draw(t, "sent")
		if rapid.Bool().Draw(t, "the same") {
			sent = append(stored[:0:0], stored...)
		}
		var want []int
		if len(sent) > 0 && len(stored) > 0 {
			want = pairByKeys(sent, stored)
		}
		if diff := cmp.Diff(want, pairAttendees(sent, stored)); diff != "" {
			t.Fatalf("the pairs differ (-by keys +quick):\n%s", diff)
		}
	})
}
