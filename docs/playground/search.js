// Filters the rows of a page, and keeps the search in its address, after the #. It is no module, since browsers load no
// modules from files.
{
  const form = document.getElementById("search");
  const rows = [...document.querySelectorAll("tr[data-text]")];
  const parts = [...document.querySelectorAll("section.part")];
  const filters = [...form.querySelectorAll("select")];

  const filter = () => {
    const words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isShown = ({ dataset }) =>
      words.every((word) => dataset.text.includes(word)) && filters.every(({ name, value }) => value === "" || dataset[name] === value);
    for (const row of rows) {
      row.hidden = !isShown(row);
    }
    for (const part of parts) {
      part.hidden = !part.querySelector("tr[data-text]:not([hidden])");
    }
    form.querySelector("output").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  };
  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const field of [form.q, ...filters]) {
      if (given.has(field.name)) {
        field.value = given.get(field.name);
      }
    }
    filter();
  };
  const keep = () => {
    const used = [...new FormData(form)].filter(([, value]) => value !== "");
    history.replaceState(null, "", used.length > 0 ? `#${new URLSearchParams(used)}` : location.pathname);
    filter();
  };
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", read);
  form.hidden = false;
  read();
}
