// Filters the index of the rules. It is no module, since browsers load no modules from files.
const search = document.getElementById("search");
const rows = [...document.querySelectorAll("tr[data-text]")];
const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/);
  const shown = rows.filter((row) => {
    row.hidden = !words.every((word) => row.dataset.text.includes(word));
    return !row.hidden;
  });
  document.getElementById("found").textContent = `${shown.length} of ${rows.length}`;
};
search.addEventListener("input", filter);
search.hidden = false;
filter();
