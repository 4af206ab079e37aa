package object

// SetDefaults sets the absent members of v, and of the objects within it, to their defaults.
func (t *Table[P]) SetDefaults(v P) {
	for _, m := range t.defaults {
		m.setDefault(v)
	}
}

// WithDefault declares the default of the member. A boolean that is false where the member is absent, and an integer that
// is 0, have no other default.
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

// objectDefaults returns the function that sets the defaults within an object, or nil if there are none.
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

// arrayDefaults is objectDefaults for the elements of an array.
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
