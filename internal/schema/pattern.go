package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
)

// standardFormats maps constraints to the formats that JSON Schema defines for them.
var standardFormats = map[*constraint.Constraint]string{
	constraint.FullDate: "date", constraint.Timestamp: "date-time", constraint.FreebusyTime: "date-time",
}

// addForm adds the form of a string to a schema. A format names the exact form, for validators that support it. The pattern is
// slightly more permissive: a validator without support for formats refuses only strings that the rules refuse, but not all
// such strings.
func addForm(schema Object, c *constraint.Constraint) {
	if c.Unit == "alphabet" {
		schema["pattern"] = alphabet(c)
		return
	}
	schema["format"] = cmp.Or(standardFormats[c], FormatPrefix+c.Name)
	if pattern, ok := patterns()[c]; ok {
		schema["pattern"] = pattern
	}
}

// Pattern returns the pattern for the form of a constraint, or "" if there is no pattern.
func Pattern(c *constraint.Constraint) string { return patterns()[c] }

// alphabet returns a pattern for strings of the ASCII characters allowed by a constraint.
func alphabet(c *constraint.Constraint) string {
	var class strings.Builder
	for r := range rune(utf8.RuneSelf) {
		if !c.Has(string(r)) {
			continue
		}
		if !c.Has(string(r - 1)) {
			fmt.Fprintf(&class, "%c-", r)
		}
		if !c.Has(string(r + 1)) {
			class.WriteRune(r)
		}
	}
	return "^[" + class.String() + "]*$"
}

const (
	datePattern   = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
	clockPattern  = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.][0-9]+)?"
	offsetPattern = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
	stampPattern  = "^" + datePattern + "[Tt]" + clockPattern + offsetPattern + "$"
	restPattern   = "[^ \"<>^`{|}]*$" // the part of a URI after the scheme
)

// patterns returns a pattern for each form. The patterns have the same meaning in ECMAScript and RE2.
var patterns = sync.OnceValue(func() map[*constraint.Constraint]string {
	return map[*constraint.Constraint]string{
		constraint.FullDate:       "^" + datePattern + "$",
		constraint.EventDateTime:  "^" + datePattern + "[Tt]" + clockPattern + offsetPattern + "?$",
		constraint.Timestamp:      stampPattern,
		constraint.FreebusyTime:   stampPattern,
		constraint.IANAZone:       zonePattern(),
		constraint.AddrSpec:       `^(?:".*"|[^@" ]+)@(?:\[.*\]|[^@" ]+)$`,
		constraint.Kind:           "^" + constraint.EventKind + "$",
		constraint.ContactName:    "^people/[^/ ]+$",
		constraint.MeetingCode:    "^[A-Za-z]{3}-[A-Za-z]{4}-[A-Za-z]{3}$",
		constraint.HTTPURL:        "^[Hh][Tt][Tt][Pp][Ss]?://" + restPattern,
		constraint.HTTPScheme:     "^[Hh][Tt][Tt][Pp][Ss]?:",
		constraint.ChannelAddress: "^[Hh][Tt][Tt][Pp][Ss]://" + restPattern,
		constraint.TelScheme:      "^[Tt][Ee][Ll]:",
		constraint.SIPScheme:      "^[Ss][Ii][Pp]:",

		constraint.ChannelIDCharacters: "^[A-Za-z0-9_+/=-]*$",
	}
})

// zonePattern returns a pattern for time zone names: an area and a place, or a known name without an area.
func zonePattern() string {
	var areas, names []string
	for zone := range form.Zones() {
		if area, _, hasArea := strings.Cut(zone, "/"); !hasArea {
			names = append(names, strings.ReplaceAll(zone, "+", "[+]"))
		} else if !slices.Contains(areas, area) {
			areas = append(areas, area)
		}
	}
	return "^(?:(?:" + strings.Join(areas, "|") + ")/[A-Za-z0-9_+/-]+|" + strings.Join(names, "|") + ")$"
}
