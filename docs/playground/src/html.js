// Parts of the pages that are read, as HTML.
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escape = (text) => String(text).replace(/[&<>"]/g, (c) => escapes[c]);

/** Escapes a path or an id, and lets it break after each dot. */
export const dotted = (text) => escape(text).replaceAll(".", ".<wbr>");

export const code = (text) => `<code>${dotted(text)}</code>`;

/** Joins parts. Of more than most, it shows how many there are until they are unfolded. */
export function folded(parts, most, thing, separator = " ") {
  const all = parts.join(separator);
  return parts.length <= most ? all : `<details><summary>${parts.length} ${thing}</summary>${all}</details>`;
}

/**
 * Returns a table whose rows are blocks on a narrow screen. A row has its cells as HTML, the text to search, and values by
 * which to filter it.
 */
export function table(name, head, rows) {
  const cells = (row) => row.cells.map((cell, i) => `<td data-name="${head[i]}"${cell ? "" : " class=\"empty\""}>${cell}</td>`).join("");
  const filters = ({ filters = {} }) => Object.entries(filters).map(([key, value]) => ` data-${key}="${escape(value)}"`).join("");
  const lines = rows.map((row) => `<tr data-text="${escape(row.text.toLowerCase())}"${filters(row)}>${cells(row)}</tr>`);
  const heads = head.map((text) => `<th scope="col">${text}</th>`).join("");
  return `<table class="list ${name}"><thead><tr>${heads}</tr></thead><tbody>\n${lines.join("\n")}\n</tbody></table>`;
}

/** Returns the field for a search, and selects for filters. They work with search.js, and are hidden without it. */
export function searchForm(filters = {}) {
  const choice = ([value, text]) => `<option value="${value}">${escape(text)}</option>`;
  const select = ([name, choices]) =>
    `<label>${name} <select name="${name}"><option value="">all</option>${choices.map(choice).join("")}</select></label>`;
  return `<form id="search" role="search" hidden><label>Search <input name="q" type="search" autocomplete="off" spellcheck="false"></label>
${Object.entries(filters).map(select).join("\n")} <output id="found"></output></form>`;
}

/** The pages in the head of each page. */
const links = [
  ["index.html", "Checker"],
  ["rules/index.html", "Rules"],
  ["fields.html", "Fields"],
  ["limits.html", "Limits"],
  ["https://github.com/calrules/calrules/tree/main/docs", "Docs"],
  ["https://github.com/calrules/calrules", "GitHub"],
];

/** Returns the head of a page. up is the way from the page to the folder of all pages. */
export function header(here, up = "") {
  const nav = links.map(([to, text]) => `<a href="${to.includes(":") ? to : up + to}"${to === here ? ' aria-current="page"' : ""}>${text}</a>`);
  return `<header>
    <p class="brand">calrules</p>
    <nav aria-label="Pages">${nav.join("\n")}</nav>
    <button type="button" id="theme" hidden>Dark theme</button>
  </header>`;
}

/** Returns a page that is read. */
export function page(here, title, content, { up = "", scripts = [] } = {}) {
  const script = (name) => `<script src="${up}${name}"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escape(title)} - calrules</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${up}style.css">
  ${script("theme.js")}
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  ${header(here, up)}
  <main class="page" id="content"><h1>${dotted(title)}</h1>
${content}
  </main>
  ${scripts.map(script).join("\n")}
</body>
</html>
`;
}
