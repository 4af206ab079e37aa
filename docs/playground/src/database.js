// Who a request to the realtime database acts as.
import { complaint } from "./complaint.js";
import { make, none, panel } from "./dom.js";
import { Editor } from "./editor.js";
import { findingList } from "./findings.js";

export function databaseView({ calrules, state, dialect, say, changed }) {
  const editor = new Editor("Request to the database, and what is known of its tokens", state.request, update);
  const decision = make("div", { class: "body" });
  const findings = make("div");

  function update() {
    state.request = editor.text;
    try {
      const answer = calrules.decide({ dialect, ...JSON.parse(state.request) });
      const facts = ["principal", "subject", "rules", "read", "write"].filter((name) => answer[name] !== undefined);
      const list = facts.map((name) => make("div", {}, make("dt", {}, name), make("dd", {}, answer[name])));
      decision.replaceChildren(make("dl", { class: "decision" }, ...list));
      findings.replaceChildren(findingList(calrules, answer.findings, dialect));
      say(`The principal is ${answer.principal}`);
    } catch (error) {
      decision.replaceChildren(none(complaint(error)));
      findings.replaceChildren();
      say("No decision");
    }
    changed();
  }

  update();
  const right = make("div", { class: "column" }, panel("Decision", decision), panel("Findings", findings));
  return [make("div", { class: "column" }, panel("Request", editor.element)), right];
}
