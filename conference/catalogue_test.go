package conference_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
)

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
		"conference.signature ignore modify inferred",
		"conference.notes reject write stated",
		"conference.entry.type reject write stated",
		"conference.entry.cardinality reject write stated",
		"conference.entry.only-more reject write stated",
		"conference.entry.uri reject write stated",
		"conference.entry.uri.form advise write rfc",
		"conference.entry.label reject write stated",
		"conference.entry.more-label advise write stated",
		"conference.entry.code reject write stated",
		"conference.entry.displayed effect response stated",
	}
	var got []string
	for _, doc := range conference.Rules() {
		got = append(got, doc.ID+" "+doc.Does()+" "+doc.When.String()+" "+string(doc.Basis))
		if slices.Contains([]string{doc.Summary, doc.Section, doc.Why, doc.Good.Example().Request, doc.Bad.Example().Request}, "") {
			t.Errorf("%s lacks a part of its documentation", doc.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
