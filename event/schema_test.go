package event_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
)

// TestStructTags checks that the names in the struct tags of the model, which other packages such as encoding/json and
// go-playground/validator read, are the declared names, and that every exported field is declared.
func TestStructTags(t *testing.T) {
	type key struct {
		in   reflect.Type
		name string
	}
	declared, structs := map[key]bool{}, map[reflect.Type]bool{}
	for _, f := range event.Fields() {
		declared[key{f.Struct, f.Name}], structs[f.Struct] = true, true
		field, ok := f.Struct.FieldByName(f.Name)
		if !ok {
			t.Errorf("%s has no field %s", f.Struct, f.Name)
			continue
		}
		want := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		if got, _, _ := strings.Cut(field.Tag.Get("json"), ","); got != want {
			t.Errorf("the struct tag of %s.%s has the name %q; %q is declared", f.Struct, f.Name, got, want)
		}
	}
	for s := range structs {
		for i := range s.NumField() {
			if f := s.Field(i); f.IsExported() && !declared[key{s, f.Name}] {
				t.Errorf("%s.%s is not declared", s, f.Name)
			}
		}
	}
}
