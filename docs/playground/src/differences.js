import { make, none, short } from "./dom.js";

/** Makes a table of differences. */
export function differenceTable(differences, before, after) {
  if (differences.length === 0) {
    return none("They are equal.");
  }
  const cell = (value, type) => make("td", value === undefined ? {} : { class: type }, short(value));
  const rows = differences.map(({ path, old, new: next }) => make("tr", {}, make("td", {}, path), cell(old, "old"), cell(next, "new")));
  const head = make("tr", {}, ...["path", before, after].map((text) => make("th", { scope: "col" }, text)));
  return make("table", { class: "diff", "aria-label": "Differences" }, make("thead", {}, head), make("tbody", {}, ...rows));
}
