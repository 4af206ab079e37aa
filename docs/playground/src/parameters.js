// The parameters of an operation by name, beside the field that has them all as in an address.
import { make } from "./dom.js";

/**
 * Makes the fields. parametersOf has the parameters of each operation, and all is the field with all of them. Its function
 * show shows the fields of an operation, with what is in all.
 */
export function parameterFields(parametersOf, all, update) {
  const fields = make("div", { class: "arguments" });
  const element = make("details", { class: "parameters" }, make("summary", {}, "Parameters by name"), fields);
  let shown = ""; // the operation whose fields are there

  const keep = ({ target }) => {
    const params = new URLSearchParams(all.value);
    params.set(target.name, target.value);
    if (target.value === "") {
      params.delete(target.name);
    }
    all.value = params.toString();
    update();
  };

  function field({ name, hint, values }) {
    const list = `values-${name}`;
    const input = make("input", { name, oninput: keep, spellcheck: "false", autocomplete: "off", list: values && list });
    const options = values && make("datalist", { id: list }, ...values.map((value) => make("option", { value })));
    return make("label", {}, make("span", {}, make("strong", {}, name), ` ${hint}`), input, options);
  }

  function show(op) {
    const parameters = parametersOf[op] ?? [];
    if (shown !== op) {
      shown = op;
      fields.replaceChildren(...parameters.map(field));
      element.hidden = parameters.length === 0;
    }
    const params = new URLSearchParams(all.value);
    for (const input of fields.querySelectorAll("input")) {
      const value = params.get(input.name) ?? "";
      if (input.value !== value) {
        input.value = value;
      }
    }
  }
  return { element, show };
}
