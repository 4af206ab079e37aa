// Reads lines {"schema": file, "body": text}, and writes whether ajv accepts each body. The argument is a package that has ajv.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const Ajv = createRequire(process.argv[2])("ajv/dist/2020.js");
const schemas = new Map();
const verdicts = readFileSync(0, "utf8").trimEnd().split("\n").map((line) => {
  const { schema, body } = JSON.parse(line);
  if (!schemas.has(schema)) {
    schemas.set(schema, new Ajv({ strict: true }).compile(JSON.parse(readFileSync(schema, "utf8"))));
  }
  return schemas.get(schema)(JSON.parse(body));
});
console.log(verdicts.join("\n"));
