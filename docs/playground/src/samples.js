// What the playground shows at first.
const pretty = (value) => JSON.stringify(value, null, 2);

const stored = {
  id: "q3planning", status: "confirmed", summary: "Planning", sequence: 1,
  start: { dateTime: "2026-03-10T09:00:00-04:00", timeZone: "America/New_York" },
  end: { dateTime: "2026-03-10T10:00:00-04:00", timeZone: "America/New_York" },
  attendees: [{ email: "ana@example.com", responseStatus: "accepted" }, { email: "ben@example.com" }],
  reminders: { useDefault: true },
};

const tooEarly = {
  summary: "Planning",
  status: "confirmd",
  start: { dateTime: "2026-03-10T09:00:00-04:00", timeZone: "America/New_York" },
  end: { dateTime: "2026-03-10T08:00:00-04:00", timeZone: "America/New_Yrok" },
  attendees: [{ email: "ana@example.com" }, { email: "ben at example.com" }],
  reminders: { useDefault: false, overrides: [{ method: "popup", minutes: 50000 }] },
  colour: "7",
};

export const samples = {
  mode: "check",
  dialect: "google",
  check: { op: "events.insert", params: "sendUpdates=all", body: pretty(tooEarly), stored: pretty(stored), facts: "" },
  patch: {
    stored: pretty(stored),
    next: pretty({
      ...stored,
      summary: "Planning, third quarter",
      end: { dateTime: "2026-03-10T10:30:00-04:00", timeZone: "America/New_York" },
      attendees: [...stored.attendees, { email: "cem@example.com", optional: true }],
      reminders: undefined,
    }),
  },
  series: {
    month: "2026-03",
    verb: "",
    with: "", // the arguments
    options: "",
    event: pretty({
      id: "standup",
      summary: "Stand-up",
      start: { dateTime: "2026-03-02T09:15:00-05:00", timeZone: "America/New_York" },
      end: { dateTime: "2026-03-02T09:30:00-05:00", timeZone: "America/New_York" },
      attendees: [{ email: "ana@example.com", self: true, responseStatus: "needsAction" }, { email: "ben@example.com" }],
      recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR", "EXDATE;TZID=America/New_York:20260313T091500", "RDATE;TZID=America/New_York:20260317T110000"],
    }),
  },
  database: {
    request: pretty({
      method: "GET",
      url: "/users/jill.json?auth=id-token-of-jill",
      headers: [["Accept", "application/json"]],
      known: {
        _now: 1773140000,
        "id-token-of-jill": { kind: "id_token", verified: true, exp: 1773143600, audience: "this_project", uid: "jill" },
      },
    }),
  },
};

const at = (dateTime) => ({ dateTime, timeZone: "America/New_York" });
const tuesday = { start: at("2026-03-10T09:00:00-04:00"), end: at("2026-03-10T10:00:00-04:00") };
const insert = (body, more) => ({ mode: "check", check: { op: "events.insert", params: "", facts: "", body: pretty(body), ...more } });

/** Examples to choose from. What they leave out is as in the samples. */
export const examples = {
  "An event with six mistakes": { mode: "check" },
  "A small event that is accepted": insert({ summary: "Stand-up", ...tuesday }),
  "A meeting with a video conference": insert(
    {
      summary: "Design review",
      ...tuesday,
      attendees: [{ email: "ana@example.com" }, { email: "ben@example.com", optional: true }],
      conferenceData: { createRequest: { requestId: "review-1", conferenceSolutionKey: { type: "hangoutsMeet" } } },
    },
    { params: "conferenceDataVersion=1&sendUpdates=all" },
  ),
  "A conference without conferenceDataVersion": insert({
    summary: "Design review",
    ...tuesday,
    conferenceData: { createRequest: { requestId: "review-1", conferenceSolutionKey: { type: "hangoutsMeet" } } },
  }),
  "UNTIL of another type than the start": insert({ summary: "Training", ...tuesday, recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20260630"] }),
  "An all-day event that ends on its last day": insert({ summary: "Conference", start: { date: "2026-03-10" }, end: { date: "2026-03-10" } }),
  "A service account that invites guests": insert(
    { summary: "Interview", ...tuesday, attendees: [{ email: "ana@example.com" }] },
    { facts: pretty({ caller: { serviceAccount: true, domainWideDelegation: false } }) },
  ),
  "A color that the calendar does not have": insert({ summary: "Gym", ...tuesday, colorId: "99" }, { facts: pretty({ calendar: { colors: ["1", "2", "3"] } }) }),
  "A patch of an event with guests": {
    mode: "check",
    check: { op: "events.patch", params: "", facts: "", body: pretty({ attendees: [{ email: "cem@example.com" }] }) },
  },
  "Two versions of an event": { mode: "patch" },
  "A series with an exception": { mode: "series" },
  "A series that is split": { mode: "series", series: { verb: "split", with: "at=2026-03-16T09:15" } },
  "An answer to an invitation": { mode: "series", series: { verb: "respond", with: "status=accepted" } },
  "A request to the Realtime Database": { mode: "database" },
};
