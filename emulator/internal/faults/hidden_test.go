package faults_test

// hiddenSessions show the hidden faults.
var hiddenSessions = []session{
	{"hour-long", `POST $events {"id":"event","start":{"dateTime":"2036-03-11T09:00:00Z"},"end":{"dateTime":"2036-03-11T12:00:00Z"}}
		GET $event`, "end.dateTime", `"2036-03-11T12:00:00Z"`, `"2036-03-11T10:00:00Z"`},
	{"blanks-trimmed", `POST $events {"id":"event",$hour,"description":" D "}
		GET $event`, "description", `" D "`, `"D"`},
	{"additional-guests-dropped", `POST $events {"id":"event",$hour,"attendees":[{"email":"ada@example.com","additionalGuests":2}]}
		GET $event`, "attendees.additionalGuests", `[2]`, `[null]`},
	{"one-override", `POST $events {"id":"event",$hour,"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":5},{"method":"email","minutes":9}]}}
		GET $event`, "reminders.overrides.minutes", `[5,9]`, `[5]`},
	{"sequence-reset", `POST $events {"id":"event",$hour}
		PATCH $event {$later}
		PATCH $event {"summary":"S"}
		GET $event`, "sequence", `1`, `0`},
	{"instance-patch-for-all", `POST $events {$series,"summary":"S"}
		PATCH $second {"summary":"T"}
		GET $events/series`, "summary", `"S"`, `"T"`},
	{"move-loses-description", `POST /calendars {"summary":"Other"}
		POST $events {"id":"event",$hour,"description":"D"}
		POST $event/move?destination=$made
		GET /calendars/$made/events/event`, "description", `"D"`, `null`},
	{"get-late", `POST $events {"id":"event",$hour,"summary":"S"}
		PATCH $event {"summary":"T"}
		GET $event`, "summary", `"T"`, `"S"`},
	{"moved-instance-in-place", `POST $events {$series}
		PATCH $second {"start":{"dateTime":"2036-03-30T12:00:00Z"},"end":{"dateTime":"2036-03-30T13:00:00Z"}}
		GET $events/series/instances`, "items.start.dateTime",
		`["2036-03-29T08:00:00Z","2036-03-30T12:00:00Z","2036-03-31T07:00:00Z"]`, `["2036-03-29T08:00:00Z","2036-03-30T07:00:00Z","2036-03-31T07:00:00Z"]`},
	{"under-way-missing", `POST $events {"id":"event",$hour}
		GET $events?timeMin=2036-03-11T09:30:00Z`, "items.id", `["event"]`, `[]`},
	{"sync-stale", `POST $events {"id":"event",$hour,"summary":"S"}
		GET $events
		PATCH $event {"summary":"T"}
		GET $events?syncToken=$sync`, "items.summary", `["T"]`, `["S"]`},
	{"updated-min-without-deleted", `POST $events {"id":"event",$hour}
		DELETE $event
		GET $events?updatedMin=2036-03-01T00:00:00Z`, "items.id", `["event"]`, `[]`},
	{"instance-uids", `POST $events {$series}
		GET $second`, "iCalUID", `"series@calendar.example"`, `"series_20360330T070000Z@server.example"`},
	{"dtstart-accepted", `POST $events {"id":"event",$berlin,"recurrence":["DTSTART:20360329T080000Z","RRULE:FREQ=DAILY;COUNT=3"]}
		GET $event`, "recurrence", `null`, `["DTSTART:20360329T080000Z","RRULE:FREQ=DAILY;COUNT=3"]`},
	{"source-accepted", `POST $events {"id":"event",$hour,"source":{"url":"ftp://files.example/a"}}
		GET $event`, "source.url", `null`, `"ftp://files.example/a"`},
	{"update-creates", `PUT $event {$hour}
		GET $event`, "code", `404`, `200`},
	{"emoji-refused", `POST $events {"id":"event",$hour,"summary":"😀"}`, "code", `200`, `400`},
	{"if-match-list-refused", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"} # If-Match: "none", $etag`, "code", `200`, `412`},
	{"etag-missing", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"}`, "etag", `"\"3\""`, `null`},
	{"patch-changes-another", `POST $events {"id":"other",$hour}
		POST $events {"id":"event",$later}
		PATCH $event {"description":"D"}
		GET $events/other`, "description", `null`, `"D"`},
}
