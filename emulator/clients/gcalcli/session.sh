# A session with gcalcli, which knows only the public service. It fails if an answer is not what the session has stored.
set -eu
cd "$HOME"

g() {
	gcalcli --nocolor --nocache --client-id=id --client-secret=secret "$@" >out 2>&1 || { cat out; exit 1; }
	cat out
}
shows() { grep -q -- "$1" out || { echo "the output lacks $1"; exit 1; }; }
hides() { ! grep -q -- "$1" out || { echo "the output has $1"; exit 1; }; }

echo any-code >code
g --noauth_local_webserver list <code
shows 'owner *user@example.com'

c=--calendar=user@example.com
g $c add --title Dentist --where 'Room 4' --when '2026-03-10 09:00' --duration 60 --description 'Bring the card' --who ada@example.com --reminder '10m popup' --color grape --noprompt
g $c add --title Holiday --when 2026-03-11 --allday --duration 2 --noprompt
g $c quick 'Call Grace' --reminder 5m
cat >meeting.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example.com//test//EN
BEGIN:VEVENT
UID:meeting@example.com
DTSTAMP:20260301T000000Z
DTSTART:20260312T140000Z
DTEND:20260312T150000Z
SUMMARY:Imported
RRULE:FREQ=DAILY;COUNT=2
END:VEVENT
END:VCALENDAR
ICS
g $c import meeting.ics
g $c agenda --details all 2026-03-01 2026-04-01
for text in Dentist 'Room 4' 'ada@example.com' Holiday Imported; do shows "$text"; done
g $c calm 2026-03-01
shows Dentist
g $c search Dentist 2026-03-01
shows Dentist
g $c --refresh updates 2026-01-01T00:00:00 2026-03-01 2026-04-01
shows Dentist
g $c conflicts Dentist 2026-03-01 2026-04-01
g $c edit Dentist 2026-03-01 2026-04-01 <<'ANSWERS'
t
Dentist moved
w
2026-03-10 10:00
s
ANSWERS
g $c agenda 2026-03-01 2026-04-01
shows 'Dentist moved'
g $c delete --iamaexpert 'Dentist moved' 2026-03-01 2026-04-01
g $c agenda 2026-03-01 2026-04-01
hides Dentist
