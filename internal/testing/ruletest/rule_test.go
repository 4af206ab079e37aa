package ruletest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/reference"
)

// No rule is listed that does not work, and no example shows anything but its rule.
func TestExamples(t *testing.T) {
	for rule := range reference.Catalogue().All() {
		for d := range diag.Google + 1 {
			if !rule.HoldsIn(d) {
				continue
			}
			t.Run(rule.ID+"/"+d.String(), func(t *testing.T) { checkExamples(t, reference.In(d, rule)) })
		}
	}
}

// checkExamples checks the examples of a rule.
func checkExamples(t *testing.T, r *diag.Rule) {
	checkFields(t, r)
	good, bad := ask(t, r, r.Good.Example()), ask(t, r, r.Bad.Example())
	if !slices.Contains(unproven, r.ID) {
		checkAnswer(t, r.Good.Example(), good)
		checkAnswer(t, r.Bad.Example(), bad)
	}
	checkOccasion(t, r, good)
	wrong := unraised(r, good, bad, slices.Contains(accompanied, r.ID))
	if r.Kind == "" {
		wrong = inconclusive(t, r, good, bad)
	}
	expect(t, unproven, r.ID, wrong)
}

// expect reports what is wrong with a rule, unless the rule is listed. If nothing is wrong with
// a listed rule, the list is out of date.
func expect(t *testing.T, listed []string, id, wrong string) {
	t.Helper()
	switch known := slices.Contains(listed, id); {
	case known && wrong == "":
		t.Errorf("%s is listed, but nothing is wrong with it any more; remove it from the list", id)
	case !known && wrong != "":
		t.Error(wrong)
	}
}

// checkAnswer checks that the answer to an example contains what the example says.
func checkAnswer(t *testing.T, e diag.Example, a answer) {
	t.Helper()
	if e.Answer != "" && !fits(t, e, a) {
		t.Errorf("the answer to %s does not contain %s\nbut is %s", e.Request, e.Answer, asText(t, a.passed))
	}
}

// fits reports whether the answer contains what the example says.
func fits(t *testing.T, e diag.Example, a answer) bool {
	t.Helper()
	var want any
	read(t, e.Answer, &want)
	return contains(a.passed, want)
}

// inconclusive returns the reason why the examples do not prove a rule that does not report: each must have
// an answer that does not fit the other example. Requests about events are accepted unless
// the answer says otherwise, or shows something other than whether they are accepted.
func inconclusive(t *testing.T, r *diag.Rule, good, bad answer) string {
	t.Helper()
	switch {
	case r.Good.Example().Answer == "" || r.Bad.Example().Answer == "":
		return "an example has no answer"
	case fits(t, r.Good.Example(), bad):
		return fmt.Sprintf("the answer %s fits the bad example too", r.Good.Example().Answer)
	case fits(t, r.Bad.Example(), good):
		return fmt.Sprintf("the answer %s fits the good example too", r.Bad.Example().Answer)
	case r.Good.Example().Via == "" && (good.refused && !saysRefused(t, r.Good.Example()) || bad.refused && !saysRefused(t, r.Bad.Example())):
		return fmt.Sprintf("an example is rejected: %s %v, %s %v", good.failure, good.findings, bad.failure, bad.findings)
	}
	return ""
}

func saysRefused(t *testing.T, e diag.Example) bool {
	t.Helper()
	var says struct{ Accepted *bool }
	read(t, e.Answer, &says)
	return says.Accepted != nil && !*says.Accepted
}

// What a message quotes from the request is the value in its data.
func TestDataHasWhatIsQuoted(t *testing.T) {
	quoted := 0
	for r := range reference.Catalogue().All() {
		if r.Kind == "" || !strings.Contains(r.Bad.Example().Request, `"op":"`) || strings.Contains(r.Bad.Example().Request, `"answer":`) {
			continue
		}
		for _, f := range ask(t, r, r.Bad.Example()).findings {
			text, ok := sentAt(t, r.Bad.Example().Request, f.Path)
			if !ok || !strings.Contains(f.Message(), engine.Quote(text)) {
				continue
			}
			if quoted++; f.Value() != text && f.Value() != strconv.Quote(text) { // JSON in place of a value of a wrong type
				t.Errorf("the value of %v is %q, want %q", f, f.Value(), text)
			}
		}
	}
	const some = 50
	if quoted < some {
		t.Errorf("%d messages quote what was sent; there were %d once", quoted, some)
	}
}

// sentAt returns the text that a request has at a path.
func sentAt(t *testing.T, request string, path diag.Pointer) (text string, ok bool) {
	t.Helper()
	var line struct {
		Params map[string]any
		Body   any
	}
	read(t, request, &line)
	if name, isParam := strings.CutPrefix(string(path), "?"); isParam {
		text, ok = line.Params[name].(string)
		return text, ok
	}
	at := line.Body
	for token := range path.Tokens() {
		switch value := at.(type) {
		case map[string]any:
			at = value[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil {
				return "", false
			}
			at = value[i]
		default:
			return "", false
		}
	}
	text, ok = at.(string)
	return text, ok
}
