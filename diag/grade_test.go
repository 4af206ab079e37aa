package diag_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
)

func TestGrade(t *testing.T) {
	type (
		rules = map[string]diag.Grade
		bases = map[diag.Basis]diag.Grade
		kinds = map[diag.Kind]diag.Grade
	)
	for _, test := range []struct {
		name    string
		grading diag.Grading
		doc     *diag.Rule
		want    diag.Kind
	}{
		{"zero/reject", diag.Grading{}, stated, diag.Reject},
		{"no-grade/reject", diag.Grading{Rules: rules{stated.ID: "REJECT"}}, stated, diag.Reject},
		{"empty-grade/reject", diag.Grading{Kinds: kinds{diag.Reject: ""}}, stated, diag.Reject},
		{"no-grade/advice", diag.Grading{Bases: bases{advice.Basis: "REJECT"}}, advice, diag.Advise},
		{"zero/ignore", diag.Grading{}, inferred, diag.Ignore},
		{"zero/unspecified", diag.Grading{}, gap, diag.Unspecified},
		{"rule/off", diag.Grading{Rules: rules{stated.ID: diag.Off}}, stated, ""},
		{"rule/advise", diag.Grading{Rules: rules{stated.ID: diag.ToAdvise}}, stated, diag.Advise},
		{"rule/reject-advice", diag.Grading{Rules: rules{advice.ID: diag.ToReject}}, advice, diag.Reject},
		{"rule/reject-ignored", diag.Grading{Rules: rules{inferred.ID: diag.ToReject}}, inferred, diag.Reject},
		{"rule/reject-unspecified", diag.Grading{Rules: rules{gap.ID: diag.ToReject}}, gap, diag.Reject},
		{"rule/advise-says-less-than-ignore", diag.Grading{Rules: rules{inferred.ID: diag.ToAdvise}}, inferred, diag.Ignore},
		{"rule/advise-says-less-than-unspecified", diag.Grading{Rules: rules{gap.ID: diag.ToAdvise}}, gap, diag.Unspecified},
		{"rule/another", diag.Grading{Rules: rules{rfc.ID: diag.Off}}, stated, diag.Reject},
		{"prefix/off", diag.Grading{Rules: rules{"time.": diag.Off}}, stated, ""},
		{"prefix/without-dot", diag.Grading{Rules: rules{"time": diag.Off}}, stated, ""},
		{"prefix/another", diag.Grading{Rules: rules{"tim": diag.Off, "tim.": diag.Off, "time.off": diag.Off}}, stated, diag.Reject},
		{"prefix/longest-without-dot", diag.Grading{Rules: rules{"a.b": diag.ToAdvise, "a.": diag.Off, "a": diag.Off}}, &diag.Rule{ID: "a.b.c.d", Kind: diag.Reject}, diag.Advise},
		{"prefix/longest", diag.Grading{Rules: rules{"a.b.": diag.ToAdvise, "a.": diag.Off}}, &diag.Rule{ID: "a.b.c.d", Kind: diag.Reject}, diag.Advise},
		{"order/rule-before-prefix", diag.Grading{Rules: rules{stated.ID: diag.ToAdvise, "time.": diag.Off}}, stated, diag.Advise},
		{"order/prefix-before-basis", diag.Grading{Rules: rules{"time.": diag.ToAdvise}, Bases: bases{diag.Stated: diag.Off}}, stated, diag.Advise},
		{"basis/advise", diag.Grading{Bases: bases{diag.RFC: diag.ToAdvise}}, rfc, diag.Advise},
		{"basis/another", diag.Grading{Bases: bases{diag.RFC: diag.ToAdvise}}, stated, diag.Reject},
		{"kind/reject", diag.Grading{Kinds: kinds{diag.Advise: diag.ToReject}}, advice, diag.Reject},
		{"kind/another", diag.Grading{Kinds: kinds{diag.Advise: diag.ToReject}}, inferred, diag.Ignore},
		{"order/rule-before-basis", diag.Grading{Rules: rules{stated.ID: diag.ToReject}, Bases: bases{diag.Stated: diag.Off}}, stated, diag.Reject},
		{"order/basis-before-kind", diag.Grading{Bases: bases{diag.Stated: diag.ToAdvise}, Kinds: kinds{diag.Advise: diag.ToReject}}, advice, diag.Advise},
		{"strict/advice", diag.Strict(), advice, diag.Reject},
		{"strict/reject", diag.Strict(), stated, diag.Reject},
		{"strict/ignore", diag.Strict(), inferred, diag.Reject},
		{"strict/unspecified", diag.Strict(), gap, diag.Unspecified},
		{"documented/stated", diag.Documented(), stated, diag.Reject},
		{"documented/inferred", diag.Documented(), inferred, diag.Ignore},
		{"documented/observed", diag.Documented(), observed, ""},
		{"lenient/stated", diag.Lenient(), stated, diag.Reject},
		{"lenient/rfc", diag.Lenient(), rfc, diag.Reject},
		{"lenient/observed", diag.Lenient(), observed, diag.Advise},
		{"lenient/inferred", diag.Lenient(), inferred, diag.Ignore},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.grading.Grade(test.doc, test.doc.Kind); got != test.want {
				t.Errorf("%s is graded %q, want %q", test.doc.ID, got, test.want)
			}
		})
	}
}

func TestGradingIsZero(t *testing.T) {
	for _, test := range []struct {
		grading diag.Grading
		want    bool
	}{
		{diag.Grading{}, true},
		{diag.Grading{Rules: map[string]diag.Grade{}}, true},
		{diag.Grading{Rules: map[string]diag.Grade{"event.id.length": diag.Off}}, false},
		{diag.Documented(), false},
		{diag.Strict(), false},
	} {
		if got := test.grading.IsZero(); got != test.want {
			t.Errorf("%v: zero is %t", test.grading, got)
		}
	}
}

func TestGradingWith(t *testing.T) {
	base := diag.Grading{
		Rules: map[string]diag.Grade{stated.ID: diag.Off},
		Bases: map[diag.Basis]diag.Grade{diag.RFC: diag.ToAdvise},
		Kinds: map[diag.Kind]diag.Grade{diag.Advise: diag.ToReject},
	}
	got := base.With(map[string]string{"time.": "advise", stated.ID: "reject", "basis:observed": "off"})
	observedElsewhere := &diag.Rule{ID: "recurrence.emptied", Kind: diag.Reject, Basis: diag.Observed}
	for doc, want := range map[*diag.Rule]diag.Kind{stated: diag.Reject, rfc: diag.Advise, observed: diag.Advise, observedElsewhere: "", advice: diag.Reject} {
		if is := got.Grade(doc, doc.Kind); is != want {
			t.Errorf("%s is graded %q, want %q", doc.ID, is, want)
		}
	}
	if base.Grade(stated, stated.Kind) != "" || base.Grade(observed, observed.Kind) != diag.Reject {
		t.Error("With changes its receiver")
	}
	if got := (diag.Grading{}).With(nil); got.Grade(stated, diag.Reject) != diag.Reject {
		t.Error("no overrides change the grading")
	}
}

func TestGradingValidate(t *testing.T) {
	known := diag.NewCatalogue([]*diag.Rule{stated})
	for _, test := range []struct {
		name      string
		overrides map[string]string
		names     string // what the error names
	}{
		{"grade", map[string]string{stated.ID: "ignore"}, stated.ID},
		{"empty-grade", map[string]string{stated.ID: ""}, stated.ID},
		{"case-of-grade", map[string]string{stated.ID: "Off"}, stated.ID},
		{"rule", map[string]string{"time.offsets": "off"}, "time.offsets"},
		{"prefix", map[string]string{"date.": "off"}, "date."},
		{"prefix-within-a-word", map[string]string{"tim": "off"}, `"tim"`},
		{"dot", map[string]string{".": "off"}, `"."`},
		{"empty-rule", map[string]string{"": "off"}, `""`},
		{"basis", map[string]string{"basis:hearsay": "off"}, "basis:hearsay"},
		{"empty-basis", map[string]string{"basis:": "off"}, "basis:"},
		{"case-of-basis", map[string]string{"basis:RFC": "off"}, "basis:RFC"},
		{"rule-beside-a-basis", map[string]string{"b": "off", "basis:rfc": "off"}, `"b"`},
		{"first-in-order", map[string]string{"z": "off", "b": "off", stated.ID: "off"}, `"b"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := (diag.Grading{}).With(test.overrides).Validate(known)
			if err == nil || !strings.Contains(err.Error(), test.names) {
				t.Errorf("error %v, want one that names %s", err, test.names)
			}
		})
	}
	for _, valid := range []diag.Grading{{}, diag.Strict(), diag.Lenient(), {Rules: map[string]diag.Grade{stated.ID: diag.Off, "time.": diag.ToAdvise}}} {
		if err := valid.Validate(known); err != nil {
			t.Errorf("%v: %v", valid, err)
		}
	}
	if (diag.Grading{Kinds: map[diag.Kind]diag.Grade{"effect": diag.Off}}).Validate(known) == nil {
		t.Error("a grade of a kind that reports nothing is valid")
	}
	beside := diag.Grading{Rules: map[string]diag.Grade{stated.ID: diag.Off}, Kinds: map[diag.Kind]diag.Grade{"effect": diag.Off}}
	if beside.Validate(known) == nil {
		t.Error("a grade of a kind that reports nothing is valid beside that of a rule")
	}
}
