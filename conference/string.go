package conference

// String returns the data as JSON on one line, as [Data.MarshalJSON] writes it.
func (d Data) String() string { return string(dataTable.Append(nil, &d)) }

// GoString is [Data.String]: where a test prints the data as a Go value, as property tests do,
// JSON tells what pointers and unexported fields would not.
func (d Data) GoString() string { return d.String() }
