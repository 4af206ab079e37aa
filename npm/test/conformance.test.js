// The module passes the conformance cases of the project.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import test from "node:test";
import { load } from "../dist/index.js";

const folder = new URL("../../conformance/", import.meta.url);
const filters = { check: "check", expand: "expand", make: "make", rtdb: "decide" }; // the functions of the module, by form

/** Reports whether got contains want. An object must have at least the wanted members; any other value must be equal. */
function contains(want, got) {
  if (Array.isArray(want)) {
    return Array.isArray(got) && want.length === got.length && want.every((value, i) => contains(value, got[i]));
  }
  if (want !== null && typeof want === "object") {
    return got !== null && typeof got === "object" && Object.entries(want).every(([name, value]) => contains(value, got[name]));
  }
  return want === got;
}

/** Returns the value to which a JSON Pointer points, or undefined. */
function at(value, pointer) {
  const tokens = pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return tokens.reduce((object, token) => object?.[token], value);
}

/** Compares an answer with the expectations of a case. */
function compare({ error = false, findings = [], absent = [], starts, ...members }, answer) {
  assert.equal(answer.error !== undefined, error, answer.error);
  const found = (answer.findings ?? []).map(({ rule, kind, path, cause }, i) => ({ rule, kind, path, ...(findings[i]?.cause && { cause }) }));
  assert.deepEqual(found, findings);
  if (starts) {
    assert.deepEqual((answer.instances ?? []).map(({ start }) => start.date ?? start.dateTime), starts);
  }
  assert.ok(contains(members, answer), `${JSON.stringify(answer)} lacks some of ${JSON.stringify(members)}`);
  for (const pointer of absent) {
    assert.equal(at(answer, pointer), undefined, pointer);
  }
}

for (const file of (await readdir(folder)).filter((name) => name.endsWith(".ndjson"))) {
  test(file, async () => {
    const calrules = await load();
    const text = await readFile(new URL(file, folder), "utf8");
    const failures = [];
    for (const line of text.split("\n").slice(0, -1)) {
      const { name, form, request, expect } = JSON.parse(line);
      try {
        compare(expect, JSON.parse(calrules.line(filters[form], JSON.stringify(request))));
      } catch (failure) {
        failures.push(`${name}: ${failure.message}`);
      }
    }
    assert.deepEqual(failures, []);
  });
}
