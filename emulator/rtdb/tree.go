package rtdb

import (
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// at returns the data at a path, or nil.
func at(data any, path []string) any {
	for _, name := range path {
		switch v := data.(type) {
		case map[string]any:
			data = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			data = v[i]
		default:
			return nil
		}
	}
	return data
}

// with returns a tree with other data at a path. It shares as much as possible with the old tree. It drops
// objects that become empty, because an empty object does not exist.
func with(tree any, path []string, data any) (any, error) {
	if len(path) == 0 {
		return data, nil
	}
	if strings.ContainsAny(path[0], forbidden) {
		return nil, failure{http.StatusBadRequest, "The path contains one of the characters " + forbidden}
	}
	object := asObject(tree)
	child, err := with(object[path[0]], path[1:], data)
	if err != nil {
		return nil, err
	}
	if child == nil {
		delete(object, path[0])
	} else {
		object[path[0]] = child
	}
	if len(object) == 0 {
		return nil, nil
	}
	return object, nil
}

// asObject returns a copy of the children of data. Only objects and arrays have children.
func asObject(data any) map[string]any {
	switch v := data.(type) {
	case map[string]any:
		return maps.Clone(v)
	case []any:
		object := map[string]any{}
		for i, element := range v {
			if element != nil {
				object[strconv.Itoa(i)] = element
			}
		}
		return object
	default:
		return map[string]any{}
	}
}

// prune removes nulls from objects and from the ends of arrays, and then empty objects and arrays.
func prune(data any) any {
	switch v := data.(type) {
	case map[string]any:
		for name, value := range v {
			if v[name] = prune(value); v[name] == nil {
				delete(v, name)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
		for len(v) > 0 && v[len(v)-1] == nil {
			v = v[:len(v)-1]
		}
		if len(v) == 0 {
			return nil
		}
		return v
	}
	return data
}

// keys makes names for added children. The names sort in the order in which they are made.
type keys struct {
	last   int64
	suffix [12]byte
}

// alphabet has its characters in byte order.
const alphabet = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

// next returns a name: eight characters for the time, and twelve that are random or, in the same millisecond, the
// successor of the last twelve.
func (k *keys) next(now time.Time) string {
	at := now.UnixMilli()
	if at > k.last {
		k.last = at
		rand.Read(k.suffix[:]) // never fails
		for i := range k.suffix {
			k.suffix[i] %= 64
		}
	} else {
		k.increment()
	}
	var name []byte
	for i, t := 0, k.last; i < 8; i, t = i+1, t/64 {
		name = append(name, alphabet[t%64])
	}
	slices.Reverse(name)
	for _, c := range k.suffix {
		name = append(name, alphabet[c])
	}
	return string(name)
}

func (k *keys) increment() {
	for i := len(k.suffix) - 1; i >= 0; i-- {
		if k.suffix[i]++; k.suffix[i] < 64 {
			return
		}
		k.suffix[i] = 0
	}
}
