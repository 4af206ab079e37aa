package rtdb_test

import (
	"net/url"
	"testing"
)

const people = `{"ada":{"age":36,"name":{"last":"Lovelace"}},"bob":{"age":40},"cid":{"age":"old"},"dan":{"age":true},"eve":{},"fay":{"age":36},"gil":7,"10":{"age":1},"9":{"age":2}}`

// TestQueries checks which children a query selects.
func TestQueries(t *testing.T) {
	d := newDatabase(t)
	send(d, "PUT", "/people.json?access_token=robot", people)
	send(d, "PUT", "/scores.json?access_token=robot", `{"a":3,"b":1,"c":2,"d":"x","e":false,"f":1e400}`)
	send(d, "PUT", "/list.json?access_token=robot", `["zero","one","two"]`)
	for _, test := range []struct {
		at, query string
		want      string // empty for 400
	}{
		{"people", `orderBy="$key"&limitToFirst=2`, `{"10":{"age":1},"9":{"age":2}}`},
		{"people", `orderBy="$key"&limitToFirst=1`, `{"9":{"age":2}}`},
		{"people", `orderBy="$key"&limitToLast=1`, `{"gil":7}`},
		{"people", `orderBy="$key"&startAt="fay"`, `{"fay":{"age":36},"gil":7}`},
		{"people", `orderBy="$key"&startAfter="fay"`, `{"gil":7}`},
		{"people", `orderBy="$key"&endBefore="ada"`, `{"10":{"age":1},"9":{"age":2}}`},
		{"people", `orderBy="$key"&equalTo="ada"&print=silent`, ``},
		{"people", `orderBy="age"&equalTo=36`, `{"ada":{"age":36,"name":{"last":"Lovelace"}},"fay":{"age":36}}`},
		{"people", `orderBy="age"&startAt=40`, `{"bob":{"age":40},"cid":{"age":"old"}}`},
		{"people", `orderBy="age"&startAfter=40`, `{"cid":{"age":"old"}}`},
		{"people", `orderBy="age"&startAt=36&endAt=40&limitToLast=2`, `{"bob":{"age":40},"fay":{"age":36}}`},
		{"people", `orderBy="age"&endAt=true`, `{"dan":{"age":true},"gil":7}`},
		{"people", `orderBy="age"&equalTo=null`, `{"gil":7}`},
		{"people", `orderBy="name/last"&equalTo="Lovelace"`, `{"ada":{"age":36,"name":{"last":"Lovelace"}}}`},
		{"people", `orderBy="age"&equalTo=41`, `null`},
		{"people/gil", `orderBy="$key"`, `null`},
		{"scores", `orderBy="$value"&limitToFirst=2`, `{"b":1,"e":false}`},
		{"scores", `orderBy="$value"&limitToLast=2`, `{"d":"x","f":1e400}`},
		{"scores", `orderBy="$value"&equalTo=1.0`, `{"b":1}`},
		{"scores", `orderBy="$priority"&limitToFirst=1`, `{"a":3}`},
		{"list", `orderBy="$key"&startAt="1"`, `[null,"one","two"]`},
		{"list", `orderBy="$key"&limitToFirst=2`, `["zero","one"]`},
		{"people", `orderBy="$key"`, `{"10":{"age":1},"9":{"age":2},"ada":{"age":36,"name":{"last":"Lovelace"}},"bob":{"age":40},"cid":{"age":"old"},"dan":{"age":true},"fay":{"age":36},"gil":7}`},
		{"people", `limitToFirst=2`, ""},
		{"people", `startAt="a"`, ""},
		{"people", `orderBy=$key`, ""},
		{"people", `orderBy=""`, ""},
		{"people", `orderBy="a.b"`, ""},
		{"people", `orderBy=null`, ""},
		{"people", `orderBy="$key"&startAt=1`, ""},
		{"people", `orderBy="age"&startAt={}`, ""},
		{"people", `orderBy="age"&startAt=x`, ""},
		{"people", `orderBy="age"&limitToFirst=0`, ""},
		{"people", `orderBy="age"&limitToFirst=-1`, ""},
		{"people", `orderBy="age"&limitToFirst=x`, ""},
		{"people", `orderBy="age"&limitToFirst=1&limitToLast=1`, ""},
	} {
		params, err := url.ParseQuery(test.query)
		if err != nil {
			t.Fatal(err)
		}
		params.Set("access_token", "robot")
		status, got := send(d, "GET", "/"+test.at+".json?"+params.Encode(), "")
		want := 200
		switch {
		case params.Get("print") == "silent":
			want = 204
		case test.want == "":
			want = 400
		}
		if status != want || want == 200 && got != test.want {
			t.Errorf("%s?%s: %d %s, want %d %s", test.at, test.query, status, got, want, test.want)
		}
	}
}
