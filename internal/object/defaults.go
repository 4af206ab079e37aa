package object

// SetDefaults sets the absent members of v, and of the objects within it, to their defaults.
func (t *Table[P]) SetDefaults(v P) {
	for _, m := range t.defaults {
		m.setDefault(v)
	}
}

// WithDefault declares the default value of the member. For a boolean or integer whose field is not a pointer, the
// default must be false or 0.
func (m Member[P]) WithDefault(value string) Member[P] {
	m.Default = value
	text, field := m.text, m.field
	switch {
	case text != nil:
		m.setDefault = func(v P) { setIfZero(text(v), value) }
	case value == "true":
		m.setDefault = func(v P) { setIfZero(field(v).(**bool), new(true)) }
	}
	return m
}

func setIfZero[F comparable](field *F, value F) {
	if *field == *new(F) {
		*field = value
	}
}

// objectDefaults returns a function that sets the defaults within an object, or nil if there are no defaults.
func objectDefaults[P, Q any](at func(P) *Q, t *Table[Q]) func(v P) {
	if t.defaults == nil {
		return nil
	}
	return func(v P) {
		if s := *at(v); !isNil(s) {
			t.SetDefaults(s)
		}
	}
}

// arrayDefaults is like objectDefaults, but for the elements of an array.
func arrayDefaults[P, S any](at func(P) *[]S, t *Table[*S]) func(v P) {
	if t.defaults == nil {
		return nil
	}
	return func(v P) {
		for i := range *at(v) {
			t.SetDefaults(&(*at(v))[i])
		}
	}
}
