import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { Calrules, CalrulesError, CrashError, EventError, LoadError, RequestError, UnknownRuleError, load } from "../dist/index.js";

const calrules = await load();
const start = { dateTime: "2026-03-10T09:00:00-04:00", timeZone: "America/New_York" };
const end = { dateTime: "2026-03-10T10:00:00-04:00", timeZone: "America/New_York" };

/** Calls a function that must throw an error of the class, and returns the error. */
function thrown(use, type) {
  try {
    use();
  } catch (error) {
    assert.ok(error instanceof type, `${error} is no ${type.name}`);
    assert.ok(error instanceof CalrulesError);
    assert.equal(error.name, type.name);
    return error;
  }
  assert.fail("nothing was thrown");
}

test("the licenses of what the module links are beside it", async () => {
  const licenses = await readFile(new URL("../dist/LICENSES.txt", import.meta.url), "utf8");
  for (const name of ["Go", "Unicode CLDR", "github.com/calrules/calrules"]) {
    assert.match(licenses, new RegExp(`^${name}\n\n.*(?:License|Copyright)`, "im"));
  }
});

test("check", () => {
  const good = calrules.check({ id: 1, op: "events.insert", body: { id: "abcde", start, end } });
  assert.equal(good.id, 1);
  assert.equal(good.accepted, true);
  assert.equal(good.event.status, "confirmed");
  const bad = calrules.check({ op: "events.insert", body: { start, end, status: "confirmd" } });
  assert.equal(bad.accepted, false);
  assert.deepEqual(bad.findings.map(({ rule, kind, path }) => ({ rule, kind, path })), [
    { rule: "event.status.enum", kind: "reject", path: "/status" },
  ]);
  assert.equal(thrown(() => calrules.check({ op: "events.fly" }), RequestError).code, "request");
});

test("checkText says where the findings are", () => {
  const text = '{"summary":"a 😀",\n "status":"confirmd","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}';
  const { findings } = calrules.checkText(text, { op: "events.insert" });
  assert.equal(findings.length, 1);
  assert.deepEqual(findings[0].place, { line: 2, column: 11, offset: text.indexOf('"confirmd"') });
  assert.deepEqual(findings[0].fix, [{ op: "replace", path: "/body/status", value: "confirmed" }]);
  const cut = calrules.checkText('{"start":', { op: "events.insert" });
  assert.equal(cut.findings[0].place.line, 1);
  const query = calrules.checkText('{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}', {
    op: "events.insert",
    params: { maxAttendees: "none" },
  });
  assert.equal(query.findings[0].path, "?maxAttendees");
  assert.equal(query.findings[0].place, undefined);
  thrown(() => calrules.checkText("{}", { op: "events.fly" }), RequestError);
});

test("fix makes what is safe, all, what leaves nothing to refuse, or the fix of a finding", () => {
  const bodyText = '{"summary":"a \\u00e9",  "status":"Confirmed","visibility":"pubic",\n"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}';
  const request = { op: "events.insert", bodyText, params: { sendUpdates: "All" } };
  const safe = calrules.fix(request);
  assert.deepEqual(safe.made.map(({ rule, fixIs }) => [rule, fixIs]), [["insert.param.send-updates", "safe"], ["event.status.enum", "safe"]]);
  assert.deepEqual(safe.request, { ...request, bodyText: bodyText.replace("Confirmed", "confirmed"), params: { sendUpdates: "all" } });
  const all = calrules.fix({ op: "events.insert", body: JSON.parse(bodyText) }, "all");
  assert.deepEqual(all.request, { op: "events.insert", body: { summary: "a é", status: "confirmed", visibility: "public", start: { date: "2026-03-10" }, end: { date: "2026-03-11" } } });
  const best = calrules.fix({ op: "events.insert", body: { location: "here", visibility: "team", start, end } }, "best");
  assert.deepEqual(best.request.body, { location: "here", start, end });
  const [, , finding] = calrules.check(request).findings;
  assert.equal(finding.rule, "event.visibility.enum");
  assert.equal(calrules.fix(request, finding).request.bodyText, bodyText.replace("pubic", "public"));
  thrown(() => calrules.fix({ op: "events.get" }, finding), RequestError);
  thrown(() => calrules.fix(request, { ...finding, fix: undefined }), RequestError);
  thrown(() => calrules.fix(request, "some"), RequestError);
});

test("merge", () => {
  const stored = { id: "abcde", summary: "One", location: "Here", start, end };
  const { accepted, event } = calrules.merge(stored, { summary: "Two", location: null });
  assert.equal(accepted, true);
  assert.equal(event.summary, "Two");
  assert.equal("location" in event, false);
  const updated = calrules.merge(stored, { start, end }, { op: "update" });
  assert.equal("summary" in updated.event, false);
  const exact = { ...stored, start: { dateTime: "2026-03-10T09:00:00.5Z" }, end: { dateTime: "2026-03-10T10:00:00.5Z" } };
  const merged = calrules.merge(exact, { summary: "Two" }, { dialect: "google" }); // the service returns times without fractions
  assert.deepEqual([merged.event.start, "stored" in merged], [exact.start, false]);
  assert.equal(calrules.merge(stored, { end: start, start: end }).event, undefined);
});

test("makePatch and diff", () => {
  const stored = { id: "abcde", summary: "One", location: "Here", start, end };
  const next = { id: "abcde", summary: "Two", start, end };
  assert.deepEqual(calrules.makePatch(stored, next), { patch: { summary: "Two", location: null }, remain: [] });
  assert.deepEqual(calrules.diff(stored, next), [
    { path: "/summary", old: "One", new: "Two" },
    { path: "/location", old: "Here" },
  ]);
  assert.deepEqual(calrules.makePatch({ summary: "One", hangoutLink: "https://a.example" }, {}, { dialect: "google" }), {
    patch: { summary: null },
    remain: [{ path: "/hangoutLink", old: "https://a.example" }],
  });
  const error = thrown(() => calrules.diff({ summary: 1 }, next), EventError);
  assert.equal(error.findings[0].path, "/summary");
  thrown(() => calrules.makePatch(stored, next, { dialect: "latin" }), RequestError);
});

test("expand", () => {
  const series = { start, end, recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] };
  assert.deepEqual(
    calrules.expand(series).instances.map((i) => i.start.dateTime.slice(0, 10)),
    ["2026-03-10", "2026-03-11", "2026-03-12"],
  );
  assert.equal(calrules.expand({ ...series, ask: "count" }).count, 3);
  assert.ok(calrules.expand({ ...series, recurrence: ["RRULE:FREQ=DAILY;COUNT=0"] }).findings.length > 0);
  assert.deepEqual(calrules.make({ verb: "count", series }), { count: 3 });
  thrown(() => calrules.make({ verb: "canel", series }), RequestError);
  assert.deepEqual(calrules.make({ verb: "set-color", with: { color: "tomato" }, existing: { id: "meeting1", start, end } }), {
    requests: [{ op: "events.patch", params: { eventId: "meeting1" }, body: { colorId: "11" } }],
  });
  thrown(() => calrules.make({ verb: "set-color", with: { color: "beige" }, existing: { id: "meeting1" } }), RequestError);
  thrown(() => calrules.expand({ start, end, recurrence: [] }), RequestError);
});

test("schema is a Standard Schema of a body", async () => {
  const { validate, jsonSchema, version, vendor } = calrules.schema({ dialect: "google", params: { supportsAttachments: "true" } })["~standard"];
  assert.deepEqual([version, vendor], [1, "calrules"]);
  const good = { start, end, hangoutLink: "https://meet.example.com/a" };
  assert.equal(validate(good).value, good);
  const bad = { start, end: { date: "2026-03-10" }, attendees: [{ email: "ada" }, { displayName: "Bob" }], extendedProperties: { private: { "a/b": 5, "~1": 5 } } };
  const { issues } = validate(bad);
  assert.deepEqual(issues.map(({ path }) => path), [["end", "date"], ["attendees", 0, "email"], ["attendees", 1, "email"], ["extendedProperties", "private", "a/b"], ["extendedProperties", "private", "~1"]]);
  assert.deepEqual(validate({ start: { date: "2026-03-10", ...start }, end }).issues[0].path, ["start", "dateTime"]);
  assert.match(issues[1].message, /has no @/);
  for (const value of [undefined, null, 5, "text", [], { start() {} }, { start: 5n }]) {
    assert.equal(validate(value).issues.length > 0, true, String(value));
  }
  assert.deepEqual(calrules.schema({ op: "events.patch", existing: { start, end } })["~standard"].validate({ end: { dateTime: "2000-01-01T00:00:00Z" } }).issues[0].path, ["end", "dateTime"]);
  thrown(() => calrules.schema({ op: "events.fly" }), RequestError);
  thrown(() => calrules.schema({ dialect: "english" }), RequestError);

  const newest = jsonSchema.input({ target: "draft-2020-12" });
  assert.equal(newest.$schema, "https://json-schema.org/draft/2020-12/schema");
  assert.ok(newest.$defs.Event.properties.hangoutLink);
  const draft7 = jsonSchema.output({ target: "draft-07" });
  assert.equal(draft7.definitions.Event.properties.hangoutLink.type[0], "string");
  assert.equal(JSON.stringify(draft7).includes("$defs"), false);
  thrown(() => jsonSchema.input({ target: "openapi-3.0" }), RequestError);
  // A draft 7 validator accepts the schema.
  const { default: Ajv } = await import("ajv");
  const valid = new Ajv({ strict: false }).compile(draft7);
  assert.equal(valid(good), true);
  assert.equal(valid({ ...good, attendees: [{}] }), false);
});

test("verbs", () => {
  const verbs = calrules.verbs();
  assert.deepEqual(verbs.find(({ name }) => name === "reclock"), {
    name: "reclock",
    sentence: "the series in another zone, at the same local times",
    isIntent: false,
    alone: false,
    arguments: [{ name: "zone", kind: "zone", usage: "an IANA time `zone`", required: true, many: false }],
  });
  for (const { name } of verbs) { // no verb is unknown
    assert.doesNotMatch(thrown(() => calrules.make({ verb: name, with: { from: 1 } }), RequestError).message, /is not a verb/);
  }
});

test("decide", () => {
  const known = { tok: { kind: "id_token", verified: true, expired: false, audience: "this_project", uid: "jill" } };
  const decision = calrules.decide({ method: "GET", url: "/a.json?auth=tok", known });
  assert.equal(decision.principal, "user");
  assert.equal(decision.subject, "jill");
  assert.equal(decision.rules, "apply");
  const error = thrown(() => calrules.decide({ method: 1, url: "/a.json?auth=secret" }), RequestError);
  assert.equal(error.message.includes("secret"), false);
});

test("explain and rules", () => {
  const rule = calrules.explain("time.order");
  assert.equal(rule.kind, "reject");
  assert.ok(calrules.rules().some(({ id }) => id === rule.id));
  assert.equal(calrules.rules({ id: rule.id }).length, calrules.rules().length); // id is not an option
  assert.equal(thrown(() => calrules.explain("time.ordr"), UnknownRuleError).suggestion, "time.order");
});

test("the examples of every rule show it", () => {
  const finds = (request, id) => {
    const { findings, answerFindings = [] } = calrules.check(request);
    return [...findings, ...answerFindings].some(({ rule }) => rule === id);
  };
  for (const { id, kind, bad, good } of calrules.rules()) {
    if (kind === "reject" && bad.request?.op) {
      assert.ok(finds(bad.request, id), `the bad example of ${id}`);
      assert.ok(!finds(good.request, id), `the good example of ${id}`);
    }
  }
});

test("sources", async () => {
  const bytes = await readFile(new URL("../dist/calrules.wasm", import.meta.url));
  const sources = [bytes, await WebAssembly.compile(bytes), new URL("../dist/calrules.wasm", import.meta.url), "./calrules.wasm"];
  for (const source of sources) {
    assert.ok((await load(source)) instanceof Calrules);
  }
  await assert.rejects(load("./none.wasm"), LoadError);
  await assert.rejects(load(new Uint8Array([1, 2, 3])), (error) => error.code === "load" && error.cause instanceof Error);
});

test("a server that refuses the module is named with its status", async (t) => {
  t.mock.method(globalThis, "fetch", async () => new Response("", { status: 404, statusText: "Not Found" }));
  await assert.rejects(load("https://example.com/calrules.wasm"), /https:\/\/example\.com\/calrules\.wasm: 404 Not Found/);
});

/** An instance whose next check stops the module, as a bug in it would. */
async function failing() {
  const instance = await load();
  const { exports } = instance.machine;
  instance.machine.exports = { ...exports, check: () => exports.input(-1) };
  return instance;
}

test("after a crash, the next call starts a new instance", async () => {
  const instance = await failing();
  const request = { op: "events.get", existing: { id: "abcde", start, end } };
  const error = thrown(() => instance.check(request), CrashError);
  assert.match(error.message, /^the module stopped: panic: .* out of range/);
  assert.match(error.trace, /^panic: .* out of range\b.*\n\ngoroutine .*\n(.*\n)*main\.exportInput\(\)\n/);
  assert.deepEqual(instance.check(request), calrules.check(request));
});

// As in Chromium on the main thread of a page.
test("if no instance can start at once, one starts later, unless the object is disposed of", async (t) => {
  const request = { op: "events.get", existing: { id: "abcde", start, end } };
  const crashed = async () => {
    const instance = await failing();
    thrown(() => instance.check(request), CrashError);
    const refuse = t.mock.method(WebAssembly, "Instance", function () {
      throw new RangeError("the module is too large");
    });
    thrown(() => instance.check(request), CrashError);
    refuse.mock.restore();
    return instance;
  };
  const instance = await crashed();
  await instance.starting;
  const { machine } = instance;
  assert.deepEqual(instance.check(request), calrules.check(request));
  assert.equal(instance.machine, machine);
  const disposed = await crashed();
  disposed.dispose();
  await disposed.starting;
  assert.equal(disposed.machine, undefined);
});

test("a line may be a part of a buffer", () => {
  const line = JSON.stringify({ id: 1, op: "events.insert", body: { start, end } });
  const buffer = new TextEncoder().encode(`before ${line} after`);
  assert.equal(calrules.line("check", buffer.subarray(7, 7 + line.length)), calrules.line("check", line));
});

test("answers have the id of their request, and no other", () => {
  const request = { op: "events.insert", body: { start, end } };
  const series = { start, end, recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] };
  const database = { method: "GET", url: "/a.json" };
  const answers = (id) => [
    calrules.check({ ...request, ...id }),
    calrules.checkText("{}", { op: "events.insert", ...id }),
    calrules.expand({ ...series, ...id }),
    calrules.decide({ ...database, ...id }),
  ];
  assert.deepEqual(answers({}).map((answer) => "id" in answer), [false, false, false, false]);
  for (const id of [null, 0, { n: [1] }]) {
    assert.deepEqual(answers({ id }).map((answer) => answer.id), [id, id, id, id]);
  }
});
