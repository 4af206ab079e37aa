package conference_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

// full is conference data with every member of a conference that was generated, and own is that of a conference that the
// client made.
var full, own = obj(success1, made), obj(made)

var made = strings.Join([]string{`"conferenceSolution":{"key":{"type":"videoMeet"},"name":"Example Meet","iconUri":"https://example.com/i.png"}`,
	`"conferenceId":"abc-mnop-xyz","signature":"c2ln","notes":"Führung durch das Haus: bitte fünf Minuten vorher da sein."`,
	entries(
		`{"entryPointType":"video","uri":"https://meet.example.com/abc-mnop-xyz","label":"meet.example.com/abc-mnop-xyz","meetingCode":"abc-mnop-xyz"}`,
		`{"entryPointType":"phone","uri":"tel:+15550100,,,12345678%23","label":"+1 555 0100","pin":"12345678"}`,
		`{"entryPointType":"sip","uri":"sip:abc@meet.example.com","passcode":"1","password":"2","accessCode":"3"}`,
		`{"entryPointType":"more","uri":"https://meet.example.com/how"}`,
	)}, ",")

// valid returns changes without findings.
func valid(t testing.TB) map[string]conference.Change {
	pending := read(t, obj(pending1))
	return map[string]conference.Change{
		"insert":       {On: diag.Insert, Next: read(t, own), Present: true, Version: 1},
		"insert-asks":  {On: diag.Insert, Next: read(t, obj(request1)), Present: true, Version: 1},
		"insert-none":  {On: diag.Insert},
		"update-first": {On: diag.Update, Stored: pending, Next: read(t, obj(pending1, `"notes":"n"`)), Present: true, Version: 1},
		"patch-other":  {On: diag.Patch, Stored: pending, Next: pending},
		"remove":       {On: diag.Update, Stored: read(t, full), Version: 1},
		"response":     {On: diag.Response, Stored: read(t, full), Next: read(t, full)},
	}
}

func TestCheckOfValidDataDoesNotAllocate(t *testing.T) {
	for name, change := range valid(t) {
		t.Run(name, func(t *testing.T) {
			var found diag.Findings
			allocs := testing.AllocsPerRun(100, func() { found = change.Check() })
			if allocs != 0 || len(found) > 0 {
				t.Errorf("%v allocations, findings %v; want none", allocs, found)
			}
		})
	}
}
