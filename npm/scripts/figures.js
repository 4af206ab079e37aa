import { readFileSync, writeFileSync } from "node:fs";

/** Replaces the text between the marks with the given name in a README, by default the README of the package. */
export function replaceFigures(name, text, file = new URL("../README.md", import.meta.url)) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end ${name} -->`];
  const readme = readFileSync(file, "utf8");
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) {
    throw new Error(`${file.pathname} has no marks for ${name}`);
  }
  writeFileSync(file, `${readme.slice(0, from)}${begin}\n${text}\n${readme.slice(to)}`);
}
