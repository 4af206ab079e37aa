package jsonrule_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
)

type thing struct {
	Text  string
	Lines []string

	extra object.Extra
}

var table = object.NewTable(func(t *thing) *object.Extra { return &t.extra },
	object.String("text", func(t *thing) *string { return &t.Text }),
	object.Strings("lines", func(t *thing) *[]string { return &t.Lines }),
)

func TestUnmarshal(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string // the paths and the rules of what is wrong
	}{
		{`{"text":null,"x":0,"lines":["a"]}`, nil},
		{`{"text":5,"text":"a","lines":[1],"x":0}`, []string{"/text json.type", "/text json.duplicate-name", "/lines/0 json.type"}},
		{`[]`, []string{" json.syntax"}},
	} {
		v := &thing{Text: "old"}
		err := jsonrule.Unmarshal(table, []byte(test.text), v)
		var got []string
		var refused *diag.Error
		if errors.As(err, &refused) {
			for _, f := range refused.Findings.OfKind(diag.Reject) {
				got = append(got, string(f.Path)+" "+f.Rule.ID)
			}
		} else if err != nil {
			t.Errorf("%s: the error is a %T", test.text, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
		if v.Text != "" {
			t.Errorf("%s leaves the text %q", test.text, v.Text)
		}
	}
}
