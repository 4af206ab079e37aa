package conference_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
)

// TestPrinted formats data as a value and as a pointer, with the verbs that tests use.
func TestPrinted(t *testing.T) {
	const stored = `{"conferenceSolution":{"key":{"type":"addOn"},"name":"a < b & c"},"parameters":[1.50,null]}`
	data := new(conference.Data)
	if err := data.UnmarshalJSON([]byte(stored)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		v    any
		want string
	}{
		"pointer":  {data, stored},
		"value":    {*data, stored},
		"nil":      {(*conference.Data)(nil), "<nil>"},
		"no data":  {conference.Data{}, "{}"},
		"one part": {&conference.Data{ID: "abc-defg-hij"}, `{"conferenceId":"abc-defg-hij"}`},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if diff := cmp.Diff(test.want, fmt.Sprintf(verb, test.v)); diff != "" {
				t.Errorf("%s by %s (-want +got):\n%s", name, verb, diff)
			}
		}
	}
}
