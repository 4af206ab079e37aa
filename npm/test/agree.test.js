// A JSON Schema validator refuses only bodies that the rules refuse, and all bodies whose types the rules refuse.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import Ajv from "ajv/dist/2020.js";
import { load } from "../dist/index.js";
import { lines, withCommand } from "./command.js";

// CALRULES_TEST_LINES=20000 draws the number of requests in each dialect that a release requires.
const count = Number(process.env["CALRULES_TEST_LINES"] ?? 1000);

/** The rules about the types of values, which both the member tables and the schemas enforce. */
const typeRules = new Set(["json.type", "event.extended-properties", "gadget.preferences"]);

/** Returns the validator for the bodies of an operation, or null if there is no schema. */
function validator(dialect, op) {
  const file = new URL(`../../docs/schemas/${dialect}/${op}.json`, import.meta.url);
  return existsSync(file) ? new Ajv({ strict: true, allErrors: true }).compile(JSON.parse(readFileSync(file, "utf8"))) : null;
}

test("ajv and the rules agree on drawn bodies", async (t) => {
  const calrules = await load();
  await withCommand(async (program) => {
    for (const dialect of ["documents", "google"]) {
      await t.test(dialect, () => {
        const validators = {};
        const verdicts = { allowed: 0, refused: 0 };
        const flags = ["--no-config", "--dialect", dialect, "fuzz", "-n", `${count}`, "--seed", "11", "--invalid-share", "0.7"];
        for (const line of lines(program, flags)) {
          const { op, body } = JSON.parse(line);
          const validate = (validators[op] ??= validator(dialect, op));
          if (!validate || body === undefined) {
            continue;
          }
          const { findings = [] } = JSON.parse(calrules.line("check", line));
          const refusing = findings.filter(({ kind }) => kind === "reject").map(({ rule }) => rule);
          if (validate(body)) {
            verdicts.allowed++;
            assert.ok(!refusing.some((rule) => typeRules.has(rule)), `only the rules refuse: ${refusing}: ${line}`);
          } else {
            verdicts.refused++;
            assert.ok(refusing.length > 0, `only ajv refuses: ${JSON.stringify(validate.errors)}: ${line}`);
          }
        }
        assert.ok(verdicts.allowed > count / 2 && verdicts.refused > count / 10, JSON.stringify(verdicts));
      });
    }
  });
});
