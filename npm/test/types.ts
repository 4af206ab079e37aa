// Code that the types of the package must accept or refuse, under strict options. This file is compiled, but not run.
import type { calendar_v3 } from "@googleapis/calendar";
import {
  load,
  CalrulesError,
  EventError,
  type Answers,
  type CheckAnswer,
  type CheckRequest,
  type Difference,
  type Event,
  type EventInput,
  type Finding,
  type GoogleEvent,
  type Operation,
  type Rule,
  type RuleId,
} from "@calrules/calrules";

import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

const calrules = await load(new URL("https://example.com/calrules.wasm"));

const answer: CheckAnswer = calrules.check({ id: { n: 1 }, op: "events.insert", params: { maxAttendees: "1" }, body: { summary: "a" } });
const first: Finding | undefined = answer.findings[0];
export const line: number | undefined = calrules.checkText("{}", { op: "response" }).findings[0]?.place?.line;
export const summary: string | undefined = calrules.merge({}, { summary: null }, { op: "update", dialect: "google" }).event?.summary;
export const differences: Difference[] = calrules.diff({}, {});
export const rule: Rule = calrules.explain(first?.rule ?? "time.order");
export const count: number | undefined = calrules.expand({
  start: { date: "2026-03-10" },
  end: { date: "2026-03-11" },
  recurrence: ["RRULE:FREQ=DAILY"],
  ask: "count",
}).count;
export const anonymous = calrules.decide({ method: "GET", url: "/a.json", headers: [["Accept", "*/*"]] }).principal === "none";

try {
  calrules.makePatch({}, {});
} catch (error) {
  if (error instanceof EventError) {
    const findings: Finding[] = error.findings;
    console.log(findings);
  } else if (error instanceof CalrulesError) {
    const code: "load" | "request" | "event" | "unknown-rule" | "crash" = error.code;
    console.log(code);
  }
}

// An event from the official client is a valid input.
declare const official: calendar_v3.Schema$Event;
calrules.check({ op: "events.insert", dialect: "google", body: official });
calrules.check({ op: "events.patch", dialect: "google", body: { summary: "b" }, existing: official, series: official });
calrules.merge(official, { attendees: official.attendees ?? null }, { dialect: "google" });
calrules.diff(official, official, { dialect: "google" });
calrules.checkText("{}", { op: "events.patch", dialect: "google", existing: official });
export const input: EventInput<"google"> = official;

// A schema implements the interfaces in the standard, with the type of the dialect.
const schema: StandardSchemaV1<EventInput<"google">> & StandardJSONSchemaV1<EventInput<"google">> = calrules.schema({ dialect: "google" });
export const inferred: StandardSchemaV1.InferOutput<typeof schema> = { hangoutLink: "https://meet.example.com/a" };

// A caller's own interface, even with other members, and a read-only value are also valid inputs.
interface Meeting {
  readonly summary: string;
  readonly start: { readonly dateTime: string; readonly timeZone: string | undefined };
  readonly attendees: readonly { readonly email: string; readonly note: string }[];
  readonly status: string;
  readonly room: number;
}
declare const meeting: Meeting;
calrules.check({ op: "events.insert", body: meeting });
calrules.makePatch(meeting, { ...meeting, summary: null, location: undefined });

// Unlisted strings compile, because the check refuses them.
calrules.check({ op: "events.insert", body: { status: "maybe", eventType: "fromGmail", attendees: [{ responseStatus: null }] } });

// Bodies and answers of other operations, and no body.
calrules.check({ op: "acl.insert", dialect: "google", body: { role: "reader", scope: { type: "default" } } });
declare const entry: calendar_v3.Schema$CalendarListEntry;
calrules.check({ op: "calendarList.update", dialect: "google", body: entry, status: 200, answer: entry });
declare const list: Answers["calendarList.list"];
export const roles: (string | undefined)[] = (list.items ?? []).map(({ accessRole }) => accessRole);
calrules.check({ op: "calendarList.list", dialect: "google", status: 200, answer: list });
calrules.check({ op: "acl.insert", body: { rolle: "reader" } }); // the documents do not describe this body
// @ts-expect-error: a misspelt member
calrules.check({ op: "acl.insert", dialect: "google", body: { rolle: "reader" } });
// @ts-expect-error: a misspelt member of a member
calrules.check({ op: "calendars.patch", dialect: "google", body: { labelProperties: { eventLabel: [] } } });
calrules.check({ op: "events.list", params: { singleEvents: "true", eventTypes: ["default"] } });
declare const operation: Operation;
declare const dialect: "documents" | "google";
const request: CheckRequest = { op: operation, dialect, body: official };
export const either: Event | GoogleEvent | undefined = calrules.check(request).event;

// A returned event can be sent.
const stored = calrules.check({ op: "events.insert", dialect: "google", body: official }).stored;
export const link: string | undefined = stored?.hangoutLink;
calrules.merge(stored ?? {}, calrules.makePatch(official, {}, { dialect: "google" }).patch, { dialect: "google" });

// Series and their exceptions also have the names of the dialect.
calrules.expand({ start: official.start ?? {}, end: official.end ?? {}, recurrence: [], exceptions: [official], dialect: "google" });
const made = calrules.make({ verb: "split", with: { at: "2026-03-10" }, series: official, exceptions: [official], dialect: "google" });
export const madeLink: string | undefined = made.after?.event.hangoutLink;
calrules.make({ verb: "set-color", with: { color: "tomato" }, existing: official, dialect: "google" });
// @ts-expect-error: a name of the other dialect
calrules.make({ verb: "count", series: { videoLink: "https://example.com" }, dialect: "google" });
// @ts-expect-error: a name of the other dialect
calrules.make({ verb: "count", series: { hangoutLink: "https://example.com" } });

// Results have only listed values.
export function busy(event: Event): boolean {
  switch (event.transparency ?? "opaque") {
    case "opaque":
      return true;
    case "transparent":
      return false;
  }
}
const known: RuleId = "time.order";
calrules.check({ op: "events.get", grade: { [known]: "off", "basis:observed": "advise", "reminders.": "off" } });

// The sample in the README.
declare function read(): Promise<calendar_v3.Schema$Event>;
export async function sample(): Promise<void> {
  const event: calendar_v3.Schema$Event = await read();
  const { stored } = calrules.check({ op: "events.insert", dialect: "google", body: event });
  stored?.hangoutLink; // string | undefined
}

declare const address: string;
export async function toggle(): Promise<void> {
  const { items = [] } = (await (await fetch(address)).json()) as Answers["calendarList.list"];
  calrules.check({ op: "calendarList.patch", dialect: "google", body: { hidden: !items[0]?.hidden } });
}

// @ts-expect-error: an operation is required
calrules.check({ body: {} });
// @ts-expect-error: no such operation
calrules.check({ op: "events.inser" });
// @ts-expect-error: no such operation
calrules.checkText("{}", { op: "event.insert" });
// @ts-expect-error: no such dialect
calrules.rules({ dialect: "latin" });
// @ts-expect-error: no such rule
calrules.explain("time.ordre");
// @ts-expect-error: no such rule
calrules.check({ op: "events.get", grade: { "time.ordre": "off" } });
// @ts-expect-error: no finding has this rule
export const none = answer.findings.filter((finding) => finding.rule === "time.ordre");
// @ts-expect-error: an event is an object
calrules.diff("a", {});
// @ts-expect-error: a finding may have no place
calrules.checkText("{}", { op: "response" }).findings[0].place.line;
// @ts-expect-error: a misspelt member
calrules.check({ op: "events.insert", body: { sumary: "a" } });
// @ts-expect-error: a misspelt member of a member
calrules.check({ op: "events.insert", body: { start: { datetime: "2026-03-10T09:00:00Z" } } });
// @ts-expect-error: a misspelt member of an element
calrules.merge({}, { attendees: [{ mail: "ada@example.com" }] });
// @ts-expect-error: a misspelt member of a stored event
calrules.check({ op: "events.patch", body: {}, existing: { locations: "a" } });
// @ts-expect-error: a name of the other dialect
calrules.check({ op: "events.insert", body: { hangoutLink: "https://example.com" } });
// @ts-expect-error: a name of the other dialect
calrules.check({ op: "events.insert", dialect: "google", body: { videoLink: "https://example.com" } });
// @ts-expect-error: a wrong type
calrules.check({ op: "events.insert", body: { summary: 1 } });
// @ts-expect-error: a wrong type in an interface
calrules.check({ op: "events.insert", body: { ...meeting, start: "2026-03-10" } });
// @ts-expect-error: a date of JavaScript in an interface
calrules.check({ op: "events.insert", body: { ...meeting, start: { dateTime: new Date() } } });
// @ts-expect-error: no status has this value
export const maybe = calrules.check({ op: "events.get" }).event?.status === "maybe";
// @ts-expect-error: a misspelt member of a result
export const title = calrules.check({ op: "events.get" }).event?.title;
