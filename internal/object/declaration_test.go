package object_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

func TestWhere(t *testing.T) {
	for name, test := range map[string]struct {
		has  func(*object.Declaration) bool
		want []string
	}{
		"none":        {func(*object.Declaration) bool { return false }, nil},
		"service":     {func(d *object.Declaration) bool { return d.Writer == object.Service }, []string{"etag", "locked", "silent", "creator"}},
		"required":    {func(d *object.Declaration) bool { return len(d.Required) > 0 }, []string{"title", "checked"}},
		"conditional": {func(d *object.Declaration) bool { return len(d.Constraints) > 1 && d.Constraints[1].If != "" }, []string{"checked"}},
	} {
		got := recordTable.Where(test.has)
		if want := recordTable.Set(test.want...); got != want {
			t.Errorf("%s: %v, want %v", name, recordTable.NamesOf(got), test.want)
		}
	}
}

// Visit comes to each object before its members, and names the Go field of each.
func TestVisit(t *testing.T) {
	type visited struct {
		Path  diag.Pointer
		Type  string
		Field string
	}
	var got []visited
	recordTable.Visit("", func(path diag.Pointer, d *object.Declaration, field object.GoField) {
		got = append(got, visited{path, d.Type(), field.Struct().Name() + "." + field.Name()})
	})
	ownerAt := func(place diag.Pointer) []visited {
		return []visited{{place + "/email", "string", "owner.Email"}, {place + "/self", "boolean", "owner.Self"}}
	}
	entryAt := func(place diag.Pointer) []visited {
		return []visited{
			{place + "/*/id", "string", "entry.ID"}, {place + "/*/method", "string", "entry.Method"},
			{place + "/*/icon", "string", "entry.Icon"}, {place + "/*/own", "boolean", "entry.Own"},
		}
	}
	var want []visited
	for _, list := range [][]visited{
		{{"/title", "string", "record.Title"}, {"/status", "string", "record.Status"}, {"/width", "integer", "record.Width"}},
		{{"/guests", "integer", "record.Guests"}, {"/labels", "map of strings", "record.Labels"}, {"/owner", "object", "record.Owner"}},
		ownerAt("/owner"),
		{{"/entries", "array of objects", "record.Entries"}}, entryAt("/entries"),
		{{"/copies", "array of objects", "record.Copies"}}, entryAt("/copies"),
		{{"/loose", "array of objects", "record.Loose"}}, entryAt("/loose"),
		{{"/checked", "string", "record.Checked"}, {"/foreign", "object", "record.Foreign"}},
		ownerAt("/foreign"),
		{{"/etag", "string", "record.ETag"}, {"/locked", "boolean", "record.Locked"}, {"/silent", "string", "record.Silent"}},
		{{"/creator", "object", "record.Creator"}},
		ownerAt("/creator"),
	} {
		want = append(want, list...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("visited (-want +got):\n%s", diff)
	}
	thingTable.Visit("/outer", func(path diag.Pointer, d *object.Declaration, field object.GoField) {
		if _, ok := field.Struct().FieldByName(field.Name()); !ok || path[:len("/outer/")] != "/outer/" {
			t.Errorf("%s of type %s is visited as %s", field.Name(), d.Type(), path)
		}
	})
}

// A member that is not a field of the struct is a mistake in the program.
func TestVisitOfAFieldElsewhere(t *testing.T) {
	elsewhere := ""
	table := object.NewTable(func(p *part) *object.Extra { return &p.extra },
		object.String("name", func(*part) *string { return &elsewhere }))
	defer func() {
		if recover() == nil {
			t.Error("Name does not panic")
		}
	}()
	table.Visit("", func(_ diag.Pointer, _ *object.Declaration, field object.GoField) { field.Name() })
}

// The tables of this package have declarations of every sort; those without any are zero.
func TestDeclarationsDefaultToZero(t *testing.T) {
	partTable.Visit("", func(path diag.Pointer, d *object.Declaration, _ object.GoField) {
		if d.Writer != object.Client || d.On != 0 || d.Constraints != nil || d.Required != nil || d.Default != "" || d.TypeRule != nil || d.Traits != 0 {
			t.Errorf("%s is declared as %+v", path, d)
		}
	})
}

// Defaults are given within objects and the elements of arrays too.
func TestDefaultsOfElements(t *testing.T) {
	parts := object.NewTable(func(p *part) *object.Extra { return &p.extra },
		object.String("name", func(p *part) *string { return &p.Name }).WithDefault("none"))
	table := object.NewTable(func(v *thing) *object.Extra { return &v.extra },
		object.Array("parts", func(v *thing) *[]part { return &v.Parts }, parts))
	v := &thing{Parts: []part{{}, {Name: "a"}}}
	table.SetDefaults(v)
	if v.Parts[0].Name != "none" || v.Parts[1].Name != "a" {
		t.Errorf("the parts are %+v", v.Parts)
	}
}

func TestDeclarationMethods(t *testing.T) {
	r := rule("r")
	table := object.NewTable(func(p *part) *object.Extra { return &p.extra },
		object.String("name", func(p *part) *string { return &p.Name }).
			WrittenOn(diag.Create).OfType(r).WithDefault("none").With(1).With(4))
	table.Visit("", func(_ diag.Pointer, d *object.Declaration, _ object.GoField) {
		if d.On != diag.Create || d.TypeRule != r || d.Default != "none" || d.Traits != 5 {
			t.Errorf("the declaration is %+v", d)
		}
	})
}
