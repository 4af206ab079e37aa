// What the types of the package accept and refuse, under strict options. It is compiled, not run.
import { load, CalrulesError, EventError, type CheckAnswer, type Difference, type Finding, type Rule } from "@calrules/calrules";

const calrules = await load(new URL("https://example.com/calrules.wasm"));

const answer: CheckAnswer = calrules.check({ id: { n: 1 }, op: "events.insert", params: { maxAttendees: "1" }, body: { summary: "a" } });
const first: Finding | undefined = answer.findings[0];
export const line: number | undefined = calrules.checkText("{}", { op: "response" }).findings[0]?.place?.line;
export const summary = calrules.merge({}, { summary: null }, { op: "update", dialect: "google" }).event?.["summary"];
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

// @ts-expect-error: an operation is required
calrules.check({ body: {} });
// @ts-expect-error: no such dialect
calrules.rules({ dialect: "latin" });
// @ts-expect-error: an event is an object
calrules.diff("a", {});
// @ts-expect-error: a finding may have no place
calrules.checkText("{}", { op: "response" }).findings[0].place.line;
