package rtdb

import (
	"encoding/json"
	"strconv"
	"time"
)

// A serverValue is a value that the database computes during a write: {".sv": "timestamp"} or {".sv": {"increment": 1}}.
type serverValue struct {
	increment json.Number // empty for a timestamp
}

func parseServerValue(sent any) (any, error) {
	switch v := sent.(type) {
	case string:
		if v == "timestamp" {
			return serverValue{}, nil
		}
	case map[string]any:
		if n, ok := v["increment"].(json.Number); ok && len(v) == 1 {
			return serverValue{increment: n}, nil
		}
	}
	return nil, bad(`A server value is {".sv": "timestamp"} or {".sv": {"increment": 1}}`)
}

// resolve replaces the server values in data with their results, given the old data at the same location.
func resolve(data, old any, now time.Time) any {
	switch v := data.(type) {
	case serverValue:
		if v.increment == "" {
			return json.Number(strconv.FormatInt(now.UnixMilli(), 10))
		}
		n, _ := old.(json.Number) // anything else counts as 0
		return sum(n, v.increment)
	case map[string]any:
		object, _ := old.(map[string]any)
		for name, value := range v {
			v[name] = resolve(value, object[name], now)
		}
	}
	return data
}

// sum adds two numbers, exactly if they and the sum are 64-bit integers. An empty a is treated as 0.
func sum(a, b json.Number) json.Number {
	if a == "" {
		return b
	}
	m, errM := a.Int64()
	n, errN := b.Int64()
	if s := m + n; errM == nil && errN == nil && (s > m) == (n > 0) {
		return json.Number(strconv.FormatInt(s, 10))
	}
	x, _ := a.Float64() // infinite if too large
	y, _ := b.Float64()
	text, err := json.Marshal(x + y)
	if err != nil {
		return a // JSON cannot represent infinity
	}
	return json.Number(text)
}
