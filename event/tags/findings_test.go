package tags_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
)

type Base struct {
	ID string `json:"id" validate:"omitempty,cal_eventid"`
}

type box[T any] struct {
	Value T `json:"value" validate:"cal_addrspec"`
}

type crate[T any] struct {
	Value T `json:"content"`
}

type Word string

// TestPaths tests the paths of a struct with everything that a path can consist of.
func TestPaths(t *testing.T) {
	type leaf struct {
		Mail string `json:"mail,omitempty" validate:"cal_addrspec"`
	}
	type own struct {
		Base
		*leaf
		Word    `validate:"eq=a"`
		Plain   string              `validate:"eq=a"`
		Hidden  string              `json:"-" validate:"eq=a"`
		Odd     string              `json:"a.b[0]%<c>" validate:"eq=a"`
		Slash   string              `json:"a/b" validate:"eq=a"`
		Matrix  [][]string          `json:"matrix" validate:"dive,dive,eq=a"`
		Words   map[string]string   `json:"words" validate:"dive,keys,cal_propertykey,endkeys,cal_propertyvalue"`
		Leaves  map[string]*leaf    `json:"leaves" validate:"dive"`
		Numbers map[int][]leaf      `json:"numbers" validate:"dive,dive"`
		Box     box[string]         `json:"box"`
		Nested  struct{ Leaf leaf } `json:"nested"`
		private string
	}
	long, key := strings.Repeat("x", 1025), strings.Repeat("k", 300)
	bracketed := "a]." + strings.Repeat("k", 255-len("own.words[a].]"))
	valid := func() own {
		mail := leaf{"ada@example.com"}
		return own{leaf: &mail, Word: "a", Plain: "a", Hidden: "a", Odd: "a", Slash: "a",
			Box: box[string]{mail.Mail}, Nested: struct{ Leaf leaf }{mail}, private: long}
	}
	v := registered(t)
	for _, c := range []struct {
		name  string
		spoil func(*own)
		want  []string
	}{
		{"valid", func(o *own) {}, nil},
		{"embedded", func(o *own) { o.ID = "W" }, []string{"/id: event.id.alphabet", "/id: event.id.length"}},
		{"embedded pointer", func(o *own) { o.leaf = &leaf{} }, []string{"/mail: attendee.email.address"}},
		{"embedded text", func(o *own) { o.Word = "" }, []string{"/Word: validator.eq"}},
		{"Go name", func(o *own) { o.Plain = "" }, []string{"/Plain: validator.eq"}},
		{"not in JSON", func(o *own) { o.Hidden = "" }, []string{"/Hidden: validator.eq"}},
		{"punctuation", func(o *own) { o.Odd = "" }, []string{"/a.b[0]%<c>: validator.eq"}},
		{"slash", func(o *own) { o.Slash = "" }, []string{"/a~1b: validator.eq"}},
		{"matrix", func(o *own) { o.Matrix = [][]string{{"a"}, {"a", ""}} }, []string{"/matrix/1/1: validator.eq"}},
		{"map", func(o *own) { o.Words = map[string]string{"a/b~c": long} }, []string{"/words/a~1b~0c: event.extended-properties.size"}},
		{"map of brackets", func(o *own) { o.Words = map[string]string{"a].b[c": long} }, []string{"/words/a].b[c: event.extended-properties.size"}},
		{"empty key", func(o *own) { o.Words = map[string]string{"": long} }, []string{"/words/: event.extended-properties.size"}},
		{"key of brackets in the longest namespace whose end is certain", func(o *own) { o.Words = map[string]string{bracketed: "x"} }, []string{"/words/" + bracketed + ": event.extended-properties.size"}},
		{"long key", func(o *own) { o.Words = map[string]string{key: "x"} }, []string{"/words/" + key + ": event.extended-properties.size"}},
		{"map of structs", func(o *own) { o.Leaves = map[string]*leaf{"a.b[c": {}} }, []string{"/leaves/a.b[c/mail: attendee.email.address"}},
		{"long key of a struct", func(o *own) { o.Leaves = map[string]*leaf{key + "/": {}} }, []string{"/leaves/" + key + "~1/mail: attendee.email.address"}},
		{"map of lists", func(o *own) { o.Numbers = map[int][]leaf{-7: {{"ada@example.com"}, {}}} }, []string{"/numbers/-7/1/mail: attendee.email.address"}},
		{"generic", func(o *own) { o.Box.Value = "" }, []string{"/box/value: attendee.email.address"}},
		{"nested", func(o *own) { o.Nested.Leaf.Mail = "" }, []string{"/nested/Leaf/mail: attendee.email.address"}},
	} {
		o := valid()
		c.spoil(&o)
		if diff := cmp.Diff(c.want, places(tags.Translate(v.Struct(&o)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestPathsOfRoots tests namespaces that begin with the name of a type, and others.
func TestPathsOfRoots(t *testing.T) {
	type outer struct{ Inner box[string] }
	dash := reflect.New(reflect.StructOf([]reflect.StructField{{ // vet would report it as a mistake
		Name: "Dash", Type: reflect.TypeFor[string](), Tag: `json:"-," validate:"cal_addrspec"`,
	}})).Interface()
	v := registered(t)
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"generic", v.Struct(box[string]{}), []string{"/value: attendee.email.address"}},
		{"generic of a generic", v.Struct(crate[box[string]]{}), []string{"/content/value: attendee.email.address"}},
		{"nested", v.Struct(outer{}), []string{"/Inner/value: attendee.email.address"}},
		{"no name", v.Struct(struct {
			A outer `json:"a"`
		}{}), []string{"/a/Inner/value: attendee.email.address"}},
		{"dash", v.Struct(dash), []string{"/-: attendee.email.address"}},
		{"variable", v.Var("x", "cal_addrspec"), []string{": attendee.email.address"}},
		{"list", v.Var([]string{"a@example.com", "x"}, "dive,cal_addrspec"), []string{"/1: attendee.email.address"}},
		{"list of structs", v.Var([]box[string]{{}}, "dive"), []string{"/0/value: attendee.email.address"}},
		{"map", v.Var(map[string]string{"a/b": "x"}, "dive,cal_addrspec"), []string{"/a~1b: attendee.email.address"}},
	} {
		if diff := cmp.Diff(c.want, places(tags.Translate(c.err))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestRuleByParameter tests which rule a failure becomes, with and without a parameter and through an alias.
func TestRuleByParameter(t *testing.T) {
	v := registered(t)
	v.RegisterAlias("organizer", "omitempty,cal_addrspec=event.organizer.email")
	for _, c := range []struct {
		tag  string
		want string
	}{
		{"cal_addrspec", "attendee.email.address"},
		{"cal_addrspec=event.organizer.email", "event.organizer.email"},
		{"organizer", "event.organizer.email"},
		{"cal_httpscheme", "source.url"},
		{"cal_httpurl", "source.url.form"},
		{"cal_httpurl=conference.entry.uri", "conference.entry.uri"},
		{"cal_httpscheme=conference.entry.uri", "conference.entry.uri"},
		{"cal_autodeclinemode", "focus-time.auto-decline"},
		{"cal_autodeclinemode=out-of-office.auto-decline", "out-of-office.auto-decline"},
		{"cal_eventid=event.id.unique", "event.id.unique"},
		{"cal_eventid|cal_addrspec", "validator.cal_eventid|cal_addrspec"},
		{"max=0", "validator.max"},
	} {
		if diff := cmp.Diff([]string{c.want}, ruleIDs(tags.Translate(v.Var("?", c.tag)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.tag, diff)
		}
	}
	for tag, want := range map[string]string{"cal_present=attachments.file-url": "attachments.file-url", "cal_present": "validator.cal_present", "required": "validator.required"} {
		if diff := cmp.Diff([]string{want}, ruleIDs(tags.Translate(v.Var("", tag)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tag, diff)
		}
	}
}

// TestMessages tests what findings say about values of every kind.
func TestMessages(t *testing.T) {
	v := registered(t)
	for _, c := range []struct {
		value     any
		tag, want string
	}{
		{"", "cal_present", "The value is required; it must be present and, if it is a string, not empty."},
		{(*string)(nil), "cal_addrspec", "The value is required; it must be a valid RFC 5322 address, such as ada@example.com."},
		{nil, "cal_addrspec", "The value is required; it must be a valid RFC 5322 address, such as ada@example.com."},
		{"x", "cal_rfc3339", `The value is "x"; it must be an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00-04:00.`},
		{"x", "cal_addrspec", `The value "x" has no @. Send an address such as ada@example.com.`},
		{-1, "cal_icalsequence", "The value is -1; it must be 0 or more."},
		{"x", "max=0", "The value fails the tag max=0."},
		{"", "required", "The value fails the tag required."},
	} {
		var got []string
		for _, f := range tags.Translate(v.Var(c.value, c.tag)) {
			got = append(got, f.Message())
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%v with %s (-want +got):\n%s", c.value, c.tag, diff)
		}
	}
}

// TestOtherErrors tests errors that are not about fields.
func TestOtherErrors(t *testing.T) {
	v := registered(t)
	if got := tags.Translate(nil); got != nil {
		t.Errorf("nil has findings: %v", got)
	}
	for _, err := range []error{io.EOF, v.Struct(nil), v.Struct(7)} {
		got := tags.Translate(err)
		if diff := cmp.Diff([]string{": validator.error"}, places(got)); diff != "" || !got.Rejected() {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	wrapped := errors.Join(fmt.Errorf("booking: %w", v.Var("x", "cal_addrspec")))
	if diff := cmp.Diff([]string{": attendee.email.address"}, places(tags.Translate(wrapped))); diff != "" {
		t.Errorf("wrapped (-want +got):\n%s", diff)
	}
}

// TestFindingsHaveRulesOfTheCatalogue checks that findings refer to the rules of the catalogue, and have their kinds.
func TestFindingsHaveRulesOfTheCatalogue(t *testing.T) {
	v := registered(t)
	rules := map[*diag.Rule]bool{}
	for rule := range event.Catalogue().All() {
		rules[rule] = true
	}
	for name, c := range cases {
		if name == "cal_present" {
			name += "=attachments.file-url"
		}
		for _, reject := range c.reject {
			err := v.Var(value(reject.value), name)
			found := tags.Translate(err)
			if err != nil && found.Err() == nil { // also where the rule only advises
				t.Errorf("%s: no error for %v", name, reject.value)
			}
			for _, f := range found {
				if !rules[f.Rule] || f.Kind != diag.Reject || f.Message() == "" {
					t.Errorf("%s: %v of kind %s", name, f, f.Kind)
				}
			}
		}
	}
	first, second := tags.Translate(v.Var("", "required")), tags.Translate(v.Var("", "required"))
	if first[0].Rule != second[0].Rule {
		t.Error("the rules of two failures of required are not the same")
	}
}

// TestStrangeNamespaces tests namespaces of validators without our names, and strange ones.
func TestStrangeNamespaces(t *testing.T) {
	bare := validator.New() // without JSON names
	type own struct {
		Name string `json:"name" validate:"required"`
	}
	if diff := cmp.Diff([]string{"/Name: validator.required"}, places(tags.Translate(bare.Struct(own{})))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	v := registered(t)
	for _, key := range []string{"", ".", "a.b", "[", "[0", "a].b", "a[", "].", "<x>"} {
		tags.Translate(v.VarWithKey(key, "x", "cal_addrspec"))
	}
}

// TestLongKeys would not end if the time to parse a namespace were quadratic in the number of brackets.
func TestLongKeys(t *testing.T) {
	v := registered(t)
	type own struct {
		Words map[string]string `validate:"dive,cal_propertyvalue"`
	}
	for _, key := range []string{strings.Repeat("][", 1_000_000), strings.Repeat("].", 1_000_000), strings.Repeat("[", 2_000_000)} {
		found := tags.Translate(v.Struct(own{map[string]string{key: strings.Repeat("x", 2000)}}))
		if len(found) != 1 {
			t.Errorf("%d findings", len(found))
		}
	}
}
