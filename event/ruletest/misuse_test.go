package ruletest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/ruletest"
	"github.com/calrules/calrules/internal/testing/surface"
)

// nothing is the variable with which the test runs itself, to see a test of nothing fail.
const nothing = "CALRULES_TEST_OF_NOTHING"

// TestMisuse tests checkers that have no rules of their own.
func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(*testing.T){
		"Test": func(t *testing.T) {
			for _, c := range []string{"nil", "empty"} {
				command := exec.Command(os.Args[0], "-test.run=^TestOfNothing$")
				command.Env = append(os.Environ(), nothing+"="+c)
				out, err := command.CombinedOutput()
				if err == nil || !strings.Contains(string(out), "no rules of its own") {
					t.Errorf("%s: a test of nothing passes: %v, %s", c, err, out)
				}
			}
		},
	}, nil)
}

func TestOfNothing(t *testing.T) {
	switch os.Getenv(nothing) {
	case "nil":
		ruletest.Test(t, nil)
	case "empty":
		ruletest.Test(t, new(event.Checker))
	default:
		t.Skip("TestMisuse runs it")
	}
}
