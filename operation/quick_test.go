package operation

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// thorough is the simple version of [Request.Check]: it checks every rule on every part of a request.
func thorough(op *Operation, params Params, caller *Caller, calendar *Calendar, report *engine.Collector) {
	ask := func(in *input) {
		in.operation = op
		in.accepted = in.Param.decodeInto(new(Options), in.values)
		if in.Param == nil {
			in.Param = new(Param)
		}
		for _, r := range rules {
			isNamed := r.part&ofNamed == 0 || slices.Contains(in.rules, r.Rule)
			isUnruled := in.part != ofListed || r.part&ofUnruled == 0 || !in.isRuled(op.When)
			if r.Check != nil && r.part&(in.part|ofRepeated) != 0 && r.When.Has(op.When) && isNamed && isUnruled {
				r.Check.(check)(in, report.For(r.Rule, ""))
			}
		}
	}
	for i := range op.Params {
		p := &op.Params[i]
		if values := params[p.Name]; len(values) > 0 || p.Required {
			ask(&input{part: ofListed, argument: argument{p, values, params}})
		}
	}
	for _, name := range op.unlisted(params) {
		p := op.known(name)
		if p == nil {
			p = &Param{Name: name}
		}
		ask(&input{part: ofUnlisted, argument: argument{p, params[name], params}})
	}
	ask(&input{part: ofQuery, argument: argument{query: params}})
	if caller == nil {
		caller = new(Caller)
	}
	if calendar == nil {
		calendar = new(Calendar)
	}
	ask(&input{part: ofRequest, caller: caller, calendar: calendar})
}

func TestQuickCheck(t *testing.T) { rapid.Check(t, checkQuick) }

func FuzzQuickCheck(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkQuick)) }

// checkQuick compares a check with the simple version of it.
func checkQuick(t *rapid.T) {
	op := rapid.SampledFrom(slices.Collect(All())).Draw(t, "op")
	name := rapid.OneOf(rapid.SampledFrom(allNames()), rapid.StringN(0, 3, -1))
	value := rapid.SampledFrom([]string{"", "0", "1", "2", "01", "true", "false", "all", "none", "x", "updated", "2026-03-10T09:00:00Z"})
	params := Params(rapid.MapOfN(name, rapid.SliceOfN(value, 0, 3), 0, 8).Draw(t, "params"))
	caller := rapid.SampledFrom([]*Caller{nil, {}, {Scopes: []string{}}, {Scopes: []string{"https://x.example/auth/calendar"}}, {ServiceAccount: new(true)}}).Draw(t, "caller")
	calendar := rapid.SampledFrom([]*Calendar{nil, {}, {Primary: new(true)}, {Primary: new(false)}, {Status: "disabled"}}).Draw(t, "calendar")
	var want engine.Collector
	thorough(op, params, caller, calendar, &want)
	options, got := Request{Operation: op, Params: params, Caller: caller, Calendar: calendar}.Check()
	known := maps.Clone(params)
	maps.DeleteFunc(known, func(name string, _ []string) bool { return !op.HasParam(name) })
	if diff := cmp.Diff(known.Options(), options); diff != "" {
		t.Errorf("%s %v (-options +check):\n%s", op.ID, params, diff)
	}
	byID := cmp.Transformer("ID", func(r *diag.Rule) string { return r.ID })
	if diff := cmp.Diff(want.Findings, got, byID); diff != "" {
		t.Errorf("%s %v (-thorough +quick):\n%s", op.ID, params, diff)
	}
}

// allNames returns the names of the parameters of all operations.
func allNames() []string {
	names := []string{"orderBy", "singleEvents", "timeMin", "timeMax", "maxResults", "privateExtendedProperty", "fields"}
	for op := range All() {
		for _, p := range op.Params {
			names = append(names, p.Name)
		}
	}
	return names
}
