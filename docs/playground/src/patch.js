// The patch between two versions of an event.
import { complaint } from "./complaint.js";
import { differenceTable } from "./differences.js";
import { count, make, none, panel, scrollable } from "./dom.js";
import { Editor } from "./editor.js";

export function patchView({ calrules, state, dialect, say, changed }) {
  const stored = new Editor("Stored event", state.stored, update);
  const next = new Editor("Next version", state.next, update);
  const patch = make("div", { class: "body" });
  const differences = make("div", { class: "body" });

  function update() {
    Object.assign(state, { stored: stored.text, next: next.text });
    try {
      const [a, b] = [JSON.parse(state.stored), JSON.parse(state.next)];
      const text = JSON.stringify(calrules.makePatch(a, b, { dialect }).patch, null, 2);
      const list = calrules.diff(a, b, { dialect });
      patch.replaceChildren(scrollable("The smallest patch", text));
      differences.replaceChildren(differenceTable(list, "stored", "next"));
      say(count(list.length, "difference"));
    } catch (error) {
      patch.replaceChildren(none(complaint(error)));
      differences.replaceChildren();
      say("No patch");
    }
    changed();
  }

  update();
  const left = make("div", { class: "column" }, panel("Stored", stored.element), panel("Next", next.element));
  return [left, make("div", { class: "column" }, panel("The smallest patch", patch), panel("Differences", differences))];
}
