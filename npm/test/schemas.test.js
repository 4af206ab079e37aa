// The JSON Schemas of the project work in ajv by default: in strict mode, and without plug-ins.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import test from "node:test";
import Ajv from "ajv/dist/2020.js";

const folder = new URL("../../docs/schemas/", import.meta.url);

async function compile(name) {
  return new Ajv({ strict: true, allErrors: true }).compile(JSON.parse(await readFile(new URL(name, folder), "utf8")));
}

test("ajv compiles every schema in strict mode", async () => {
  let count = 0;
  for (const dialect of ["documents", "google"]) {
    for (const file of await readdir(new URL(`${dialect}/`, folder))) {
      if (file !== "openapi.json") {
        await compile(`${dialect}/${file}`);
        count++;
      }
    }
  }
  assert.ok(count >= 20, `${count} schemas`);
});

const day = { date: "2026-03-10" };
const valid = { start: day, end: { date: "2026-03-11" }, attendees: [{ email: "ada@example.com" }], id: "abcde" };

test("an event that is fine passes", async () => {
  for (const dialect of ["documents", "google"]) {
    const validate = await compile(`${dialect}/events.insert.json`);
    assert.ok(validate(valid), JSON.stringify(validate.errors));
  }
});

const nonsense = {
  date: { start: { date: "nonsense" } },
  dateTime: { start: { dateTime: "nonsense" } },
  timeZone: { start: { dateTime: "2026-03-10T09:00:00Z", timeZone: "non sense" } },
  email: { attendees: [{ email: "nonsense" }] },
  id: { id: "NONSENSE" },
  status: { status: "nonsense" },
  summary: { summary: 5 },
};

for (const [member, change] of Object.entries(nonsense)) {
  test(`nonsense as ${member} does not pass`, async () => {
    const validate = await compile("google/events.insert.json");
    assert.equal(validate({ ...valid, ...change }), false);
    const places = validate.errors.map((error) => error.instancePath);
    assert.ok(places.some((place) => place.endsWith(`/${member}`)), JSON.stringify(validate.errors));
  });
}
