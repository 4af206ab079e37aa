// The output of every program: the rules that an event breaks.
export const answer = (calrules) =>
  JSON.stringify(
    calrules
      .check({ op: "events.insert", dialect: "google", body: { start: { date: "2026-03-10" }, end: { date: "2026-03-09" } } })
      .findings.map(({ rule }) => rule),
  );
