package tags_test

import (
	"errors"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with nil, the zero value or values out of range.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"Translate": func(t *testing.T) {
			for _, err := range []error{nil, errors.New("any"), validator.ValidationErrors(nil), &validator.InvalidValidationError{}} {
				tags.Translate(err)
			}
		},
		"Register": func(t *testing.T) {
			if err := tags.Register(nil); err == nil {
				t.Error("no error for no validator")
			}
		},
		"Table": func(*testing.T) { tags.Table()[0] = tags.Tag{} },
	}, nil)
}
