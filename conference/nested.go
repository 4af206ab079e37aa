package conference

import "github.com/calrules/calrules/internal/jsonrule"

// The parts of the data are read, written and compared by themselves as they are within it: without loss, and with
// absent, null and empty members as equal.

// MarshalJSON is like [Data.MarshalJSON].
func (c CreateRequest) MarshalJSON() ([]byte, error) { return requestTable.Append(nil, &c), nil }

// UnmarshalJSON is like [Data.UnmarshalJSON].
func (c *CreateRequest) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(requestTable, text, c)
}

// Equal is like [Data.Equal].
func (c CreateRequest) Equal(other CreateRequest) bool { return requestTable.Equal(&c, &other) }

// String is like [Data.String].
func (c CreateRequest) String() string { return string(requestTable.Append(nil, &c)) }

// MarshalJSON is like [Data.MarshalJSON].
func (k Key) MarshalJSON() ([]byte, error) { return keyTable.Append(nil, &k), nil }

// UnmarshalJSON is like [Data.UnmarshalJSON].
func (k *Key) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(keyTable, text, k) }

// Equal is like [Data.Equal].
func (k Key) Equal(other Key) bool { return keyTable.Equal(&k, &other) }

// String is like [Data.String].
func (k Key) String() string { return string(keyTable.Append(nil, &k)) }

// MarshalJSON is like [Data.MarshalJSON].
func (s Status) MarshalJSON() ([]byte, error) { return statusTable.Append(nil, &s), nil }

// UnmarshalJSON is like [Data.UnmarshalJSON].
func (s *Status) UnmarshalJSON(text []byte) error { return jsonrule.Unmarshal(statusTable, text, s) }

// Equal is like [Data.Equal].
func (s Status) Equal(other Status) bool { return statusTable.Equal(&s, &other) }

// String is like [Data.String].
func (s Status) String() string { return string(statusTable.Append(nil, &s)) }

// MarshalJSON is like [Data.MarshalJSON].
func (s Solution) MarshalJSON() ([]byte, error) { return solutionTable.Append(nil, &s), nil }

// UnmarshalJSON is like [Data.UnmarshalJSON].
func (s *Solution) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(solutionTable, text, s)
}

// Equal is like [Data.Equal].
func (s Solution) Equal(other Solution) bool { return solutionTable.Equal(&s, &other) }

// String is like [Data.String].
func (s Solution) String() string { return string(solutionTable.Append(nil, &s)) }

// MarshalJSON is like [Data.MarshalJSON].
func (e EntryPoint) MarshalJSON() ([]byte, error) { return entryPointTable.Append(nil, &e), nil }

// UnmarshalJSON is like [Data.UnmarshalJSON].
func (e *EntryPoint) UnmarshalJSON(text []byte) error {
	return jsonrule.Unmarshal(entryPointTable, text, e)
}

// Equal is like [Data.Equal].
func (e EntryPoint) Equal(other EntryPoint) bool { return entryPointTable.Equal(&e, &other) }

// String is like [Data.String].
func (e EntryPoint) String() string { return string(entryPointTable.Append(nil, &e)) }
