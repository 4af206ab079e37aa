"""Runs the official Python client of Google Calendar against the emulator.

It ends with an AssertionError if an answer is not as expected.

    pip install google-api-python-client    # or apt install python3-googleapi
    python client.py http://127.0.0.1:8085/
"""

import json
import sys

import httplib2
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

root = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8085/"
service = build(
    "calendar",
    "v3",
    http=httplib2.Http(),
    discoveryServiceUrl=root + "discovery/v1/apis/{api}/{apiVersion}/rest",
    cache_discovery=False,
)
events = service.events()


def at(day, hour):
    return {"dateTime": f"2026-03-{day:02}T{hour:02}:00:00Z", "timeZone": "UTC"}


def refused(request, status, reason):
    """Check that the client reads a refusal."""
    try:
        request.execute()
    except HttpError as error:
        assert error.resp.status == status, error
        assert json.loads(error.content)["error"]["errors"][0]["reason"] == reason, error.content
        assert str(error)
        return
    raise AssertionError("not refused")


event = events.insert(calendarId="primary", body={"summary": "Review", "start": at(11, 9), "end": at(11, 10)}).execute()
assert event["status"] == "confirmed" and event["organizer"]["self"]
assert events.get(calendarId="primary", eventId=event["id"]).execute() == event

patched = events.patch(calendarId="primary", eventId=event["id"], body={"location": "Room 4"}).execute()
assert patched["summary"] == "Review" and patched["etag"] != event["etag"]
update = events.update(calendarId="primary", eventId=event["id"], body=patched)
update.headers["If-Match"] = event["etag"]
refused(update, 412, "conditionNotMet")

refused(events.insert(calendarId="primary", body={"start": at(11, 9), "end": at(11, 8)}), 400, "timeRangeEmpty")
refused(events.insert(calendarId="primary", body={"start": at(11, 9)}), 400, "required")
refused(events.get(calendarId="primary", eventId="nosuchevent"), 404, "notFound")

body = {"summary": "Standup", "start": at(9, 9), "end": at(9, 10), "recurrence": ["RRULE:FREQ=DAILY;COUNT=3"]}
series = events.insert(calendarId="primary", body=body).execute()
instances = events.instances(calendarId="primary", eventId=series["id"]).execute()["items"]
assert [i["start"]["dateTime"][:10] for i in instances] == ["2026-03-09", "2026-03-10", "2026-03-11"]

request, listed = events.list(calendarId="primary", maxResults=1), []
while request is not None:
    page = request.execute()
    listed += page["items"]
    request = events.list_next(request, page)
assert {i["id"] for i in listed} >= {event["id"], series["id"]}

events.delete(calendarId="primary", eventId=event["id"]).execute()
changes = events.list(calendarId="primary", syncToken=page["nextSyncToken"]).execute()
assert [(i["id"], i["status"]) for i in changes["items"]] == [(event["id"], "cancelled")]

answers = {}
batch = service.new_batch_http_request(callback=lambda i, answer, error: answers.update({i: answer or error}))
batch.add(events.get(calendarId="primary", eventId=series["id"]), request_id="series")
batch.add(events.get(calendarId="primary", eventId="nosuchevent"), request_id="none")
batch.execute()
assert answers["series"]["summary"] == "Standup" and answers["none"].resp.status == 404

team = service.calendars().insert(body={"summary": "Team"}).execute()
events.move(calendarId="primary", eventId=series["id"], destination=team["id"]).execute()
assert events.get(calendarId=team["id"], eventId=series["id"]).execute()["organizer"]["email"] == team["id"]
query = {"timeMin": "2026-03-09T00:00:00Z", "timeMax": "2026-03-10T00:00:00Z", "items": [{"id": team["id"]}]}
assert len(service.freebusy().query(body=query).execute()["calendars"][team["id"]]["busy"]) == 1
assert len(service.colors().get().execute()["event"]) == 11

# Every other operation.
body = {"iCalUID": "uid@example.com", "summary": "Imported", "start": at(12, 9), "end": at(12, 10)}
assert events.import_(calendarId="primary", body=body).execute()["iCalUID"] == "uid@example.com"
current = events.get(calendarId=team["id"], eventId=series["id"]).execute()
current["summary"] = "Daily"
update = events.update(calendarId=team["id"], eventId=series["id"], body=current)
update.headers["If-Match"] = current["etag"]
assert update.execute()["summary"] == "Daily"
assert events.quickAdd(calendarId="primary", text="Lunch").execute()["summary"] == "Lunch"
calendars, entries, acl = service.calendars(), service.calendarList(), service.acl()
assert calendars.patch(calendarId=team["id"], body={"description": "All of us"}).execute()["summary"] == "Team"
calendars.update(calendarId=team["id"], body={"summary": "Team", "timeZone": "Europe/Berlin"}).execute()
assert calendars.get(calendarId=team["id"]).execute()["timeZone"] == "Europe/Berlin"
refused(calendars.delete(calendarId="primary"), 400, "invalid")
assert entries.get(calendarId=team["id"]).execute()["accessRole"] == "owner"
assert entries.patch(calendarId=team["id"], body={"colorId": "9"}).execute()["colorId"] == "9"
assert entries.update(calendarId=team["id"], body={"hidden": True}).execute()["hidden"]
assert team["id"] not in {i["id"] for i in entries.list().execute()["items"]}
entries.delete(calendarId=team["id"]).execute()
entries.insert(body={"id": team["id"]}).execute()
rule = acl.insert(calendarId=team["id"], body={"role": "reader", "scope": {"type": "user", "value": "bob@example.com"}}).execute()
assert acl.patch(calendarId=team["id"], ruleId=rule["id"], body={"role": "writer"}).execute()["role"] == "writer"
assert acl.update(calendarId=team["id"], ruleId=rule["id"], body={"role": "reader", "scope": rule["scope"]}).execute()["role"] == "reader"
assert acl.get(calendarId=team["id"], ruleId=rule["id"]).execute()["role"] == "reader"
acl.delete(calendarId=team["id"], ruleId=rule["id"]).execute()
assert len(acl.list(calendarId=team["id"]).execute()["items"]) == 1
assert service.settings().get(setting="timezone").execute()["value"] == "UTC"
assert service.settings().list(maxResults=5).execute()["nextPageToken"]
watches = [
    lambda body: events.watch(calendarId="primary", body=body),
    lambda body: acl.watch(calendarId="primary", body=body),
    lambda body: entries.watch(body=body),
    lambda body: service.settings().watch(body=body),
]
for i, watch in enumerate(watches):
    channel = watch({"id": f"{event['id']}{i}", "type": "web_hook", "address": "https://hooks.example/"}).execute()
    service.channels().stop(body={"id": channel["id"], "resourceId": channel["resourceId"]}).execute()
calendars.transferOwnership(calendarId=team["id"], newDataOwner="ada@example.com", useAdminAccess=True).execute()
assert calendars.get(calendarId=team["id"]).execute()["dataOwner"] == "ada@example.com"
calendars.clear(calendarId="primary").execute()
assert events.list(calendarId="primary").execute()["items"] == []
calendars.delete(calendarId=team["id"]).execute()
print("the client and the emulator agree")
