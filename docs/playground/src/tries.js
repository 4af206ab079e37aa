// What the page shows to try a request of a rule.
const pretty = (value) => JSON.stringify(value, null, 2);

/** Returns the state of the page with a request to check, to expand or to the database. */
export function stateOf(request) {
  if (request.op !== undefined) {
    return checkState(request);
  }
  if (request.start !== undefined) {
    const { start, end, recurrence } = request;
    const month = (start.date ?? start.dateTime).slice(0, 7);
    return { mode: "series", dialect: "google", series: { month, event: pretty({ start, end, recurrence }) } };
  }
  return { mode: "database", dialect: "google", database: { request: pretty(request) } };
}

function checkState({ op, params = {}, body, bodyText, existing, dialect = "google", id: _id, ...facts }) {
  const query = new URLSearchParams(Object.entries(params).flatMap(([name, value]) => [value].flat().map((one) => [name, one])));
  return {
    mode: "check",
    dialect,
    check: {
      op,
      params: query.toString(),
      body: bodyText ?? (body === undefined ? "" : pretty(body)),
      stored: existing === undefined ? "" : pretty(existing),
      facts: Object.keys(facts).length > 0 ? pretty(facts) : "",
    },
  };
}
