// Many calls, and several threads. CALRULES_TEST_CALLS is the number of calls; 100,000 take half a minute.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { Worker } from "node:worker_threads";
import { load } from "../dist/index.js";

const calls = Number(process.env["CALRULES_TEST_CALLS"] ?? 5000);

/** Returns a request that differs from all others, with a fault in every second one. */
const request = (i) => ({
  id: i,
  op: "events.insert",
  body: { id: `abcde${i}`, summary: `Event ${i}`, start: { date: "2026-03-10" }, end: { date: i % 2 === 0 ? "2026-03-11" : "2026-03-09" } },
});

test(`${calls} calls leave the memory as it is after the first of them`, async () => {
  const calrules = await load();
  const size = () => calrules.machine.exports.memory.buffer.byteLength;
  let early = 0;
  for (let i = 0; i < calls; i++) {
    const { id, accepted, event } = calrules.check(request(i));
    assert.deepEqual([id, accepted, event?.summary], i % 2 === 0 ? [i, true, `Event ${i}`] : [i, false, undefined]);
    if (i === 1000) {
      early = size();
    }
  }
  assert.ok(early > 0 && size() <= early * 1.25, `the memory grows from ${early} to ${size()} bytes`);
});

// The code of a thread. It gets the compiled module, and answers with the answers.
const thread = `
const { parentPort, workerData } = require("node:worker_threads");
import(workerData.index).then(async ({ load }) => {
  const calrules = await load(workerData.module);
  parentPort.postMessage(workerData.requests.map((request) => calrules.check(request)));
});`;

test("two threads share a compiled module, and not its memory", async () => {
  const module = await WebAssembly.compile(await readFile(new URL("../dist/calrules.wasm", import.meta.url)));
  const calrules = await load(module);
  const index = new URL("../dist/index.js", import.meta.url).href;
  const parts = [0, 1].map((part) => Array.from({ length: calls / 10 }, (_, i) => request(2 * i + part)));
  const run = (requests) =>
    new Promise((resolve, reject) => {
      new Worker(thread, { eval: true, workerData: { index, module, requests } }).once("message", resolve).once("error", reject);
    });
  const answers = await Promise.all(parts.map(run));
  assert.deepEqual(answers, parts.map((requests) => requests.map((request) => calrules.check(request))));
});
