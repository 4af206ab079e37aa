package conference_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

// requestLife is a state machine for a conference that is requested, generated, removed and
// requested again, with a simple model: the stored JSON object.
type requestLife struct {
	stored *conference.Data
	model  members // nil where nothing is stored
	asked  int     // how many requests were made, so that each has an id of its own
}

type members = map[string]any

// with returns a deep copy of an object with a member set or, if the value is nil, removed.
func with(object members, name string, value any) members {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	c := members{}
	if err := json.Unmarshal(text, &c); err != nil {
		panic(err)
	}
	switch {
	case value == nil:
		delete(c, name)
	case c == nil:
		c = members{name: value}
	default:
		c[name] = value
	}
	return c
}

// mergedWith merges objects of this test as RFC 7396 says.
func mergedWith(target, patch members) members {
	all := maps.Clone(target)
	if all == nil {
		all = members{}
	}
	for name, value := range patch {
		change, isObject := value.(members)
		switch old, _ := all[name].(members); {
		case value == nil:
			delete(all, name)
		case isObject:
			all[name] = mergedWith(old, change)
		default:
			all[name] = value
		}
	}
	return all
}

// wanted returns a create request that a client sends.
func wanted(id, typ string) members {
	return members{"requestId": id, "conferenceSolutionKey": members{"type": typ}}
}

func statusOf(code string) members { return members{"statusCode": code} }

// request returns the stored create request, or nil.
func (l *requestLife) request() members {
	r, _ := l.model["createRequest"].(members)
	return r
}

// status returns the status of the stored create request, or "".
func (l *requestLife) status() string {
	s, _ := l.request()["status"].(members)
	code, _ := s["statusCode"].(string)
	return code
}

// locked reports whether the type of the stored conference is unknown.
func (l *requestLife) locked() bool {
	solution, _ := l.model["conferenceSolution"].(members)
	key, _ := solution["key"].(members)
	return key["type"] == "holoDeck"
}

// dataOf reads an object as conference data.
func dataOf(t *rapid.T, object members) *conference.Data {
	if object == nil {
		return nil
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	d := new(conference.Data)
	if err := d.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return d
}

// ways are the two ways in which a client modifies an event.
var ways = map[string]diag.When{"update": diag.Update, "patch": diag.Patch}

func drawWay(t *rapid.T) diag.When {
	return ways[rapid.SampledFrom([]string{"update", "patch"}).Draw(t, "by")]
}

// write sends conference data and compares the findings with the expected ones. It stores the
// result, and reports whether the request was refused.
func (l *requestLife) write(t *rapid.T, on diag.When, body members, version int, want ...string) bool {
	next := body
	if on == diag.Patch && body != nil {
		next = mergedWith(l.model, body)
	}
	change := conference.Change{On: on, Stored: l.stored, Next: dataOf(t, next), Sent: dataOf(t, body), Present: true, Version: version}
	refused := l.found(t, change, want).Rejected()
	if !refused {
		l.stored = change.Apply()
	}
	return refused
}

func (l *requestLife) found(t *rapid.T, change conference.Change, want []string) diag.Findings {
	found := change.Check()
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %s", f.Rule.ID, f.Path))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s from %s to %s (-want +got):\n%s", change.On, jsonOf(change.Stored), jsonOf(change.Next), diff)
	}
	return found
}

// Findings with their paths.
const (
	ignored     = "conference.version "
	lockedType  = "conference.type.unknown "
	repeated    = "conference.request.id-repeated /createRequest/requestId"
	unspecified = "conference.request.unspecified /createRequest/status/statusCode"
	beside      = "conference.request.unspecified "
	signed      = "conference.signature /signature"
)

// ask requests a conference with a new id, which is pending afterwards. An update removes the
// previous conference; a patch keeps it except for its request.
func (l *requestLife) ask(t *rapid.T) {
	on, version := drawWay(t), rapid.IntRange(0, 1).Draw(t, "version")
	l.asked++
	body := members{"createRequest": wanted(fmt.Sprintf("r-%d", l.asked), rapid.SampledFrom([]string{"videoMeet", "addOn"}).Draw(t, "type"))}
	if rapid.Bool().Draw(t, "claims success") { // the status is read-only
		body["createRequest"].(members)["status"] = statusOf("success")
	}
	switch {
	case version == 0:
		l.write(t, on, body, version, ignored)
	case l.locked():
		l.write(t, on, body, version, lockedType)
	default:
		var want []string
		if on == diag.Patch && l.model["conferenceSolution"] != nil {
			want = append(want, beside)
		}
		l.write(t, on, body, version, want...)
		made := with(body["createRequest"].(members), "status", statusOf("pending"))
		if on == diag.Update {
			l.model = nil
		}
		l.model = with(l.model, "createRequest", made)
	}
}

// repeat sends another request with the stored id, which has no effect.
func (l *requestLife) repeat(t *rapid.T) {
	if l.request() == nil {
		t.Skip("no request is stored")
	}
	again := with(l.request(), "status", nil)
	other := rapid.Bool().Draw(t, "of another type")
	if other {
		again["conferenceSolutionKey"] = members{"type": "eventVideo"}
	}
	want := repeated
	if other && l.locked() {
		want = lockedType
	}
	body := with(l.model, "createRequest", again)
	l.write(t, drawWay(t), body, 1, want)
}

// sendBack sends the stored data.
func (l *requestLife) sendBack(t *rapid.T) {
	if l.model == nil {
		t.Skip("nothing is stored")
	}
	l.write(t, drawWay(t), with(l.model, "", nil), rapid.IntRange(0, 1).Draw(t, "version"))
}

// claim sends the stored data with another status, which is read-only.
func (l *requestLife) claim(t *rapid.T) {
	if l.request() == nil {
		t.Skip("no request is stored")
	}
	code := rapid.SampledFrom([]string{"pending", "success", "failure"}).Draw(t, "status")
	l.write(t, drawWay(t), with(l.model, "createRequest", with(l.request(), "status", statusOf(code))), 1)
}

// sign sends another signature for the stored conference, or none, which has no effect. An update that leaves it out says
// nothing about it.
func (l *requestLife) sign(t *rapid.T) {
	if l.model == nil {
		t.Skip("nothing is stored")
	}
	if text := rapid.SampledFrom([]string{"mine", ""}).Draw(t, "signature"); text != "" {
		l.write(t, drawWay(t), with(l.model, "signature", text), 1, signed)
	} else if l.model["signature"] != nil {
		l.write(t, diag.Patch, members{"signature": nil}, 1, signed)
		l.write(t, diag.Update, with(l.model, "signature", nil), 1)
	}
}

// note changes the notes of the conference.
func (l *requestLife) note(t *rapid.T) {
	text := rapid.SampledFrom([]string{"Dial in early.", "Bring headphones."}).Draw(t, "notes")
	if l.model == nil || l.model["notes"] == text {
		t.Skip("there is nothing to write about")
	}
	body := members{"notes": text}
	on := drawWay(t)
	if on == diag.Update {
		body = with(l.model, "notes", text)
	}
	switch version := rapid.IntRange(0, 1).Draw(t, "version"); {
	case version == 0:
		l.write(t, on, body, version, ignored)
	case l.locked():
		l.write(t, on, body, version, lockedType)
	default:
		l.write(t, on, body, version)
		l.model = with(l.model, "notes", text)
	}
}

// refuse requests a conference that cannot be created.
func (l *requestLife) refuse(t *rapid.T) {
	c := rapid.SampledFrom([]struct{ id, typ, want string }{
		{"", "videoMeet", "conference.request.id /createRequest/requestId"},
		{"r-0", "eventVideo", "conference.type.create /createRequest/conferenceSolutionKey/type"},
		{"r-0", "eventNamedVideo", "conference.type.create /createRequest/conferenceSolutionKey/type"},
		{"r-0", "holoDeck", "conference.type.enum /createRequest/conferenceSolutionKey/type"},
	}).Draw(t, "request")
	if l.locked() {
		c.want = lockedType
	}
	if !l.write(t, drawWay(t), members{"createRequest": wanted(c.id, c.typ)}, 1, c.want) {
		t.Fatalf("%+v is accepted", c)
	}
}

// clear removes the conference.
func (l *requestLife) clear(t *rapid.T) {
	if l.model == nil {
		t.Skip("nothing is stored")
	}
	switch version := rapid.IntRange(0, 1).Draw(t, "version"); {
	case version == 0:
		l.write(t, drawWay(t), nil, version, ignored)
	case l.locked():
		l.write(t, drawWay(t), nil, version, lockedType)
	default:
		l.write(t, drawWay(t), nil, version)
		l.model = nil
	}
}

// settle is what the service does: a pending request succeeds or fails. After a failure there is no previous conference either.
func (l *requestLife) settle(t *rapid.T) {
	if l.status() != "pending" {
		t.Skip("nothing is pending")
	}
	code := rapid.SampledFrom([]string{"success", "failure"}).Draw(t, "outcome")
	next := with(l.model, "createRequest", with(l.request(), "status", statusOf(code)))
	for _, made := range []string{"conferenceSolution", "entryPoints", "signature"} {
		delete(next, made)
	}
	if code == "success" {
		typ := rapid.SampledFrom([]string{"videoMeet", "addOn", "holoDeck"}).Draw(t, "made")
		next["conferenceSolution"] = members{"key": members{"type": typ}}
		next["entryPoints"] = []any{members{"entryPointType": "video", "uri": "https://meet.example.com/abc"}}
		next["signature"] = "s"
	}
	l.found(t, conference.Change{On: diag.Response, Stored: l.stored, Next: dataOf(t, next)}, []string{unspecified})
	l.model, l.stored = next, dataOf(t, next)
}

// represent checks representations of a request against its status: a success has entry points; a
// failure has no entry points, solution or signature.
func (l *requestLife) represent(t *rapid.T) {
	code := rapid.SampledFrom([]string{"pending", "success", "failure", "done", ""}).Draw(t, "status")
	object := members{"createRequest": members{"requestId": "r-1", "status": statusOf(code)}}
	var want []string
	wrong := func(place string) { want = append(want, "conference.request.status "+place) }
	entries := rapid.Bool().Draw(t, "entry points")
	solution, signature := rapid.Bool().Draw(t, "solution"), rapid.Bool().Draw(t, "signature")
	if entries {
		object["entryPoints"] = []any{members{"entryPointType": "phone", "uri": "tel:+15550100"}}
	}
	if solution {
		object["conferenceSolution"] = members{"key": members{"type": "holoDeck"}}
	}
	if signature {
		object["signature"] = "s"
	}
	if code == "done" || code == "" {
		wrong("/createRequest/status/statusCode")
	}
	if code == "success" && !entries || code == "failure" && entries {
		wrong("/entryPoints")
	}
	if code == "failure" && solution {
		wrong("/conferenceSolution")
	}
	if code == "failure" && signature {
		wrong("/signature")
	}
	l.found(t, conference.Change{On: diag.Response, Next: dataOf(t, object)}, want)
}

// check compares the stored data with the model and checks that it is a valid representation.
func (l *requestLife) check(t *rapid.T) {
	if l.model == nil {
		if l.stored != nil {
			t.Fatalf("%s is stored, want nothing", jsonOf(l.stored))
		}
		return
	}
	var got members
	if err := json.Unmarshal([]byte(jsonOf(l.stored)), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(with(l.model, "", nil), got); diff != "" {
		t.Fatalf("(-model +stored):\n%s", diff)
	}
	l.found(t, conference.Change{On: diag.Response, Stored: l.stored, Next: l.stored}, nil)
}

func TestRequestLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &requestLife{}
		t.Repeat(map[string]func(*rapid.T){
			"ask":       l.ask,
			"repeat":    l.repeat,
			"send back": l.sendBack,
			"claim":     l.claim,
			"note":      l.note,
			"sign":      l.sign,
			"refuse":    l.refuse,
			"clear":     l.clear,
			"settle":    l.settle,
			"represent": l.represent,
			"":          l.check,
		})
	})
}
