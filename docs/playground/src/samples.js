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
  dialect: "documents",
  check: { op: "events.insert", params: "sendUpdates=all", body: pretty(tooEarly), stored: pretty(stored) },
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
    event: pretty({
      summary: "Stand-up",
      start: { dateTime: "2026-03-02T09:15:00-05:00", timeZone: "America/New_York" },
      end: { dateTime: "2026-03-02T09:30:00-05:00", timeZone: "America/New_York" },
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
