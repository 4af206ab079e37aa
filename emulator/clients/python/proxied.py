"""Calls the calendar service with the standard library alone, as a program does that knows nothing of calrules.

It runs behind `calrules proxy --connect`: its environment has HTTPS_PROXY and SSL_CERT_FILE. It ends with an
AssertionError if an answer is not as expected.
"""

import json
import urllib.error
import urllib.request

BASE = "https://www.googleapis.com/calendar/v3/calendars/primary/events"


def call(method, path="", body=None):
    request = urllib.request.Request(BASE + path, method=method, data=body and json.dumps(body).encode())
    request.add_header("Authorization", "Bearer python-secret")
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


start = {"dateTime": "2026-03-11T09:00:00Z"}
status, event = call("POST", body={"summary": "Review", "start": start, "end": {"dateTime": "2026-03-11T10:00:00Z"}})
assert status == 200 and event["summary"] == "Review", event

status, answer = call("PATCH", "/" + event["id"], {"end": {"dateTime": "2026-03-11T08:00:00Z"}})
assert status == 400 and answer["error"]["errors"][0]["reason"] == "timeRangeEmpty", answer

status, answer = call("POST", body={"start": start})
assert status == 400 and answer["error"]["errors"][0]["reason"] == "required", answer

status, page = call("GET", "?maxResults=10")
assert status == 200 and event["id"] in [e["id"] for e in page["items"]], page
print("ok")
