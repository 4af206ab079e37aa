package aim

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// Another story shows the same disagreement if all that names it is the same, and no more rules are broken.
func TestIsShownBy(t *testing.T) {
	insert, patch := &story{op: operation.EventsInsert}, &story{op: operation.EventsPatch}
	o := &outcome{story: insert, fault: Missed, rule: "a.b", place: "c", rejections: 1}
	for name, test := range map[string]struct {
		found outcome
		want  bool
	}{
		"the same":        {*o, true},
		"fewer":           {outcome{story: insert, fault: Missed, rule: "a.b", place: "c"}, true},
		"more":            {outcome{story: insert, fault: Missed, rule: "a.b", place: "c", rejections: 2}, false},
		"another fault":   {outcome{story: insert, fault: Failed, rule: "a.b", place: "c"}, false},
		"another rule":    {outcome{story: insert, fault: Missed, rule: "a.d", place: "c"}, false},
		"another place":   {outcome{story: insert, fault: Missed, rule: "a.b", place: "d"}, false},
		"another request": {outcome{story: patch, fault: Missed, rule: "a.b", place: "c"}, false},
		"no verdict":      {outcome{story: insert, fault: Missed, rule: "a.b", place: "c", unclear: "odd"}, false},
		"not tried":       {outcome{story: insert, fault: Missed, rule: "a.b", place: "c", notTried: "odd"}, false},
	} {
		if got := o.isShownBy(&test.found); got != test.want {
			t.Errorf("%s is shown: %t", name, got)
		}
	}
}

// A disagreement is made smaller in forty stories, or fewer if there are many disagreements.
func TestShrinkLimits(t *testing.T) {
	body := tree{}
	for i := range 45 {
		body[fmt.Sprint("m", 10+i)] = 1
	}
	small := tree{"m1": 1}
	for name, test := range map[string]struct {
		body      tree
		differing int
		shows     func(request int) bool // whether the request shows the disagreement
		want      int                    // the requests
		left      int                    // the members of the smallest body
	}{
		"never":           {body, 1, func(int) bool { return false }, 40, 45},
		"of many":         {body, 20, func(int) bool { return false }, 20, 45},
		"always":          {body, 1, func(int) bool { return true }, 7, 0},
		"once":            {body, 1, func(n int) bool { return n == 25 }, 40, 44},
		"at the last":     {body, 1, func(n int) bool { return n == 40 }, 40, 44},
		"after the last":  {body, 1, func(n int) bool { return n == 41 }, 40, 45},
		"the first half":  {body, 1, func(n int) bool { return n == 1 }, 26, 23},
		"nothing smaller": {tree{}, 1, func(int) bool { return true }, 0, 0},
		"one member":      {small, 1, func(int) bool { return false }, 1, 1},
	} {
		n := 0
		r := runWith(t, func(*http.Request) (int, string) {
			if n++; test.shows(n) {
				return 500, "{}"
			}
			return 501, "{}"
		})
		o := &outcome{story: &story{op: "freebusy.query", body: draw.EncodeJSON(test.body)}, fault: Failed, rejections: 100}
		for range test.differing {
			r.differing = append(r.differing, o)
		}
		if got := len(decoded(r.shrink(o).story.body)); n != test.want || got != test.left {
			t.Errorf("%s: %d requests, want %d; %d members, want %d", name, n, test.want, got, test.left)
		}
	}
	r := runAt(t, 500, tree{})
	r.report.Stopped = "enough"
	o := &outcome{story: &story{op: "freebusy.query", body: draw.EncodeJSON(small)}, fault: Failed, rejections: 100}
	if r.differing = []*outcome{o}; r.shrink(o) != o || r.report.Requests > 0 {
		t.Errorf("a run that has stopped sends %d requests", r.report.Requests)
	}
}

// The halves of an object are tried from four members on: a half of fewer is a member.
func TestWithout(t *testing.T) {
	for text, want := range map[string][]string{
		`{}`:                         nil,
		`{"a":1}`:                    {`{}`},
		`{"a":1,"b":2,"c":3}`:        {`{"b":2,"c":3}`, `{"a":1,"c":3}`, `{"a":1,"b":2}`},
		`{"a":1,"b":2,"c":3,"d":4}`:  {`{"c":3,"d":4}`, `{"a":1,"b":2}`, `{"b":2,"c":3,"d":4}`, `{"a":1,"c":3,"d":4}`, `{"a":1,"b":2,"d":4}`, `{"a":1,"b":2,"c":3}`},
		`{"a":1,"b":[{"c":2}, "d"]}`: {`{"a":1}`, `{"b":[{"c":2},"d"]}`, `{"a":1,"b":["d"]}`, `{"a":1,"b":[{"c":2}]}`, `{"a":1,"b":[{},"d"]}`},
	} {
		var got []string
		for _, smaller := range without(decoded([]byte(text))) {
			got = append(got, string(draw.EncodeJSON(smaller)))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// The stored event is made smaller too, and no parameter that prevents mail is left out.
func TestSmallerStored(t *testing.T) {
	s := &story{made: []byte(`{"summary":"A"}`), params: operation.Params{"q": {"x"}, "sendUpdates": {"none"}, "timeZone": {"UTC"}}}
	for _, test := range []struct {
		was  tree
		want []string
	}{
		{tree{}, []string{`{} 3`, `{"summary":"A"} 2`, `{"summary":"A"} 2`}},
		{nil, []string{`{"summary":"A"} 2`, `{"summary":"A"} 2`}},
	} {
		s.was = test.was
		var got []string
		for _, smaller := range s.smaller() {
			got = append(got, fmt.Sprintf("%s %d", smaller.made, len(smaller.params)))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// A request is shown as a command, without the caller's header fields.
func TestCurl(t *testing.T) {
	o := &outcome{requests: []*sent{
		{method: "GET", url: "http://calendar.test/a"},
		{method: "POST", url: "http://calendar.test/b", header: http.Header{"Content-Type": {"text/plain"}, "If-Match": {"*"}}, body: []byte("it's")},
	}}
	want := []string{
		`curl -X GET 'http://calendar.test/a' -H "X-Key: $(cat FILE)"`,
		`curl -X POST 'http://calendar.test/b' -H 'Content-Type: text/plain' -H 'If-Match: *' -H "X-Key: $(cat FILE)" --data-binary 'it'\''s'`,
	}
	if diff := cmp.Diff(want, o.curl(&run{Options: Options{Header: http.Header{"X-Key": {"hushhush"}}}})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
