# A session with gcal from npm, which uses a client of 2017 and knows only the public service. It reports errors in its
# output alone.
set -eu
cat >"$HOME/client_secret.json" <<'JSON'
{"installed": {"client_id": "id", "client_secret": "secret", "redirect_uris": ["urn:ietf:wg:oauth:2.0:oob"]}}
JSON

g() {
	node clients/npm/node_modules/gcal/index.js "$@" >"$HOME/out" 2>&1
	cat "$HOME/out"
	! grep -q ERROR "$HOME/out" || exit 1
}
shows() { grep -q -- "$1" "$HOME/out" || { echo "the output lacks $1"; exit 1; }; }

g generateUrl
shows 'client_id=id'
g storeToken any-code
g insert --summary Dentist --date 2026-03-10 --time 09:00 --duration 2h
shows 'Dentist: 2026-03-10T09:00:00Z ~ 2026-03-10T11:00:00Z'
g insert --summary Holiday --date 2026-03-11
cat >"$HOME/events.json" <<'JSON'
[{"calendarId": "primary", "sendNotifications": true, "resource": {
	"summary": "Standup", "location": "Room 4", "colorId": "2", "attendees": [{"email": "ada@example.com"}],
	"start": {"dateTime": "2026-03-12T09:00:00", "timeZone": "Europe/Berlin"},
	"end": {"dateTime": "2026-03-12T09:15:00", "timeZone": "Europe/Berlin"},
	"recurrence": ["RRULE:FREQ=DAILY;COUNT=2"], "reminders": {"useDefault": false, "overrides": [{"method": "popup", "minutes": 10}]}
}}]
JSON
g bulk --events "$HOME/events.json"
shows 'Event inserted'
g list --from 2026-03-01 --to 2026-04-01 --show-id
for text in '2026-03-10 09:00 - Dentist' '2026-03-11 (All) - Holiday' '2026-03-12 08:00 - Standup' '2026-03-13 08:00 - Standup'; do shows "$text"; done
