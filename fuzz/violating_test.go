package fuzz_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"hash/fnv"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/operation"
)

// TestViolating is the main test of the engine and of the generators. For each rule that
// rejects, ignores or advises, each request that breaks it causes the finding of its verdict,
// and no other finding rejects.
func TestViolating(t *testing.T) {
	t.Parallel()
	for doc := range event.Catalogue().All() {
		switch doc.Kind {
		case diag.Reject, diag.Ignore, diag.Advise:
			t.Run(doc.ID, rapid.MakeCheck(func(t *rapid.T) {
				checkViolates(t, fuzz.Violating(doc.ID).Draw(t, "payload"))
			}))
		}
	}
}

// TestEveryVariant draws every variant of every rule, which random draws might miss: by default on
// one of its operations, or else on each of them.
func TestEveryVariant(t *testing.T) {
	draws := testdepth.Draws(1, 3)
	drawn := map[string]bool{}
	for _, c := range shuffled(fuzz.Cases()) {
		name := c.Rule + "/" + c.Variant
		if drawn[name] && !testdepth.Full() {
			continue
		}
		drawn[name] = true
		t.Run(name+"/"+string(c.Op), func(t *testing.T) {
			t.Parallel()
			for seed := range draws {
				p := c.Draw.Example(seed)
				checkViolates(t, p)
				p.Event = readBack(t, p)
				checkViolates(t, p)
			}
		})
	}
}

// TestExampleVariants checks that every rule that reports has variants from its examples, which break
// only this rule. Rules with better ones do not use them. By default, it draws one of each rule.
func TestExampleVariants(t *testing.T) {
	aboutValues(t)
	for rule := range event.Catalogue().All() {
		if !rule.Kind.Reports() {
			continue
		}
		cases := fuzz.CasesFromExamples(rule)
		if len(cases) == 0 && rule.ID != ruleid.PatchWhole { // which its example breaks twice
			t.Errorf("%s has no variants from its examples", rule.ID)
		}
		for _, c := range cases[:min(len(cases), testdepth.Draws(1, len(cases)))] {
			checkViolates(t, c.Draw.Example(0))
		}
	}
}

// shuffled returns the cases in another order, the same in every run, so that the first case of a
// variant is on any of its operations.
func shuffled(cases []fuzz.Case) []fuzz.Case {
	slices.SortFunc(cases, func(a, b fuzz.Case) int { return cmp.Compare(hash(a), hash(b)) })
	return cases
}

func hash(c fuzz.Case) uint32 {
	h := fnv.New32a()
	h.Write([]byte(c.Rule + c.Variant + string(c.Op)))
	return h.Sum32()
}

// unbroken gives the reason why a rule is broken on none of the operations of an occasion.
var unbroken = map[string]map[diag.When]string{
	"event.type.enum":             {occasion.Update: "another type is " + refusedTwice, occasion.Patch: "another type is " + refusedTwice},
	"birthday.type.enum":          {occasion.Update: "another birthday is " + refusedTwice, occasion.Patch: "another birthday is " + refusedTwice},
	"birthday.event-type":         {occasion.Update: "a new birthday is " + refusedTwice, occasion.Patch: "a new birthday is " + refusedTwice},
	"event.type.from-mail":        {occasion.Import: imported},
	"type.timed-only":             {occasion.Import: imported},
	"type.plain":                  {occasion.Import: imported},
	"type.primary-only":           {occasion.Import: imported},
	"type.opaque":                 {occasion.Import: imported},
	"working-location.form":       {occasion.Import: imported},
	"param.value":                 {diag.Response: noParams},
	"scope.operation":             {diag.Response: noParams, occasion.Insert: "scope.insert reports it"},
	"type.properties-required":    {occasion.Import: imported},
	"birthday.shape":              {occasion.Import: imported},
	"birthday.modify":             {occasion.Delete: "birthday.delete reports it"},
	"birthday.private-properties": {occasion.Import: imported},
	"param.unknown":               {diag.Response: noParams},
	"param.repeated":              withoutParams(),
}

const (
	refusedTwice = "refused by another rule too, as a change"
	imported     = "what is imported is a default event before the rules are asked"
	noParams     = "the documents list no parameter there"
)

// withoutParams returns the occasions of the operations for which the documents list no parameter, and of responses.
func withoutParams() map[diag.When]string {
	none := map[diag.When]string{diag.Response: noParams}
	for op := range operation.All() {
		if len(op.Params) == 0 {
			none[op.When] = noParams
		}
	}
	return none
}

// TestEveryPlace compares the variants with the catalogue: each rule that rejects, ignores or
// advises has several variants, and is broken on every occasion to which it applies.
func TestEveryPlace(t *testing.T) {
	variants, occasions := map[string]map[string]bool{}, map[string]diag.When{}
	for _, c := range fuzz.Cases() {
		if variants[c.Rule] == nil {
			variants[c.Rule] = map[string]bool{}
		}
		variants[c.Rule][c.Variant] = true
		occasions[c.Rule] |= gen.OccasionOf(c.Op)
	}
	for doc := range event.Catalogue().All() {
		switch doc.Kind {
		case diag.Reject, diag.Ignore, diag.Advise:
		default:
			continue
		}
		if n := len(variants[doc.ID]); n < 2 {
			t.Errorf("%s is broken in %d variants", doc.ID, n)
		}
		for on := diag.When(1); on < occasion.Token; on <<= 1 {
			_, excused := unbroken[doc.ID][on]
			if broken := occasions[doc.ID].Has(on); doc.When.Has(on) && broken == excused {
				t.Errorf("%s on %s: broken is %t, excused is %t", doc.ID, on, broken, excused)
			}
		}
	}
}

// readBack reads the request from its line, and compares it with the payload as JSON.
func readBack(t tb, p fuzz.Payload) *event.Request {
	t.Helper()
	req, whole := new(batch.Request), fuzz.Payload{}
	text, err := json.Marshal(p)
	if err := errors.Join(err, json.Unmarshal(p.Line(), req), json.Unmarshal(text, &whole)); err != nil {
		t.Fatalf("%v, of %v", err, p)
	}
	// The time of cmp.Diff doubles with each level of nested arrays.
	if line, payload := req.String(), whole.Event.String(); !reflect.DeepEqual(valueOf(t, line), valueOf(t, payload)) {
		t.Fatalf("the line is %s\nbut the payload %s", line, payload)
	}
	for name, values := range req.Params {
		if len(values) == 0 {
			t.Fatalf("the parameter %q is sent without a value: %v", name, p)
		}
	}
	return &req.Request
}

func checkViolates(t tb, p fuzz.Payload) {
	t.Helper()
	findings := must(event.Find(p.Event))
	if !slices.ContainsFunc(findings, func(f diag.Finding) bool {
		return f.Rule.ID == p.Rule && f.Path == p.Path && f.Kind == p.Kind
	}) {
		t.Fatalf("not raised, but %v, by %v", briefs(findings), p)
	}
	want := []string{}
	if !p.Accepted {
		want = append(want, string(p.Path)+" ["+p.Rule+"] "+string(p.Kind))
	}
	if diff := gocmp.Diff(want, rejections(p.Event)); diff != "" {
		t.Fatalf("rejections (-want +got):\n%s\nof %v", diff, p)
	}
}

// aboutValues is for long tests that look at values only. They run in parallel, and not with
// -short, with which the race detector runs.
func aboutValues(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("looks at many values")
	}
	t.Parallel()
}

// valueOf returns the value of a JSON text.
func valueOf(t tb, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
