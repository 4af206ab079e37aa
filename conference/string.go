package conference

// String returns the data as JSON on one line, as [Data.MarshalJSON] does.
func (d Data) String() string { return string(dataTable.Append(nil, &d)) }

// GoString is [Data.String]: JSON shows what a test that prints a Go value would hide behind
// pointers and in unexported fields.
func (d Data) GoString() string { return d.String() }
