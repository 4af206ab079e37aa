package object_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
)

// named has a member and two values that dialects call differently.
type named struct {
	VideoLink, Note string
	Inner           *kindOf
	List            []kindOf

	extra object.Extra
}

type kindOf struct {
	EventType string

	extra object.Extra
}

var kindRule = diag.Rule{ID: "kind", Kind: diag.Reject, When: diag.All, Says: constraint.EventType.Says()}

var kindTable = object.NewTable(func(k *kindOf) *object.Extra { return &k.extra },
	object.String("eventType", func(k *kindOf) *string { return &k.EventType }).Must(constraint.EventType, &kindRule),
)

var namedTable = object.NewTable(func(v *named) *object.Extra { return &v.extra },
	object.String("videoLink", func(v *named) *string { return &v.VideoLink }),
	object.String("note", func(v *named) *string { return &v.Note }),
	object.Object("inner", func(v *named) **kindOf { return &v.Inner }, kindTable),
	object.Array("list", func(v *named) *[]kindOf { return &v.List }, kindTable),
)

func decodeNamed(in diag.Dialect, text string) (*named, []object.Problem) {
	v := new(named)
	problems := namedTable.Decode([]byte(text), v, object.Reading{Dialect: in})
	return v, problems
}

// translate reads a text in one dialect and writes it in another.
func translate(from, to diag.Dialect, text string) string {
	v, _ := decodeNamed(from, text)
	return string(namedTable.AppendIn(to, nil, v))
}

// A table has the names of its members in both dialects.
func TestHasName(t *testing.T) {
	for name, want := range map[string]bool{"videoLink": true, "hangoutLink": true, "note": true, "list": true, "eventType": false, "": false} {
		if got := namedTable.HasName(name); got != want {
			t.Errorf("%q is a name: %t", name, got)
		}
	}
}

func TestTranslate(t *testing.T) {
	for _, test := range []struct{ name, documents, google string }{
		{"member", `{"videoLink":"a","note":"b"}`, `{"hangoutLink":"a","note":"b"}`},
		{"member-of-the-other", `{"hangoutLink":"a"}`, `{"videoLink":"a"}`},
		{"both", `{"videoLink":"a","hangoutLink":"b"}`, `{"hangoutLink":"a","videoLink":"b"}`},
		{"null", `{"videoLink":null}`, `{"hangoutLink":null}`},
		{"wrong-type", `{"videoLink":5}`, `{"hangoutLink":5}`},
		{"unknown", `{"fromMail":1,"videoMeet":2}`, `{"fromMail":1,"videoMeet":2}`},
		{"value", `{"inner":{"eventType":"fromMail"}}`, `{"inner":{"eventType":"fromGmail"}}`},
		{"value-of-the-other", `{"inner":{"eventType":"fromGmail"}}`, `{"inner":{"eventType":"fromMail"}}`},
		{"value-unknown", `{"inner":{"eventType":"frommail"}}`, `{"inner":{"eventType":"frommail"}}`},
		{"value-in-a-list", `{"list":[{"eventType":"default"},{"eventType":"fromMail"},7]}`, `{"list":[{"eventType":"default"},{"eventType":"fromGmail"},7]}`},
		{"other-values", `{"videoLink":"fromMail","note":"fromGmail"}`, `{"hangoutLink":"fromMail","note":"fromGmail"}`},
		{"inner-member", `{"inner":{"videoLink":"a"}}`, `{"inner":{"videoLink":"a"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.google, translate(diag.Documents, diag.Google, test.documents)); diff != "" {
				t.Errorf("to google (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.documents, translate(diag.Google, diag.Documents, test.google)); diff != "" {
				t.Errorf("from google (-want +got):\n%s", diff)
			}
		})
	}
}

// A text that is read and written in one dialect, or translated there and back, says the same.
func TestDialectsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SampledFrom([]string{"videoLink", "hangoutLink", "note", "inner", "list", "fromMail", "fromGmail"})
		value := rapid.SampledFrom([]string{`""`, `"fromMail"`, `"fromGmail"`, `null`, `3`, `{"eventType":"fromMail","x":1}`,
			`[{"eventType":"fromGmail"},{"eventType":""},"fromMail"]`, `{"hangoutLink":"videoMeet"}`})
		text := "{"
		for i, name := range rapid.SliceOfNDistinct(names, 0, 5, rapid.ID).Draw(t, "names") {
			if i > 0 {
				text += ","
			}
			text += `"` + name + `":` + value.Draw(t, "value")
		}
		text += "}"
		in := diag.Dialect(rapid.IntRange(0, 1).Draw(t, "dialect"))
		want, other := translate(in, in, text), diag.Google-in
		if !object.SameJSON([]byte(want), []byte(text)) {
			t.Fatalf("%s is written as %s in the dialect %s", text, want, in)
		}
		if got := translate(other, in, translate(in, other, text)); got != want {
			t.Fatalf("%s becomes %s", want, got)
		}
	})
}

func TestUnknownInDialect(t *testing.T) {
	for _, test := range []struct {
		in         diag.Dialect
		text, want string
	}{
		{diag.Documents, `{"hangoutLink":"a"}`, "That is the name in the dialect google. Use videoLink."},
		{diag.Google, `{"videoLink":"a"}`, "That is the name in the dialect documents. Use hangoutLink."},
		{diag.Google, `{"hangoutlink":"a"}`, "Did you mean hangoutLink?"},
		{diag.Google, `{"hangoutLink":"a"}`, ""},
	} {
		_, problems := decodeNamed(test.in, test.text)
		got := ""
		for _, p := range problems {
			got += sentence(p, test.in)
		}
		if want := " is not a documented field and has no meaning to the service. " + test.want; test.want != "" && !strings.HasSuffix(got, want) {
			t.Errorf("%s in the dialect %s: %s, want %s", test.text, test.in, got, want)
		} else if test.want == "" && got != "" {
			t.Errorf("%s in the dialect %s: %s", test.text, test.in, got)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, test := range []struct{ documents, google diag.Pointer }{
		{"", ""},
		{"?videoLink", "?videoLink"},
		{"/videoLink", "/hangoutLink"},
		{"/videoLink/0", "/hangoutLink/0"},
		{"/hangoutLink", "/videoLink"},
		{"/videoLinks", "/videoLinks"},
		{"/inner/videoLink", "/inner/videoLink"},
	} {
		if got := namedTable.Place(diag.Google, test.documents); got != test.google {
			t.Errorf("%s is %s, want %s", test.documents, got, test.google)
		}
		if got := namedTable.Place(diag.Google, test.google); got != test.documents {
			t.Errorf("%s is %s, want %s", test.google, got, test.documents)
		}
		if got := namedTable.Place(diag.Documents, test.documents); got != test.documents {
			t.Errorf("the documents call %s %s", test.documents, got)
		}
	}
}

func TestConstraintsInDialect(t *testing.T) {
	v, _ := decodeNamed(diag.Google, `{"list":[{"eventType":"fromGmail"},{"eventType":"fromMail"}]}`)
	report := engine.Collector{Dialect: diag.Google}
	namedTable.CheckConstraints(object.Checking{On: diag.Update, Report: &report}, v, nil, "", object.All)
	want := `The eventType is "fromMail"; it must be birthday, default, focusTime, fromGmail, outOfOffice or workingLocation.` +
		` That is the name in the dialect documents. Use fromGmail.`
	if len(report.Findings) != 1 || report.Findings[0].Path != "/list/1/eventType" || report.Findings[0].Message() != want {
		t.Errorf("%v, want %s", report.Findings, want)
	}
}
