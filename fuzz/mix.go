package fuzz

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/operation"
)

// MixOptions say what a [Mix] is made of.
type MixOptions struct {
	// Operations are those that requests are for, [operation.Response] among them. Where
	// there are none, requests are for all, and more often for those that have an event as
	// body than for others.
	Operations []operation.ID

	// RTDB asks for requests to the realtime database instead; there are no Operations then.
	RTDB bool

	// Rules are the ids of the rules that broken requests break. Where there are none, it is
	// every rule that can be broken.
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. Those that break
	// one that only ignores or advises, and are accepted, count among them.
	InvalidShare float64
}

// Mix draws payloads by number, valid ones and broken ones. It may be used by several
// goroutines at once.
type Mix struct {
	share         float64
	valid, broken []*rapid.Generator[Payload]
}

// NewMix returns the mix that the options describe. The error says which of them cannot be
// had: an operation or a rule that there is none of, or a rule that no request for the
// operations breaks.
func NewMix(opts MixOptions) (*Mix, error) {
	if !(opts.InvalidShare >= 0 && opts.InvalidShare <= 1) { // as NaN is not
		return nil, fmt.Errorf("the share of broken requests is %v; it must be 0 to 1", opts.InvalidShare)
	}
	if opts.RTDB && len(opts.Operations) > 0 {
		return nil, errors.New("requests to the realtime database are for none of the operations")
	}
	m := &Mix{share: opts.InvalidShare}
	if err := m.addValid(&opts); err != nil {
		return nil, err
	}
	if err := m.addBroken(&opts); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Mix) addValid(opts *MixOptions) error {
	if opts.RTDB {
		m.valid = append(m.valid, validRTDB())
		return nil
	}
	for _, op := range opts.Operations {
		if !isOperation(op) {
			return fmt.Errorf("there is no operation %q", op)
		}
		m.valid = append(m.valid, validRequest(op))
	}
	if len(opts.Operations) > 0 {
		return nil
	}
	for _, op := range operations() {
		m.valid = append(m.valid, slices.Repeat([]*rapid.Generator[Payload]{validRequest(op)}, weight(op))...)
	}
	return nil
}

func (m *Mix) addBroken(opts *MixOptions) error {
	can, kind := RTDBRules(), "request to the realtime database"
	if !opts.RTDB {
		can, kind = Rules(opts.Operations...), "request for these operations"
	}
	wanted := opts.Rules
	if len(wanted) == 0 {
		wanted = can
	}
	for _, rule := range wanted {
		if !slices.Contains(can, rule) {
			return fmt.Errorf("no %s breaks a rule %q", kind, rule)
		}
		m.broken = append(m.broken, Violating(rule, opts.Operations...))
	}
	return nil
}

// operations lists every operation, and the check of a response.
func operations() []operation.ID {
	ids := []operation.ID{operation.Response}
	for op := range operation.All() {
		ids = append(ids, op.ID)
	}
	return ids
}

func isOperation(id operation.ID) bool {
	_, ok := operation.Lookup(id)
	return ok || id == operation.Response
}

// weight says how often an operation is drawn: those with an event have more to get wrong.
func weight(id operation.ID) int {
	if occasion(id).Has(withBody) {
		return 16
	}
	return 1
}

// validRequest draws valid requests for the operation as payloads.
func validRequest(op operation.ID) *rapid.Generator[Payload] {
	g := Request(op)
	return rapid.Custom(func(t *rapid.T) Payload {
		return Payload{Verdict: Verdict{Accepted: true}, Event: g.Draw(t, "request")}
	})
}

// validRTDB draws valid requests to the realtime database as payloads.
func validRTDB() *rapid.Generator[Payload] {
	g := RTDBRequest()
	return rapid.Custom(func(t *rapid.T) Payload {
		return Payload{Verdict: Verdict{Accepted: true}, RTDB: g.Draw(t, "request")}
	})
}

// Payload returns the payload with the number i of those that the seed stands for: always the
// same, on every machine, by one release of this package and of rapid.
func (m *Mix) Payload(seed uint64, i int) Payload {
	r := random(seed)
	r = random(r.next() + uint64(i)) // near seeds have numbers in common, and their hashes none
	from := m.valid
	if r.share() < m.share && len(m.broken) > 0 {
		from = m.broken
	}
	return from[r.next()%uint64(len(from))].Example(int(r.next() >> 33)) // an int of any machine holds it
}

// All yields payloads by their number, without end.
func (m *Mix) All(seed uint64) iter.Seq2[int, Payload] {
	return func(yield func(int, Payload) bool) {
		for i := 0; yield(i, m.Payload(seed, i)); i++ {
		}
	}
}

// Payloads yields payloads by their number, without end, half of them broken: of every
// operation and every rule of the calendar. The same seed gives the same payloads.
func Payloads(seed uint64) iter.Seq2[int, Payload] {
	m, err := NewMix(MixOptions{InvalidShare: 0.5})
	if err != nil {
		panic(fmt.Sprintf("fuzz: %v", err)) // cannot be, of everything
	}
	return m.All(seed)
}

// random is the generator splitmix64: what follows from its state alone is the same on every
// machine, and near states give numbers that have nothing to do with each other.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// share returns a number from 0 to 1, 1 excluded.
func (r *random) share() float64 { return float64(r.next()>>11) / (1 << 53) }

// Adder is what [Seeds] needs of a *testing.F.
type Adder interface{ Add(args ...any) }

// corpus are the bodies that the native fuzz targets of this package begin with, and those on
// which one of them once failed.
//
//go:embed testdata/fuzz
var corpus embed.FS

// seedMost is the longest body that makes a seed, in bytes: a fuzzer changes a few bytes at a
// time, and gets nowhere with a long one.
const seedMost = 4 << 10

// Seeds adds bodies to the corpus of a native fuzz target, whose one argument is a []byte: those
// that the targets of this package begin with, a valid body for each of the operations and, where
// a short one is soon found, that of one request for each way of breaking each rule. They are
// for the operations given or, where none is, for all that have an event as body and for
// [operation.Response]; of operations without such a body nothing is added. No body stands twice,
// and none is longer than 4 KiB. Seeds spares the fuzzer from finding the shape of an event by
// itself.
//
//	func FuzzHandler(f *testing.F) {
//		fuzz.Seeds(f, operation.EventsInsert)
//		f.Fuzz(func(t *testing.T, body []byte) { ... })
//	}
func Seeds(f Adder, ops ...operation.ID) {
	if len(ops) == 0 {
		ops = operationsOn(withBody)
	}
	seen := map[string]bool{}
	for body := range seeds(ops) {
		if text := string(body); body != nil && len(body) <= seedMost && !seen[text] {
			seen[text] = true
			f.Add(body)
		}
	}
}

// shortBody draws until a body is short enough for a seed, and gives up after a few.
func shortBody(g *rapid.Generator[Payload]) (body []byte) {
	const tries = 8
	for seed := range tries {
		if body = g.Example(seed).Body(); len(body) <= seedMost {
			break
		}
	}
	return body
}

// targets are the native fuzz targets of this package, by the operation that they are for.
var targets = map[operation.ID]string{
	operation.EventsInsert: "FuzzInsert",
	operation.EventsPatch:  "FuzzPatch",
	operation.EventsUpdate: "FuzzUpdate",
	operation.Response:     "FuzzResponse",
}

// seeds yields the bodies that [Seeds] adds.
func seeds(ops []operation.ID) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, op := range ops {
			for _, body := range committed(targets[op]) {
				if !yield(body) {
					return
				}
			}
			if !yield(shortBody(validRequest(op))) {
				return
			}
		}
		for _, rule := range Rules(ops...) {
			for _, c := range chances(docs()[rule], ops) {
				g := rapid.Custom(func(t *rapid.T) Payload { return c.draw(t, docs()[rule], c.ops) })
				if !yield(shortBody(g)) {
					return
				}
			}
		}
	}
}

// committed returns the bodies in the corpus of a target: of each file the last []byte, for
// what is stored, if anything, comes before it.
func committed(target string) [][]byte {
	files, err := fs.Glob(corpus, path.Join("testdata/fuzz", target, "*"))
	if err != nil || target == "" {
		return nil
	}
	var bodies [][]byte
	for _, name := range files {
		text, err := corpus.ReadFile(name)
		if err != nil {
			panic(fmt.Sprintf("fuzz: %v", err)) // it is part of the program
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		quoted, isBytes := strings.CutPrefix(lines[len(lines)-1], "[]byte(")
		body, err := strconv.Unquote(strings.TrimSuffix(quoted, ")"))
		if isBytes && err == nil {
			bodies = append(bodies, []byte(body))
		}
	}
	return bodies
}

// Rules lists the ids of the calendar's rules that [Violating] can break on one of the
// operations or, where none is given, on any; in their order.
func Rules(ops ...operation.ID) []string {
	var ids []string
	for id, doc := range docs() {
		if len(chances(doc, ops)) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// RTDBRules lists the ids of the realtime database's rules that [Violating] can break.
func RTDBRules() []string { return slices.Sorted(maps.Keys(rtdbWays())) }
