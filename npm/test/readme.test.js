import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const blocks = (language) => [...read("../README.md").matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map(([, code]) => code);

test("the JavaScript of the README runs", async (t) => {
  const printed = t.mock.method(console, "log", () => {});
  const samples = blocks("js");
  for (const code of samples) {
    const local = code.replace('"@calrules/calrules"', JSON.stringify(new URL("../dist/index.js", import.meta.url).href));
    await import(`data:text/javascript,${encodeURIComponent(local)}`);
  }
  const lines = printed.mock.calls.map(({ arguments: [line] }) => line);
  assert.deepEqual(lines, ["reject /end: The end 2026-03-09 is before the start 2026-03-10. Send an end after the start. [time.order]"]);
});

test("the TypeScript of the README is compiled", () => {
  const samples = blocks("ts");
  assert.ok(samples.length > 0);
  for (const code of samples) {
    assert.ok(read("types.ts").replaceAll("\n  ", "\n").includes(code), code);
  }
});
