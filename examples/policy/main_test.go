package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/ruletest"
)

// The command is calrules in the scripts.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"calrules": main}) }

func TestCommand(t *testing.T) { testscript.Run(t, testscript.Params{Dir: "testdata"}) }

// The examples of the rules are answered as they should be.
func TestPolicy(t *testing.T) {
	checker, err := new(event.Checker).WithRules(policy...)
	if err != nil {
		t.Fatal(err)
	}
	ruletest.Test(t, checker)
}
