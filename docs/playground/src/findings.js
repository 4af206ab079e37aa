// The list of findings, each with the description of its rule.
import { captions } from "./captions.js";
import { make, none, scrollable } from "./dom.js";
import { pageOf } from "./pages.js";

/** Makes the list. goTo is called with the index of a finding that has a place, and fix with that of one that has a fix. */
export function findingList(calrules, findings, dialect, { goTo, fix } = {}) {
  if (findings.length === 0) {
    return none("No findings.");
  }
  return make("ul", { class: "findings" }, ...findings.map((f, i) => finding(calrules, f, i, dialect, goTo, fix)));
}

function finding(calrules, { kind, path, message, rule, place, fix: patch }, i, dialect, goTo, fix) {
  const at = place ? `${place.line}:${place.column} ${path || "the whole"}` : path || "the request";
  return make(
    "li",
    { class: `k-${kind}` },
    make(
      "div",
      { class: "row" },
      make("span", { class: "kind" }, kind),
      place && goTo
        ? make("button", { type: "button", class: "at", onclick: () => goTo(i), "aria-label": `Go to ${at}` }, at)
        : make("span", { class: "at" }, at),
      patch && fix ? make("button", { type: "button", class: "fix", onclick: () => fix(i), "aria-label": `${captionOf(patch)} at ${at}` }, captionOf(patch)) : undefined,
    ),
    make("p", {}, message),
    explanation(calrules, rule, dialect),
  );
}

/** Returns a text for a button that makes a fix. */
function captionOf(patch) {
  const { op, path, value } = patch.at(-1);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const most = 40; // characters
  if (op === "remove") {
    return "Remove it";
  }
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  const text = op === "move" ? name : path.startsWith("/params/") && op === "add" ? `${name}=${shown}` : shown;
  return text.length <= most ? `Use ${text}` : "Use what it proposes";
}

/** Makes the description of a rule, which is filled in when it is opened. */
function explanation(calrules, id, dialect) {
  const details = make("details", {}, make("summary", {}, id));
  details.addEventListener("toggle", () => details.childElementCount === 1 && details.append(page(calrules.explain(id, { dialect }))), { once: true });
  return details;
}

function page({ id, summary, kind, why, section, basis, scope, seen, good, bad }) {
  const facts = { section, basis, scope, seen };
  const list = Object.entries(facts).flatMap(([name, value]) => (value ? [make("dt", {}, name), make("dd", {}, value)] : []));
  const example = (title, { request }) => (request ? [make("div", {}, `${title}:`), scrollable(title, JSON.stringify(request, null, 2))] : []);
  const [withGood, withBad] = captions[kind] ?? captions[""];
  return make(
    "div",
    { class: "rule" },
    make("strong", {}, summary),
    why ? make("p", {}, why) : undefined,
    make("dl", {}, ...list),
    ...example(withGood, good),
    ...example(withBad, bad),
    make("p", {}, make("a", { href: pageOf(id) }, `The page of ${id}`)),
  );
}
