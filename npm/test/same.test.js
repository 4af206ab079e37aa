// The module and the command give the same answers, byte for byte.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "../dist/index.js";
import { lines, withCommand } from "./command.js";

// CALRULES_TEST_LINES=20000 compares the number of lines that a release requires.
const count = process.env["CALRULES_TEST_LINES"] ?? "1000";

/** Returns requests to expand the series in a list of requests to check, both with and without a window. */
function expansions(requests) {
  return requests.flatMap((line) => {
    const { id, body } = JSON.parse(line);
    if (!body?.recurrence) {
      return [];
    }
    const { start, end, recurrence } = body;
    const series = { id: id.n, start, end, recurrence, limit: 20 };
    const month = { from: "2026-03-01", to: "2026-04-01", window: "overlap" };
    return [series, { ...series, ...month }, { ...series, ask: "next", at: "2026-03-10" }].map((r) => JSON.stringify(r));
  });
}

/**
 * Returns requests whose body or stored event is an array with the given number of levels, or ends before the levels are
 * closed.
 */
function deep(levels) {
  const [open, close] = ["[".repeat(levels), "]".repeat(levels)];
  return [
    `{"op":"events.insert","body":{"x":${open}${close}}}`,
    `{"op":"events.patch","body":{},"existing":{"x":${open}${close}}}`,
    `{"op":"events.insert","body":{"x":${open}`,
  ];
}

test("the module answers as the command does", async (t) => {
  const calrules = await load();
  await withCommand(async (program) => {
    const compare = async (stream, name, requests) =>
      await t.test(`${requests.length} lines of ${name}`, () => {
        assert.ok(requests.length > 0);
        const want = lines(program, [name, "--ndjson"], `${requests.join("\n")}\n`);
        assert.equal(want.length, requests.length);
        requests.forEach((line, i) => assert.equal(calrules.line(stream, line), want[i], line));
      });
    const requests = lines(program, ["fuzz", "-n", count, "--seed", "7"]);
    await compare("check", "check", requests);
    await compare("check", "check", lines(program, ["--dialect", "google", "fuzz", "-n", "200", "--seed", "3"]));
    await compare("expand", "expand", expansions(requests));
    await compare("decide", "rtdb", lines(program, ["fuzz", "--op", "rtdb", "-n", count, "--seed", "7"]));
    await compare("check", "check", ["{", "[]", '{"op":"events.fly"}', '{"op":"events.insert","opp":1}', '{"id":7}']);
    // The stack of the host is small.
    await compare("check", "check", [100, 5_000, 9_900, 20_000].flatMap(deep));
    await t.test("the rules", () => {
      const rules = JSON.parse(lines(program, ["rules", "--format", "json"]).join("\n"));
      assert.deepEqual(calrules.rules(), rules);
    });
  });
});
