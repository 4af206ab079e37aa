/** Makes an element. Attributes that begin with "on" are listeners; children are elements or texts. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

let panels = 0;

/** Makes a panel with a heading and, if given, an element beside the heading. */
export function panel(title, content, beside) {
  const id = `panel-${++panels}`;
  const head = make("div", { class: "head" }, make("h2", { id }, title), beside);
  return make("section", { class: "panel", "aria-labelledby": id }, head, content);
}

export const none = (text) => make("p", { class: "none" }, text);

/** Shows what make returns for a value, unless the element shows that value already. Most keystrokes change little. */
export function showOnce(element, value, make) {
  const key = JSON.stringify(value);
  if (element.dataset["shown"] !== key) {
    element.dataset["shown"] = key;
    element.replaceChildren(make(value));
  }
}

/** Returns a JSON value on one line, or says that it is absent. */
export const short = (value) => (value === undefined ? "(absent)" : JSON.stringify(value));

/** Makes a text that may scroll, with a name for screen readers. */
export const scrollable = (name, text) => make("pre", { tabindex: "0", role: "group", "aria-label": name }, text);

/** Returns a number of things, such as "1 finding" and "2 findings". */
export const count = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;
