// The patch between two versions of an event.
import { complaint } from "./complaint.js";
import { differenceTable } from "./differences.js";
import { make, none, panel } from "./dom.js";
import { Editor } from "./editor.js";

export function patchView({ calrules, state, dialect, changed }) {
  const stored = new Editor("Stored event", state.stored, update);
  const next = new Editor("Next version", state.next, update);
  const patch = make("div", { class: "body" });
  const differences = make("div", { class: "body" });

  function update() {
    Object.assign(state, { stored: stored.text, next: next.text });
    try {
      const [a, b] = [JSON.parse(state.stored), JSON.parse(state.next)];
      const text = JSON.stringify(calrules.makePatch(a, b, { dialect }), null, 2);
      patch.replaceChildren(make("pre", { tabindex: "0" }, text));
      differences.replaceChildren(differenceTable(calrules.diff(a, b, { dialect }), "stored", "next"));
    } catch (error) {
      patch.replaceChildren(none(complaint(error)));
      differences.replaceChildren();
    }
    changed();
  }

  update();
  const left = make("div", { class: "column" }, panel("Stored", stored.element), panel("Next", next.element));
  return [left, make("div", { class: "column" }, panel("The smallest patch", patch), panel("Differences", differences))];
}
