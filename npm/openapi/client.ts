// Inserts, lists, patches and synchronizes events and queries free/busy information, with the client that openapi-typescript
// and openapi-fetch generate from the OpenAPI document. The argument is the address of the service.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./calendar.js";

const client = createClient<paths>({ baseUrl: process.argv[2]! });
const path = { calendarId: "primary" };

/** Returns the data in an answer that is not an error. */
async function ok<T>(answer: Promise<{ data?: T; error?: components["schemas"]["Error"]; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  assert.ok(data, `${response.status} ${JSON.stringify(error)}`);
  return data;
}

const inserted = await ok(
  client.POST("/calendars/{calendarId}/events", {
    params: { path },
    body: {
      summary: "Planning",
      start: { dateTime: "2026-03-10T09:00:00Z" },
      end: { dateTime: "2026-03-10T10:00:00Z" },
      attendees: [{ email: "ada@example.com" }],
    },
  }),
);
assert.equal(inserted.summary, "Planning");
const eventId = inserted.id!;

const list = await ok(
  client.GET("/calendars/{calendarId}/events", { params: { path, query: { timeMin: "2026-03-10T00:00:00Z", singleEvents: true } } }),
);
assert.deepEqual(list.items?.map((event) => event.id), [eventId]);
const full = await ok(client.GET("/calendars/{calendarId}/events", { params: { path } }));

const patched = await ok(
  client.PATCH("/calendars/{calendarId}/events/{eventId}", {
    params: { path: { ...path, eventId } },
    body: { location: "Room 4", attendees: null },
  }),
);
assert.equal(patched.location, "Room 4");
assert.equal(patched.attendees, undefined);

const changes = await ok(
  client.GET("/calendars/{calendarId}/events", { params: { path, query: { syncToken: full.nextSyncToken! } } }),
);
assert.deepEqual(changes.items?.map((event) => event.location), ["Room 4"]);

const times = await ok(
  client.POST("/freeBusy", { body: { timeMin: "2026-03-10T00:00:00Z", timeMax: "2026-03-11T00:00:00Z", items: [{ id: "primary" }] } }),
);
assert.deepEqual(times.calendars?.["primary"]?.busy, [{ start: "2026-03-10T09:00:00Z", end: "2026-03-10T10:00:00Z" }]);

const refused = await client.POST("/calendars/{calendarId}/events", {
  params: { path },
  body: { start: { date: "2026-03-10" }, end: { date: "2026-03-09" } },
});
assert.equal(refused.error?.error?.code, 400);
