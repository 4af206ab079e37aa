// The patch between two versions of an event.
import { CalrulesError } from "../../../npm/src/index.ts";
import { differenceTable } from "./differences.js";
import { make, none, panel } from "./dom.js";
import { Editor } from "./editor.js";

export function patchView({ calrules, state, dialect, changed }) {
  const stored = new Editor("Stored event", state.stored, update);
  const next = new Editor("Next version", state.next, update);
  const patch = make("div", { class: "body" });
  const differences = make("div", { class: "body" });
  const framed = (title, content) => {
    const section = panel(title);
    section.append(content);
    return section;
  };

  function update() {
    Object.assign(state, { stored: stored.text, next: next.text });
    try {
      const [a, b] = [JSON.parse(state.stored), JSON.parse(state.next)];
      const text = JSON.stringify(calrules.makePatch(a, b, { dialect }), null, 2);
      patch.replaceChildren(make("pre", { tabindex: "0" }, text));
      differences.replaceChildren(differenceTable(calrules.diff(a, b, { dialect }), "stored", "next"));
    } catch (error) {
      if (!(error instanceof CalrulesError) && !(error instanceof SyntaxError)) {
        throw error;
      }
      patch.replaceChildren(none(error.message));
      differences.replaceChildren();
    }
    changed();
  }

  update();
  const left = make("div", { class: "column" }, framed("Stored", stored.element), framed("Next", next.element));
  return [left, make("div", { class: "column" }, framed("The smallest patch", patch), framed("Differences", differences))];
}
