package ruletest_test

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/ruletest"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse tests checkers that have no rules of their own.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(*testing.T){
		"Test": func(t *testing.T) {
			for _, c := range []*event.Checker{nil, new(event.Checker)} {
				t.Run("", func(t *testing.T) { ruletest.Test(t, c) })
			}
		},
	}, nil)
}
