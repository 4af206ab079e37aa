import assert from "node:assert/strict";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../dist/index.js";
import { launch, serve } from "./chromium.js";

const requests = [
  { op: "events.insert", body: { start: { date: "2026-03-10" }, end: { date: "2026-03-09" }, summary: "a 😀" } },
  { op: "events.patch", existing: { id: "abcde", summary: "a" }, body: { summary: "b" } },
  { op: "events.fly" },
];

test("Chromium gives the same answers as Node", async () => {
  const server = await serve(fileURLToPath(new URL("../dist", import.meta.url)));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.address}index.js`); // any page on the server
    const lines = requests.map((request) => JSON.stringify(request));
    const got = await page.evaluate(
      async ([address, all]) => {
        const { load } = await import(`${address}index.js`);
        const calrules = await load();
        return all.map((line) => calrules.line("check", line));
      },
      [server.address, lines],
    );
    const calrules = await load();
    assert.deepEqual(got, lines.map((line) => calrules.line("check", line)));
  } finally {
    await browser.close();
    server.close();
  }
});

test("Chromium starts a new instance after a crash, though not on the thread of the page at once", async () => {
  const server = await serve(fileURLToPath(new URL("../dist", import.meta.url)));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.address}index.js`);
    const codes = await page.evaluate(async (address) => {
      const { load } = await import(`${address}index.js`);
      const calrules = await load();
      const { exports } = calrules.machine;
      calrules.machine.exports = { ...exports, rules: () => exports.input(-1) };
      const code = () => {
        try {
          calrules.rules();
          return "answered";
        } catch (error) {
          return error.code;
        }
      };
      const first = [code(), code()];
      for (const begin = Date.now(); !calrules.machine && Date.now() - begin < 20_000; ) {
        await new Promise((done) => setTimeout(done, 10));
      }
      return [...first, code()];
    }, server.address);
    assert.deepEqual(codes, ["crash", "crash", "answered"]);
  } finally {
    await browser.close();
    server.close();
  }
});
