// Any wrong argument causes a RequestError, and the instance still works afterwards.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { Calrules, CalrulesError, CrashError, LoadError, RequestError, load } from "../dist/index.js";

const runs = Number(process.env["CALRULES_TEST_RUNS"] ?? 2000);
const calrules = await load();
const day = { start: { date: "2026-03-10" }, end: { date: "2026-03-11" } };
const cycle = {};
cycle.self = cycle;
const throwing = (error) => ({
  get op() {
    throw error;
  },
});
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Values that JSON cannot represent, or that run the caller's code when they are read. */
const strange = [
  () => {},
  class {},
  Symbol("s"),
  10n,
  cycle,
  { body: { summary: 10n } },
  { op: "events.insert", body: { f() {} } },
  { op: "events.insert", body: [Symbol.iterator] },
  throwing(new Error("mine")),
  throwing(Object.create(null)),
  { toJSON: () => 10n },
];

/** Values that JSON.stringify changes. */
const changed = [
  Number.NaN,
  -Infinity,
  new Number(Number.NaN),
  new Date(Number.NaN),
  [undefined],
  new Array(1),
  new Map([["summary", "text"]]),
  Object.defineProperty(new Map(), Symbol.toStringTag, { value: "Object" }),
  Object.defineProperty(new Map(), Symbol.toStringTag, { value: "Array" }),
  new Set(),
  new Uint8Array(1),
  new ArrayBuffer(1),
  new URLSearchParams("maxResults=1"),
  new Headers(),
  /./,
  new Error("text"),
  Promise.resolve(),
];

test("what JSON does not have is refused, not changed", () => {
  for (const value of changed) {
    for (const request of [{ op: "events.insert", body: value }, { op: "events.insert", body: { summary: [value] } }, { op: "events.list", params: value }]) {
      assert.throws(() => calrules.check(request), RequestError, String(value));
    }
    if (typeof value === "object") {
      assert.throws(() => calrules.check(value), RequestError, String(value));
      assert.throws(() => calrules.rules(value), RequestError, String(value));
      assert.throws(() => calrules.fix({ op: "events.insert", body: day }, value), RequestError, String(value));
    }
  }
  assert.throws(() => calrules.check({ op: "events.insert", body: Number.NaN }), { message: 'the member "body" is NaN' });
  const same = { op: "events.insert", body: { ...day, summary: new String("text"), location: undefined, updated: new Date(0) } };
  assert.deepEqual(calrules.check(same), calrules.check({ ...same, body: { ...day, summary: "text", updated: "1970-01-01T00:00:00.000Z" } }));
});

test("a line with half of a surrogate pair is refused as its object is", () => {
  for (const summary of ["\ud800", "\udc00 and \ud83d\ude00", '\\"\ud800', "\\\\\udfff"]) {
    const request = { op: "events.insert", body: { ...day, summary } };
    const line = JSON.stringify(request).replaceAll(/\\u(d[89a-f]..)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    assert.ok(/\p{Surrogate}/u.test(line));
    const { id, ...answer } = JSON.parse(calrules.line("check", line));
    assert.deepEqual(answer, calrules.check(request));
    assert.equal(answer.accepted, false);
  }
  assert.match(calrules.line("check", '{"op":"events.insert","id":"\\\ud800"}'), /"error"/); // no escape
});

test("a method works without its object", () => {
  for (const name of Object.getOwnPropertyNames(Calrules.prototype)) {
    const method = calrules[name];
    try {
      if (!["constructor", "dispose"].includes(name)) {
        method();
      }
    } catch (error) {
      assert.ok(error instanceof CalrulesError, `${name}: ${error}`);
    }
  }
  const { check } = calrules;
  assert.equal(check({ op: "events.insert", body: day }).accepted, true);
});

test("a call at the end of the stack leaves no instance that has run half-way", async () => {
  const instance = await load();
  const request = { op: "events.insert", body: { id: "abcde", ...day } };
  const want = calrules.check(request);
  let frames = 0;
  let answers = 0;
  const others = [];
  const dive = () => {
    try {
      dive();
    } catch {}
    if (frames++ % 8 === 0 && answers < 3) {
      try {
        instance.check(request);
        answers++;
      } catch (error) {
        if (!(error instanceof RangeError || error instanceof CalrulesError)) {
          others.push(error);
        }
      }
    }
  };
  dive();
  assert.deepEqual(others, []);
  assert.equal(answers, 3);
  assert.deepEqual(instance.check(request), want);
});

test("dispose gives the memory back", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const instance = await load();
  instance.check({ op: "events.insert", body: { ...day, summary: "x".repeat(1e7) } });
  const memory = new WeakRef(instance.machine.exports.memory);
  instance.dispose();
  instance.dispose();
  await new Promise((done) => setTimeout(done)); // a WeakRef keeps its object alive for one turn of the event loop
  collect();
  assert.equal(memory.deref(), undefined);
  assert.throws(() => instance.check({ op: "events.insert", body: day }), RequestError);
});

/** Requests of several lengths that are accepted, refused or malformed. */
const requestAt = (i) => [{ op: "events.insert", body: day }, { op: "events.insert", body: { summary: "x".repeat(i % 20_000), attendees: [{}, 1] } }, { op: i }][i % 3];

test("100,000 calls of one instance, with texts of 300 MB, take less memory than the texts", async () => {
  const instance = await load();
  for (let i = 0; i < 100_000; i++) {
    try {
      instance.check(requestAt(i));
    } catch (error) {
      assert.ok(error instanceof RequestError, String(error));
    }
  }
  const memory = instance.machine.exports.memory.buffer.byteLength;
  assert.ok(memory < 150e6, `${memory} bytes`); // usually 17 MB; on a busy machine, the garbage collector runs late
});

test("two workers use one compiled module at the same time", async () => {
  const module = new WebAssembly.Module(readFileSync(new URL("../dist/calrules.wasm", import.meta.url)));
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    const { load } = await import(workerData.library);
    const calrules = await load(workerData.module);
    parentPort.postMessage(workerData.lines.map((line) => calrules.line("check", line)));
  `;
  const lines = Array.from({ length: 300 }, (_, i) => JSON.stringify(requestAt(i)));
  const answers = () =>
    new Promise((resolve, reject) => {
      const library = new URL("../dist/index.js", import.meta.url).href;
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: { library, module, lines } });
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  const want = lines.map((line) => calrules.line("check", line));
  assert.deepEqual(await Promise.all([answers(), answers()]), [want, want]);
});

// Wrong arguments that are detected before the module is called.
const wrong = [undefined, null, true, 0, Number.NaN, "text", [], revoked(), ...strange];
const calls = {
  check: (value) => calrules.check(value),
  expand: (value) => calrules.expand(value),
  make: (value) => calrules.make(value),
  decide: (value) => calrules.decide(value),
  "checkText: options": (value) => calrules.checkText("{}", value),
  "merge: stored": (value) => calrules.merge(value, {}),
  "merge: change": (value) => calrules.merge({}, value),
  "makePatch: stored": (value) => calrules.makePatch(value, {}),
  "makePatch: next": (value) => calrules.makePatch({}, value),
  "diff: a": (value) => calrules.diff(value, {}),
  "diff: b": (value) => calrules.diff({}, value),
  "line: stream": (value) => calrules.line(value, "{}"),
};

for (const [name, call] of Object.entries(calls)) {
  test(`${name} refuses what is no request`, () => {
    for (const value of wrong) {
      assert.throws(() => call(value), CalrulesError, typeof value);
    }
    for (const value of [undefined, () => {}, cycle, 10n]) {
      assert.throws(() => call(value), RequestError, typeof value);
    }
  });
}

test("a missing or misnamed argument is a RequestError", () => {
  const mistakes = [
    () => calrules.check(),
    () => calrules.expand(),
    () => calrules.decide(),
    () => calrules.checkText(),
    () => calrules.checkText("{}"),
    () => calrules.merge(),
    () => calrules.merge({}, {}, { op: "insert" }),
    () => calrules.merge({}, {}, { op: Symbol("s") }),
    () => calrules.makePatch({}),
    () => calrules.diff({}, {}, null),
    () => calrules.explain(undefined),
    () => calrules.explain("time.order", { dialect: "latin" }),
    () => calrules.rules(null),
    () => calrules.line("check", undefined),
    () => calrules.line("check", {}),
    () => calrules.line("nosuch", "{}"),
  ];
  for (const mistake of mistakes) {
    assert.throws(mistake, (error) => error instanceof RequestError && error.code === "request", String(mistake));
  }
});

test("the module is not entered", async () => {
  const instance = await load();
  const entered = () => assert.fail("the module was entered");
  instance.machine.exports = Object.fromEntries(Object.keys(instance.machine.exports).map((name) => [name, entered]));
  for (const value of [undefined, null, 1, "text", [], ...strange.slice(0, 8)]) {
    assert.throws(() => instance.check(value), RequestError);
  }
  assert.throws(() => instance.line("nosuch", "{}"), RequestError);
  assert.throws(() => instance.line("check", undefined), RequestError);
  assert.throws(() => instance.explain(undefined), RequestError);
});

const aRevokedProxy = Symbol("a revoked proxy"); // a placeholder, since fast-check inspects each value

const anything = fc.oneof(
  fc.constantFrom(...strange, { toJSON: () => "text" }, { toJSON: () => undefined }, aRevokedProxy),
  fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  }),
);

/** An object with some members of requests, each with a correct or an arbitrary value. */
const almost = fc.record(
  {
    id: anything,
    op: fc.oneof(fc.constantFrom("events.insert", "events.patch", "response"), anything),
    body: fc.oneof(fc.constant(day), anything),
    bodyText: anything,
    existing: fc.oneof(fc.constant({ id: "abcde", ...day }), anything),
    params: anything,
    caller: anything,
    grade: anything,
    dialect: fc.oneof(fc.constantFrom("google", "documents"), anything),
    start: fc.oneof(fc.constant(day.start), anything),
    end: fc.oneof(fc.constant(day.end), anything),
    recurrence: fc.oneof(fc.constant(["RRULE:FREQ=DAILY"]), anything),
    limit: anything,
    method: anything,
    url: anything,
    headers: anything,
    known: anything,
  },
  { requiredKeys: [] },
);
const functions = ["check", "checkText", "merge", "makePatch", "diff", "expand", "make", "decide", "explain", "rules", "schema", "line", "fix", "verbs"];

test("a schema has an issue for every value that is no event, and throws no error", () => {
  const { validate, jsonSchema } = calrules.schema()["~standard"];
  const property = fc.property(anything, (value) => {
    assert.ok(validate(value === aRevokedProxy ? revoked() : value).issues.length > 0);
  });
  fc.assert(property, { numRuns: runs });
  for (const options of [undefined, null, 5, {}, { target: Symbol("s") }]) {
    assert.throws(() => jsonSchema.input(options), RequestError);
  }
});

test(`${runs} calls with random values throw no error but ours, and the instance lives`, () => {
  const known = { op: "events.insert", body: { id: "abcde", ...day } };
  const want = calrules.check(known);
  const { machine } = calrules;
  const value = fc.oneof(anything, almost);
  const property = fc.property(fc.constantFrom(...functions), fc.array(value, { maxLength: 3 }), (name, values) => {
    try {
      calrules[name](...values.map((value) => (value === aRevokedProxy ? revoked() : value)));
    } catch (error) {
      assert.ok(error instanceof CalrulesError, String(error));
      assert.ok(!(error instanceof CrashError), error.message);
    }
    assert.deepEqual(calrules.check(known), want);
  });
  fc.assert(property, { numRuns: runs });
  assert.equal(calrules.machine, machine);
});

// A source that pretends to be a module, and a source that throws a value without a text.
const falseModule = new Proxy({}, { getPrototypeOf: () => WebAssembly.Module.prototype });
const unreadable = new Proxy({}, {
  getPrototypeOf() {
    throw Object.create(null);
  },
});

test("load refuses what is no source", async () => {
  for (const value of [...wrong.slice(1), falseModule, unreadable, new Uint8Array(8), new URL("none:x"), "none.wasm", "none:x"]) {
    await assert.rejects(load(value), (error) => error instanceof LoadError && error.code === "load");
  }
});

test("load throws no error but ours for random values", async () => {
  // A string in the form of an address would be fetched.
  const source = fc.oneof(anything, almost).filter((value) => value !== undefined && !(typeof value === "string" && value.includes(":")));
  const property = fc.asyncProperty(source, (value) =>
    assert.rejects(load(value === aRevokedProxy ? revoked() : value), (error) => error instanceof LoadError),
  );
  await fc.assert(property, { numRuns: runs });
});
