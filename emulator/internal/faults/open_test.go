package faults_test

import (
	"fmt"
	"strings"
)

// openSessions show the faults that the judge's author may know.
var openSessions = []session{
	{"location-dropped", `POST $events {"id":"event",$hour,"location":"Room"}
		GET $event`, "location", `"Room"`, `null`},
	{"summary-cut", `POST $events {"id":"event",$hour,"summary":"` + strings.Repeat("é", 200) + `"}
		GET $event`, "summary", `"` + strings.Repeat("é", 200) + `"`, `"` + strings.Repeat("é", 127) + `"`},
	{"guests-after-first-dropped", `POST $events {"id":"event",$hour,$guests}
		GET $event`, "attendees.email", `["ada@example.com","bob@example.com"]`, `["ada@example.com"]`},
	{"private-properties-dropped", `POST $events {"id":"event",$hour,"extendedProperties":{"private":{"a":"1"},"shared":{"b":"2"}}}
		GET $event`, "extendedProperties", `{"private":{"a":"1"},"shared":{"b":"2"}}`, `{"shared":{"b":"2"}}`},
	{"comments-dropped", `POST $events {"id":"event",$hour,"attendees":[{"email":"ada@example.com","comment":"Late"}]}
		GET $event`, "attendees.comment", `["Late"]`, `[null]`},
	{"optional-dropped", `POST $events {"id":"event",$hour,"attendees":[{"email":"ada@example.com","optional":true}]}
		GET $event`, "attendees.optional", `[true]`, `[null]`},
	{"newlines-dropped", `POST $events {"id":"event",$hour,"description":"a\nb"}
		GET $event`, "description", `"a\nb"`, `"a b"`},
	{"not-ascii", `POST $events {"id":"event",$hour,"summary":"Café"}
		GET $event`, "summary", `"Café"`, `"Caf?"`},
	{"html-escaped", `POST $events {"id":"event",$hour,"summary":"Q&A"}
		GET $event`, "summary", `"Q\u0026A"`, `"Q\u0026amp;A"`},
	{"reminders-reset-by-patch", `POST $events {"id":"event",$hour,"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":5}]}}
		PATCH $event {"summary":"S"}
		GET $event`, "reminders.useDefault", `false`, `true`},
	{"update-merges", `POST $events {"id":"event",$hour,"location":"Room"}
		PUT $event {$hour,"summary":"S"}
		GET $event`, "location", `null`, `"Room"`},
	{"patch-replaces", `POST $events {"id":"event",$hour,"location":"Room"}
		PATCH $event {"summary":"S"}
		GET $event`, "location", `"Room"`, `null`},
	{"patch-appends", `POST $events {"id":"event",$hour,"attendees":[{"email":"ada@example.com"}]}
		PATCH $event {"attendees":[{"email":"bob@example.com"}]}
		GET $event`, "attendees.email", `["bob@example.com"]`, `["ada@example.com","bob@example.com"]`},
	{"null-ignored", `POST $events {"id":"event",$hour,"location":"Room"}
		PATCH $event {"location":null}
		GET $event`, "location", `null`, `"Room"`},
	{"empty-ignored", `POST $events {"id":"event",$hour,"location":"Room"}
		PATCH $event {"location":""}
		GET $event`, "location", `null`, `"Room"`},
	{"siblings-dropped", `POST $events {"id":"event",$hour,"extendedProperties":{"private":{"a":"1","b":"2"}}}
		PATCH $event {"extendedProperties":{"private":{"a":"3"}}}
		GET $event`, "extendedProperties.private", `{"a":"3","b":"2"}`, `{"a":"3"}`},
	{"recurrence-cut", `POST $events {"id":"event",$berlin,"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE:20360330T070000Z"]}
		GET $event`, "recurrence", `["RRULE:FREQ=DAILY;COUNT=3","EXDATE:20360330T070000Z"]`, `["RRULE:FREQ=DAILY;COUNT=3"]`},
	{"zone-replaced", `POST $events {"id":"event",$berlin}
		GET $event`, "start.timeZone", `"Europe/Berlin"`, `"UTC"`},
	{"seconds-dropped", `POST $events {"id":"event","start":{"dateTime":"2036-03-11T09:00:30Z"},"end":{"dateTime":"2036-03-11T10:00:00Z"}}
		GET $event`, "start.dateTime", `"2036-03-11T09:00:30Z"`, `"2036-03-11T09:00:00Z"`},
	{"offset-ignored", `POST $events {"id":"event",$berlin}
		GET $event`, "start.dateTime", `"2036-03-29T08:00:00Z"`, `"2036-03-29T09:00:00Z"`},
	{"all-day-longer", `POST $events {"id":"event",$day}
		GET $event`, "end.date", `"2036-03-12"`, `"2036-03-13"`},
	{"color-ignored", `POST $events {"id":"event",$hour,"colorId":"5"}
		GET $event`, "colorId", `"5"`, `null`},
	{"private-is-default", `POST $events {"id":"event",$hour,"visibility":"private"}
		GET $event`, "visibility", `"private"`, `null`},
	{"transparency-dropped", `POST $events {"id":"event",$hour,"transparency":"transparent"}
		GET $event`, "transparency", `"transparent"`, `null`},
	{"guests-flags-dropped", `POST $events {"id":"event",$hour,"guestsCanModify":true}
		GET $event`, "guestsCanModify", `true`, `null`},
	{"tentative-is-confirmed", `POST $events {"id":"event",$hour,"status":"tentative"}
		GET $event`, "status", `"tentative"`, `"confirmed"`},
	{"answers-reset", `POST $events {"id":"event",$hour,"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]}
		PATCH $event {"summary":"S"}
		GET $event`, "attendees.responseStatus", `["accepted"]`, `["needsAction"]`},
	{"sequence-stays", `POST $events {"id":"event",$hour}
		PATCH $event {$later}
		GET $event`, "sequence", `1`, `0`},
	{"updated-stays", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"}
		GET $events?updatedMin=2036-03-01T12:00:04Z`, "items.id", `["event"]`, `[]`},
	{"etag-stays", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"}
		PATCH $event {"summary":"T"} # If-Match: "2"`, "code", `412`, `200`},
	{"created-changes", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"}
		GET $event`, "created", `"2036-03-01T12:00:01.000Z"`, `"2036-03-01T12:00:05.000Z"`},
	{"uid-changes", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"}
		GET $event`, "iCalUID", `"event@calendar.example"`, `"xevent@calendar.example"`},
	{"import-loses-uid", `POST $events/import {"iCalUID":"uid@example.com",$hour}
		GET $events?iCalUID=uid@example.com`, "items.iCalUID", `["uid@example.com"]`, `[]`},
	{"attachments-lost", `POST $events?supportsAttachments=true {"id":"event",$hour,"attachments":[{"fileUrl":"https://files.example/a"}]}
		PUT $event {$hour,"attachments":[{"fileUrl":"https://files.example/a"}]}
		GET $event`, "attachments.fileUrl", `["https://files.example/a"]`, `null`},
	{"conference-lost", `POST $events?conferenceDataVersion=1 {"id":"event",$hour,"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"},"name":"A"},"entryPoints":[{"entryPointType":"video","uri":"https://a.example"}]}}
		PATCH $event {"summary":"S"}
		GET $event`, "conferenceData.entryPoints.uri", `["https://a.example"]`, `null`},
	{"organizer-taken", `POST $events {"id":"event",$hour,"organizer":{"email":"eve@example.com"}}
		GET $event`, "organizer.email", `"user@example.com"`, `"eve@example.com"`},
	{"id-ignored", `POST $events {"id":"event",$hour}
		GET $event`, "code", `200`, `404`},
	{"patch-forgotten", `POST $events {"id":"event",$hour,"summary":"S"}
		PATCH $event {"summary":"T"}
		GET $event`, "summary", `"T"`, `"S"`},
	{"patch-ignored", `POST $events {"id":"event",$hour,"summary":"S"}
		PATCH $event {"summary":"T"}`, "summary", `"T"`, `"S"`},
	{"delete-ignored", `POST $events {$series,"summary":"S"}
		PATCH $second {"summary":"T"}
		DELETE $events/series
		GET $events?singleEvents=true`, "items.summary", `[]`, `["S","T","S"]`},
	{"cancelled-instance-forgotten", `POST $events {$series}
		DELETE $second
		GET $events/series/instances`, "items.id", `["series_20360329T080000Z","series_20360331T070000Z"]`,
		`["series_20360329T080000Z","series_20360330T070000Z","series_20360331T070000Z"]`},
	{"delete-takes-series", `POST $events {$series}
		DELETE $second
		GET $events/series`, "status", `"confirmed"`, `"cancelled"`},
	{"move-leaves-source", `POST /calendars {"summary":"Other"}
		POST $events {"id":"event",$hour}
		POST $event/move?destination=$made
		GET $event`, "status", `"cancelled"`, `"confirmed"`},
	{"move-loses-event", `POST /calendars {"summary":"Other"}
		POST $events {"id":"event",$hour}
		POST $event/move?destination=$made
		GET /calendars/$made/events`, "items.id", `["event"]`, `[]`},

	{"list-stale", `POST $events {"id":"event",$hour,"summary":"S"}
		GET $events
		PATCH $event {"summary":"T"}
		GET $events`, "items.summary", `["T"]`, `["S"]`},
	{"list-short", `POST $events {"id":"event",$hour,"description":"D"}
		GET $events`, "items.description", `["D"]`, `[null]`},
	{"newest-missing", `POST $events {"id":"event",$hour}
		POST $events {"id":"other",$hour}
		GET $events`, "items.id", `["event","other"]`, `["event"]`},
	{"page-loses-item", `POST $events {$series}
		GET $events?singleEvents=true&maxResults=2
		GET $events?singleEvents=true&maxResults=2&pageToken=$page`, "items.id", `["series_20360331T070000Z"]`, `[]`},
	{"page-repeats-item", `POST $events {$series}
		GET $events?singleEvents=true&maxResults=2
		GET $events?singleEvents=true&maxResults=2&pageToken=$page`, "items.id", `["series_20360331T070000Z"]`, `["series_20360330T070000Z","series_20360331T070000Z"]`},
	{"page-token-ignored", `POST $events {$series}
		GET $events?singleEvents=true&maxResults=2
		GET $events?singleEvents=true&maxResults=2&pageToken=$page`, "items.id", `["series_20360331T070000Z"]`, `["series_20360329T080000Z","series_20360330T070000Z"]`},
	{"max-results-ignored", `POST $events {$series}
		GET $events?singleEvents=true&maxResults=1`, "items.id", `["series_20360329T080000Z"]`,
		`["series_20360329T080000Z","series_20360330T070000Z","series_20360331T070000Z"]`},
	{"sync-token-missing", `POST $events {"id":"event",$hour}
		GET $events
		GET $events?syncToken=$sync`, "items.id", `[]`, `["event"]`},
	{"sync-without-deletions", `POST $events {"id":"event",$hour}
		GET $events
		DELETE $event
		GET $events?syncToken=$sync`, "items.id", `["event"]`, `[]`},
	{"sync-misses-change", `GET $events
		POST $events {"id":"event",$hour}
		POST $events {"id":"other",$hour}
		GET $events?syncToken=$sync`, "items.id", `["event","other"]`, `["event"]`},
	{"sync-with-filter", `GET $events
		GET $events?syncToken=$sync&q=x`, "code", `400`, `200`},
	{"start-order-reversed", `POST $events {$series}
		GET $events?singleEvents=true&orderBy=startTime`, "items.id",
		`["series_20360329T080000Z","series_20360330T070000Z","series_20360331T070000Z"]`, `["series_20360331T070000Z","series_20360330T070000Z","series_20360329T080000Z"]`},
	{"single-events-ignored", `POST $events {$series}
		GET $events?singleEvents=true`, "items.id", `["series_20360329T080000Z","series_20360330T070000Z","series_20360331T070000Z"]`, `["series"]`},
	{"exceptions-missing", `POST $events {$series}
		PATCH $second {"summary":"T"}
		GET $events/series/instances`, "items.id",
		`["series_20360329T080000Z","series_20360330T070000Z","series_20360331T070000Z"]`, `["series_20360329T080000Z","series_20360331T070000Z"]`},
	{"exceptions-double", `POST $events {$series,"summary":"S"}
		PATCH $second {"summary":"T"}
		GET $events?singleEvents=true`, "items.summary", `["S","T","S"]`, `["S","T","S","S"]`},
	{"instances-in-utc", `POST $events {$series}
		GET $events/series/instances`, "items.start.dateTime",
		`["2036-03-29T08:00:00Z","2036-03-30T07:00:00Z","2036-03-31T07:00:00Z"]`, `["2036-03-29T08:00:00Z","2036-03-30T08:00:00Z","2036-03-31T08:00:00Z"]`},
	{"count-off-by-one", `POST $events {$series}
		GET $events/series/instances`, "items.id",
		`["series_20360329T080000Z","series_20360330T070000Z","series_20360331T070000Z"]`, `["series_20360329T080000Z","series_20360330T070000Z"]`},
	{"exdate-ignored", `POST $events {"id":"series",$berlin,"recurrence":["RRULE:FREQ=DAILY;COUNT=2","EXDATE:20360330T070000Z"]}
		GET $events/series/instances`, "items.id", `["series_20360329T080000Z"]`, `["series_20360329T080000Z","series_20360330T070000Z"]`},
	{"time-max-inclusive", `POST $events {"id":"event",$hour}
		GET $events?timeMax=2036-03-11T09:00:00Z`, "items.id", `[]`, `["event"]`},
	{"time-min-inclusive", `POST $events {"id":"event",$hour}
		GET $events?timeMin=2036-03-11T10:00:00Z`, "items.id", `[]`, `["event"]`},
	{"show-deleted-ignored", `POST $events {"id":"event",$hour}
		DELETE $event
		GET $events?showDeleted=true`, "items.id", `["event"]`, `[]`},
	{"deleted-listed", `POST $events {"id":"event",$hour}
		DELETE $event
		GET $events`, "items.id", `[]`, `["event"]`},
	{"deleted-not-found", `POST $events {"id":"event",$hour}
		DELETE $event
		GET $event`, "code", `200`, `404`},
	{"q-ignored", `POST $events {"id":"event",$hour,"summary":"S"}
		GET $events?q=other`, "items.id", `[]`, `["event"]`},
	{"uid-filter-ignored", `POST $events {"id":"event",$hour}
		GET $events?iCalUID=other@example.com`, "items.id", `[]`, `["event"]`},
	{"updated-min-ignored", `POST $events {"id":"event",$hour}
		GET $events?updatedMin=2036-03-02T00:00:00Z`, "items.id", `[]`, `["event"]`},
	{"property-filter-ignored", `POST $events {"id":"event",$hour}
		GET $events?privateExtendedProperty=a%3D1`, "items.id", `[]`, `["event"]`},
	{"max-attendees-ignored", `POST $events {"id":"event",$hour,$guests}
		GET $event?maxAttendees=1`, "attendeesOmitted", `true`, `null`},
	{"instance-ids-change", `POST $events {$series}
		GET $events/series/instances
		GET $events/series/instances?maxResults=1`, "items.id", `["series_20360329T080000Z"]`, `["series_20360329T080000Zv2"]`},
	{"original-start-missing", `POST $events {$series}
		GET $second`, "originalStartTime.timeZone", `"Europe/Berlin"`, `null`},

	{"end-before-start-accepted", `POST $events {"id":"event","start":{"dateTime":"2036-03-11T09:00:00Z"},"end":{"dateTime":"2036-03-11T08:00:00Z"}}`,
		"end.dateTime", `null`, `"2036-03-11T08:00:00Z"`},
	{"end-missing-accepted", `POST $events {"id":"event","start":{"dateTime":"2036-03-11T09:00:00Z"}}`, "end.dateTime", `null`, `"2036-03-11T10:00:00Z"`},
	{"zone-accepted", `POST $events {"id":"event",$hour,"start":{"dateTime":"2036-03-11T09:00:00Z","timeZone":"Mars/Base"},"end":{"dateTime":"2036-03-11T10:00:00Z"}}
		GET $event`, "start.timeZone", `null`, `"Mars/Base"`},
	{"six-overrides-accepted", `POST $events {"id":"event",$hour,"reminders":{"useDefault":false,"overrides":[` +
		strings.TrimSuffix(strings.Repeat(`{"method":"popup","minutes":5},`, 6), ",") + `]}}
		GET $event`, "reminders.overrides.minutes", `null`, `[5,5,5,5,5,5]`},
	{"default-with-overrides-accepted", `POST $events {"id":"event",$hour,"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":5}]}}
		GET $event`, "reminders.overrides.minutes", `null`, `[5]`},
	{"minutes-accepted", `POST $events {"id":"event",$hour,"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":50000}]}}
		GET $event`, "reminders.overrides.minutes", `null`, `[50000]`},
	{"email-accepted", `POST $events {"id":"event",$hour,"attendees":[{"email":"ada"}]}
		GET $event`, "attendees.email", `null`, `["ada"]`},
	{"status-accepted", `POST $events {"id":"event",$hour,"status":"busy"}
		GET $event`, "status", `null`, `"busy"`},
	{"uid-missing-accepted", `POST $events/import {$hour}`, "code", `400`, `200`},
	{"duplicate-id-overwrites", `POST $events {"id":"event",$hour,"summary":"S"}
		POST $events {"id":"event",$hour,"summary":"T"}
		GET $event`, "summary", `"S"`, `"T"`},
	{"if-match-ignored", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"} # If-Match: "none"`, "code", `412`, `200`},
	{"delete-twice-accepted", `POST $events {"id":"event",$hour}
		DELETE $event
		DELETE $event`, "code", `410`, `204`},
	{"delete-of-nothing-accepted", `DELETE $event`, "code", `404`, `204`},
	{"if-match-refused", `POST $events {"id":"event",$hour}
		PATCH $event {"summary":"S"} # If-Match: $etag`, "code", `200`, `412`},
	{"properties-refused", `POST $events {"id":"event",$hour,"extendedProperties":{"private":{` + properties(101) + `}}}`, "code", `200`, `400`},
	{"until-refused", `POST $events {"id":"event",$berlin,"recurrence":["RRULE:FREQ=DAILY;UNTIL=20360401T000000Z"]}`, "code", `200`, `400`},
	{"long-summary-refused", `POST $events {"id":"event",$hour,"summary":"` + strings.Repeat("s", 1000) + `"}`, "code", `200`, `400`},
	{"import-refused", `POST $events/import {"iCalUID":"uid@example.com",$hour}`, "code", `200`, `400`},
	{"tentative-refused", `POST $events {"id":"event",$hour,"status":"tentative"}`, "code", `200`, `400`},
	{"past-refused", `POST $events {"id":"event","start":{"date":"2020-01-01"},"end":{"date":"2020-01-02"}}`, "code", `200`, `400`},
	{"local-time-refused", `POST $events {"id":"event","start":{"dateTime":"2036-03-11T09:00:00","timeZone":"UTC"},"end":{"dateTime":"2036-03-11T10:00:00","timeZone":"UTC"}}`,
		"code", `200`, `400`},
	{"unknown-member-fails", `POST $events {"id":"event",$hour,"colour":"red"}`, "code", `200`, `500`},
	{"empty-answer", `POST $events {"id":"event",$hour}`, "id", `"event"`, `null`},
	{"error-without-object", `GET $event`, "error.code", `404`, `null`},
	{"type-html", `GET $events`, "type", `"application/json; charset=UTF-8"`, `"text/html; charset=utf-8"`},

	{"id-of-another", `POST $events {"id":"other",$hour}
		POST $events {"id":"event",$later}`, "id", `"event"`, `"other"`},
	{"delete-takes-another", `POST $events {"id":"other",$hour}
		POST $events {"id":"event",$later}
		DELETE $event
		GET $events`, "items.id", `["other"]`, `[]`},
	{"insert-finds-another", `POST $events {"id":"other",$hour,"summary":"S"}
		POST $events {"id":"event",$hour,"summary":"S"}`, "id", `"event"`, `"other"`},
}

// properties returns n members of a map of texts.
func properties(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"p%d":"v"`, i))
	}
	return strings.Join(all, ",")
}
