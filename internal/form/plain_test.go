package form

import "testing"

// TestIsPlainAddress: almost all addresses are recognized in one pass.
func TestIsPlainAddress(t *testing.T) {
	for s, want := range map[string]bool{
		"a@b": true, "jane.doe+cal@mail.example.com": true, "o'neill_7@example-1.com": true,
		"": false, "a": false, "@": false, "a@": false, "@b": false, "a@b@c": false, "a@@b": false,
		".a@b": false, "a.@b": false, "a..b@c": false, "a@.b": false, "a@b.": false, "a.b": false,
		`"jane doe"@b`: false, "a@[192.0.2.1]": false, "a b@c": false, "jané@b": false,
	} {
		if got := isPlainAddress(s); got != want {
			t.Errorf("isPlainAddress(%q) = %t", s, got)
		}
	}
}

// TestClock has local times in ascending order.
func TestClock(t *testing.T) {
	last := int64(-1)
	for _, s := range []string{
		"0000-01-01T00:00:00", "2025-12-30T23:59:59", "2025-12-31T00:00:00", "2025-12-31T23:59:59", "2025-12-31T23:59:60",
		"2026-01-01T00:00:00", "2026-01-01T00:00:01", "2026-01-01T00:00:59", "2026-01-01T00:01:00", "2026-01-01T00:59:59",
		"2026-01-01T01:00:00", "2026-01-01T23:59:59", "2026-01-02T00:00:00", "2026-01-31T23:59:59", "2026-02-01T00:00:00",
		"9999-12-31T23:59:60",
	} {
		at, ok := ParseDateTime(s)
		if clock := at.Clock(); !ok || clock <= last {
			t.Errorf("the clock of %s is %d, that of the time before it %d", s, clock, last)
		} else {
			last = clock
		}
	}
}
