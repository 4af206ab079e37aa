package reference

import (
	"slices"

	"github.com/calrules/calrules/diag"
)

// profiles lists the named gradings of the command, the default first.
var profiles = []struct {
	name    string
	grading diag.Grading
}{
	{"default", diag.Grading{}},
	{"strict", diag.Strict()},
	{"lenient", diag.Lenient()},
	{"documented", diag.Documented()},
}

// ProfileNames returns the names of the profiles, the default first.
func ProfileNames() (names []string) {
	for _, p := range profiles {
		names = append(names, p.name)
	}
	return names
}

// Profile returns the grading of the profile with the given name, or the default grading for an unknown name.
func Profile(name string) diag.Grading {
	for _, p := range profiles {
		if p.name == name {
			return p.grading
		}
	}
	return diag.Grading{}
}

// BasisPrefix distinguishes the name of a basis from the name of a rule.
const BasisPrefix = "basis:"

// Bases returns the names of the bases.
func Bases() []string {
	return []string{string(diag.Stated), string(diag.RFC), string(diag.Inferred), string(diag.Observed)}
}

// ruleNames contains the names for rules in a configuration.
type ruleNames struct{ ids, prefixes, dotted, bases []string }

func namesOfRules(known *diag.Catalogue) (names ruleNames) {
	seen := map[string]bool{}
	for r := range known.All() {
		names.ids = append(names.ids, r.ID)
		for i, c := range r.ID {
			if c == '.' && !seen[r.ID[:i]] {
				seen[r.ID[:i]] = true
				names.prefixes, names.dotted = append(names.prefixes, r.ID[:i]), append(names.dotted, r.ID[:i+1])
			}
		}
	}
	for _, basis := range Bases() {
		names.bases = append(names.bases, BasisPrefix+basis)
	}
	return names
}

// ConfigSchema returns the JSON Schema for the configuration of a command that checks the given rules.
func ConfigSchema(known *diag.Catalogue) string {
	type object = map[string]any
	names := namesOfRules(known)
	rules := func(text string) object {
		return object{"description": text, "type": "array", "items": object{"$ref": "#/$defs/rules"}}
	}
	schema := object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "Configuration of calrules: calrules.toml or calrules.json",
		"type":                 "object",
		"additionalProperties": false,
		"properties": object{
			"$schema": object{"type": "string"},
			"dialect": object{"enum": []diag.Dialect{diag.Documents, diag.Google}, "description": "The names of members and values."},
			"profile": object{"enum": ProfileNames(), "description": "The meaning of findings."},
			"select":  rules("The only rules to report."),
			"ignore":  rules("The rules not to report."),
			"grade": object{
				"type":                 "object",
				"description":          "The meaning of the findings of rules, by id, prefix, or basis.",
				"propertyNames":        object{"enum": slices.Concat(names.ids, names.prefixes, names.dotted, names.bases)},
				"additionalProperties": object{"enum": []diag.Grade{diag.ToReject, diag.ToAdvise, diag.Off}},
			},
		},
		"$defs": object{"rules": object{
			"description": "A rule, all rules whose ids begin with a word, or all rules with a basis.",
			"enum":        slices.Concat(names.ids, names.prefixes, names.dotted, names.bases),
		}},
	}
	return indented(schema, "  ")
}
