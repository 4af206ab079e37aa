package rtdb

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A query selects children of a location.
type query struct {
	order       func(name string, value any) any // the sort key of a child
	byName      bool
	bounds      []bound
	first, last int // the number of children to select; 0 means all
}

// A bound is a parameter such as startAt.
type bound struct {
	value  any
	accept func(order int) bool // whether to accept a child, given its order relative to value
}

// bounds lists the parameters that limit a query to a range.
var bounds = map[string]func(order int) bool{
	"startAt":    func(order int) bool { return order >= 0 },
	"startAfter": func(order int) bool { return order > 0 },
	"endAt":      func(order int) bool { return order <= 0 },
	"endBefore":  func(order int) bool { return order < 0 },
	"equalTo":    func(order int) bool { return order == 0 },
}

// parseQuery returns the query in a request, or nil if the request has no query.
func parseQuery(params url.Values) (*query, error) {
	q := new(query)
	isLimited, err := q.parseLimits(params)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		if !params.Has(name) {
			continue
		}
		isLimited = true
		value, err := parseBound(name, params.Get(name))
		if err != nil {
			return nil, err
		}
		q.bounds = append(q.bounds, bound{value, bounds[name]})
	}
	if !params.Has("orderBy") {
		if isLimited {
			return nil, bad("orderBy must be defined when other query parameters are defined")
		}
		return nil, nil
	}
	if err := q.parseOrder(params.Get("orderBy")); err != nil {
		return nil, err
	}
	for _, b := range q.bounds {
		if _, isText := b.value.(string); q.byName && !isText {
			return nil, bad("With orderBy=\"$key\", bounds are strings")
		}
	}
	return q, nil
}

func (q *query) parseLimits(params url.Values) (isLimited bool, err error) {
	for name, limit := range map[string]*int{"limitToFirst": &q.first, "limitToLast": &q.last} {
		if !params.Has(name) {
			continue
		}
		isLimited = true
		n, err := strconv.ParseInt(params.Get(name), 10, 32)
		if err != nil || n <= 0 {
			return false, bad("%s must be a positive integer", name)
		}
		*limit = int(n)
	}
	if q.first > 0 && q.last > 0 {
		return false, bad("limitToFirst and limitToLast exclude each other")
	}
	return isLimited, nil
}

func parseBound(name, text string) (any, error) {
	value, err := decode([]byte(text))
	switch value.(type) {
	case map[string]any, []any:
		err = bad("")
	}
	if err != nil {
		return nil, bad("%s must be a string in quotes, a number, true, false or null", name)
	}
	return value, nil
}

func (q *query) parseOrder(text string) error {
	var by string
	if err := json.Unmarshal([]byte(text), &by); err != nil || text == "null" {
		return bad("orderBy must be a string in quotes, such as \"$key\"")
	}
	switch by {
	case "$key":
		q.byName = true
		q.order = func(name string, _ any) any { return name }
	case "$value":
		q.order = func(_ string, value any) any { return value }
	case "$priority": // priorities are not supported, so all are equal
		q.order = func(string, any) any { return nil }
	default:
		path := split(by)
		if err := checkPath(path); err != nil {
			return err
		}
		if len(path) == 0 {
			return bad("orderBy is empty")
		}
		q.order = func(_ string, value any) any { return at(value, path) }
	}
	return nil
}

// child is a child of a location, with its sort key.
type child struct {
	name string
	by   any
}

// apply returns the selected children of data.
func (q *query) apply(data any) any {
	object, _ := data.(map[string]any)
	var children []child
	for name, value := range object {
		if c := (child{name, q.order(name, value)}); q.accepts(c) {
			children = append(children, c)
		}
	}
	slices.SortFunc(children, q.compare)
	switch n := len(children); {
	case q.first > 0:
		children = children[:min(q.first, n)]
	case q.last > 0:
		children = children[max(0, n-q.last):]
	}
	if len(children) == 0 {
		return nil
	}
	selected := make(map[string]any, len(children))
	for _, c := range children {
		selected[c.name] = object[c.name]
	}
	return selected
}

func (q *query) accepts(c child) bool {
	for _, b := range q.bounds {
		if !b.accept(q.compareValues(c.by, b.value)) {
			return false
		}
	}
	return true
}

func (q *query) compare(a, b child) int {
	return cmp.Or(q.compareValues(a.by, b.by), compareNames(a.name, b.name))
}

func (q *query) compareValues(a, b any) int {
	if q.byName {
		return compareNames(a.(string), b.(string))
	}
	return compareValues(a, b)
}

// compareNames orders array indexes numerically, before all other names.
func compareNames(a, b string) int {
	i, isIndex := index(a)
	j, isOther := index(b)
	switch {
	case isIndex && isOther:
		return cmp.Compare(i, j)
	case isIndex:
		return -1
	case isOther:
		return 1
	}
	return strings.Compare(a, b)
}

// compareValues compares values. The order is null, false, true, numbers, strings and objects. All objects are considered
// equal.
func compareValues(a, b any) int {
	order := cmp.Compare(rank(a), rank(b))
	if order != 0 {
		return order
	}
	switch a := a.(type) {
	case json.Number:
		x, _ := a.Float64() // infinite if too large
		y, _ := b.(json.Number).Float64()
		return cmp.Compare(x, y)
	case string:
		return strings.Compare(a, b.(string))
	}
	return 0
}

func rank(value any) int {
	switch v := value.(type) {
	case nil:
		return 0
	case bool:
		if !v {
			return 1
		}
		return 2
	case json.Number:
		return 3
	case string:
		return 4
	default:
		return 5
	}
}
