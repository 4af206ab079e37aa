package proxy

import (
	"errors"
	"testing"
)

// Values cannot add markup, in text or in attributes.
func TestMarkupEscapes(t *testing.T) {
	var m markup
	m.printf("<a href=\"%s\">%v</a>", `"><script>`, errors.New("<&"))
	if want := `<a href="&#34;&gt;&lt;script&gt;">&lt;&amp;</a>`; m.String() != want {
		t.Errorf("got %s, want %s", m.String(), want)
	}
}
