package conference_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

// request is what the examples of this package hold of the batch form.
type request struct {
	Op       string                     `json:"op"`
	Params   map[string]string          `json:"params"`
	Existing map[string]json.RawMessage `json:"existing"`
	Body     map[string]json.RawMessage `json:"body"`
}

// change reads an example as the change that it makes, and says on which occasion.
func change(t *testing.T, e diag.Example) (diag.When, conference.Change) {
	t.Helper()
	var req request
	if err := json.Unmarshal([]byte(e.Request), &req); err != nil {
		t.Fatalf("%v in %s", err, e.Request)
	}
	old, sent := req.Existing["conferenceData"], req.Body["conferenceData"]
	c := conference.Change{Old: read(t, string(old)), New: read(t, string(sent)), Sent: sent != nil}
	if req.Params["conferenceDataVersion"] == "1" {
		c.Version = 1
	}
	if req.Op == "events.patch" {
		c.Body, c.New = c.New, read(t, merged(t, old, sent))
	}
	on, ok := map[string]diag.When{"events.insert": diag.Insert, "events.patch": diag.Patch, "response": diag.Response}[req.Op]
	if !ok {
		t.Fatalf("op is %q", req.Op)
	}
	return on, c
}

// merged is target with patch merged into it (RFC 7396 section 2).
func merged(t *testing.T, target, patch json.RawMessage) string {
	t.Helper()
	var from, with any
	if err := json.Unmarshal(target, &from); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(patch, &with); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(merge(from, with))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func merge(target, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, _ := target.(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	for name, value := range members {
		if value == nil {
			delete(object, name)
		} else {
			object[name] = merge(object[name], value)
		}
	}
	return object
}

func raised(t *testing.T, e diag.Example) (ids, rejecting []string, c conference.Change) {
	t.Helper()
	on, c := change(t, e)
	var report diag.Report
	conference.Check(on, c, &report, base)
	for _, f := range report.Findings {
		ids = append(ids, f.Rule.ID)
		if f.Kind == diag.Reject {
			rejecting = append(rejecting, f.Rule.ID)
		}
	}
	return ids, rejecting, c
}

func TestCatalogueExamples(t *testing.T) {
	for _, doc := range conference.Rules() {
		t.Run(doc.ID, func(t *testing.T) {
			if ids, _, _ := raised(t, doc.Good); len(ids) > 0 {
				t.Errorf("the accepted example raises %v", ids)
			}
			ids, rejecting, _ := raised(t, doc.Bad)
			if doc.Kind == diag.Effect {
				if len(ids) > 0 {
					t.Errorf("the contrary example raises %v", ids)
				}
				return
			}
			if diff := cmp.Diff([]string{doc.ID}, ids); diff != "" {
				t.Errorf("the refused example (-want +got):\n%s", diff)
			}
			if (doc.Kind == diag.Reject) != (len(rejecting) == 1) {
				t.Errorf("the refused example is rejected by %v; the kind is %s", rejecting, doc.Kind)
			}
		})
	}
}

// TestCatalogueAnswers compares the create request that an answer shows with what is stored.
func TestCatalogueAnswers(t *testing.T) {
	for _, doc := range conference.Rules() {
		for _, e := range []diag.Example{doc.Good, doc.Bad} {
			if e.Answer == "" {
				continue
			}
			var answer struct {
				Accepted bool
				Event    struct{ ConferenceData *conference.Data }
			}
			if err := json.Unmarshal([]byte(e.Answer), &answer); err != nil || !answer.Accepted {
				t.Errorf("%s: the answer is %s: %v", doc.ID, e.Answer, err)
			}
			want := answer.Event.ConferenceData
			if want == nil {
				continue
			}
			_, _, c := raised(t, e)
			got := conference.Apply(c).CreateRequest
			if got.RequestID != want.CreateRequest.RequestID || got.Status.Code != want.CreateRequest.Status.Code {
				t.Errorf("%s: stored is %+v, the answer has %+v", doc.ID, got, want.CreateRequest)
			}
		}
	}
}

func TestCatalogueDocs(t *testing.T) {
	want := []string{
		"conference.required reject write stated",
		"conference.version ignore write stated",
		"conference.request.id reject write inferred",
		"conference.request.id-repeated ignore modify stated",
		"conference.request.pending effect write stated",
		"conference.request.status reject response stated",
		"conference.request.unspecified unspecified all stated",
		"conference.type.create reject write stated",
		"conference.type.enum reject write inferred",
		"conference.type.unknown reject modify stated",
		"conference.id.form reject write,response stated",
		"conference.notes reject write stated",
		"conference.entry.type reject write stated",
		"conference.entry.cardinality reject write stated",
		"conference.entry.only-more reject write stated",
		"conference.entry.uri reject write stated",
		"conference.entry.label reject write stated",
		"conference.entry.more-label advise write stated",
		"conference.entry.code reject write stated",
		"conference.entry.displayed effect response stated",
	}
	var got []string
	for _, doc := range conference.Rules() {
		got = append(got, doc.ID+" "+string(doc.Kind)+" "+doc.When.String()+" "+string(doc.Basis))
		if slices.Contains([]string{doc.Summary, doc.Section, doc.Why, doc.Good.Request, doc.Bad.Request}, "") {
			t.Errorf("%s lacks a part of its documentation", doc.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
