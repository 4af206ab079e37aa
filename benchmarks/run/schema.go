package main

import (
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
)

type object = map[string]any

// schema contains the rules about single members that JSON Schema can express. The formats for times, addresses and URLs differ
// slightly from the rules, and there are no formats for zone names or recurrence lines.
var schema = object{
	"type":     "object",
	"required": []string{"start", "end"},
	"properties": object{
		"kind":         object{"const": constraint.EventKind},
		"id":           object{"type": "string", "pattern": "^[a-v0-9]+$", "minLength": form.EventIDMinLength, "maxLength": form.EventIDMaxLength},
		"status":       enum(constraint.EventStatus),
		"summary":      text,
		"description":  text,
		"location":     text,
		"start":        moment,
		"end":          moment,
		"recurrence":   list(object{"type": "string", "pattern": "^(RRULE|EXRULE|RDATE|EXDATE)[;:]"}, 0),
		"transparency": enum(constraint.Transparency),
		"visibility":   enum(constraint.Visibility),
		"sequence":     integer(constraint.SequenceMin, 0),
		"attendees": list(object{"type": "object", "required": []string{"email"}, "properties": object{
			"email":            object{"type": "string", "format": "email"},
			"displayName":      text,
			"optional":         object{"type": "boolean"},
			"responseStatus":   enum(constraint.ResponseStatus),
			"additionalGuests": integer(constraint.AdditionalGuestsMin, 0),
		}}, 0),
		"reminders": object{"type": "object", "properties": object{
			"useDefault": object{"type": "boolean"},
			"overrides": list(object{"type": "object", "required": []string{"method", "minutes"}, "properties": object{
				"method":  enum(constraint.ReminderMethod),
				"minutes": integer(constraint.ReminderMinutesMin, constraint.ReminderMinutesMax),
			}}, constraint.ReminderOverridesMax),
		}},
		"conferenceData": object{"type": "object", "properties": object{
			"conferenceSolution": object{"type": "object", "properties": object{"key": object{"type": "object", "properties": object{
				"type": enum(constraint.ConferenceType),
			}}}},
			"notes": atMost(constraint.ConferenceNotesMaxLength),
			"entryPoints": list(object{"type": "object", "required": []string{"entryPointType"}, "properties": object{
				"entryPointType": enum(constraint.EntryPointType),
				"uri":            object{"type": "string", "format": "uri", "maxLength": constraint.EntryPointURIMaxLength},
				"label":          atMost(constraint.EntryPointLabelMaxLength),
				"pin":            atMost(constraint.EntryPointCodeMaxLength),
			}}, 0),
		}},
		"attachments": list(object{"type": "object", "required": []string{"fileUrl"}, "properties": object{
			"fileUrl": object{"type": "string", "minLength": 1},
			"title":   text,
		}}, constraint.AttachmentsMax),
		"extendedProperties": object{"type": "object", "additionalProperties": object{"type": "object", "additionalProperties": text}},
		"eventType":          enum(constraint.EventType),
	},
}

var (
	text   = object{"type": "string"}
	moment = object{"type": "object", "properties": object{
		"date":     object{"type": "string", "format": "date"},
		"dateTime": object{"type": "string", "format": "date-time"},
		"timeZone": text,
	}}
)

func enum(values *constraint.Constraint) object { return object{"enum": values.Values()} }

func atMost(characters int) object { return object{"type": "string", "maxLength": characters} }

// list returns the schema of an array with at most the given number of elements; 0 means no maximum.
func list(of object, most int) object {
	array := object{"type": "array", "items": of}
	if most > 0 {
		array["maxItems"] = most
	}
	return array
}

// integer returns the schema of an integer from least to most; if most is 0, there is no maximum.
func integer(least, most int) object {
	number := object{"type": "integer", "minimum": least}
	if most > 0 {
		number["maximum"] = most
	}
	return number
}

// decoded decodes a JSON value to the form that package jsonschema requires.
func decoded(text string) any {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	must(err)
	return value
}

func compiled() *jsonschema.Schema {
	text, err := json.Marshal(schema)
	must(err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	must(c.AddResource("https://example.com/event.json", decoded(string(text))))
	return c.MustCompile("https://example.com/event.json")
}
