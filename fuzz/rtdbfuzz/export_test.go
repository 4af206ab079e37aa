package rtdbfuzz

// TLS returns whether the request uses TLS; nil is unknown.
func (l Line) TLS() *bool { return l.request().TLS }
