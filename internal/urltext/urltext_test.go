package urltext

import "testing"

func TestWithQuery(t *testing.T) {
	for _, test := range []struct{ url, query, want string }{
		{"/a", "", "/a"},
		{"/a", "b=1", "/a?b=1"},
		{"/a?b=1", "", "/a?b=1"},
		{"/a?b=1", "c=2&d=3", "/a?b=1&c=2&d=3"},
		{"https://a.example/a#b", "c=?", "https://a.example/a?c=?"},
		{"%zz", "#", "%zz?#"},
	} {
		if got := WithQuery(test.url, test.query); got != test.want {
			t.Errorf("%q with %q is %q, want %q", test.url, test.query, got, test.want)
		}
	}
}
