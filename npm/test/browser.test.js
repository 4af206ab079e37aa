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
    await page.goto(`${server.address}index.js`); // any page of the server
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
