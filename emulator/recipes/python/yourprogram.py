"""Calls the public service with the official Python client and the default credentials of its machine.

It knows nothing of the emulator.
"""

import google.auth
from googleapiclient.discovery import build

credentials, _ = google.auth.default(scopes=["https://www.googleapis.com/auth/calendar"])
service = build("calendar", "v3", credentials=credentials, cache_discovery=False)
event = {
    "summary": "from Python",
    "start": {"dateTime": "2026-03-11T09:00:00Z"},
    "end": {"dateTime": "2026-03-11T10:00:00Z"},
}
event = service.events().insert(calendarId="primary", body=event).execute()
service.events().get(calendarId="primary", eventId=event["id"]).execute()
