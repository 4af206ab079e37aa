// Says so if the page cannot start. It is no module, since browsers load no modules from files.
const note = (text, retry) => {
  const loading = document.getElementById("loading");
  if (!loading) {
    return; // the page has started
  }
  loading.textContent = text;
  loading.setAttribute("role", "alert");
  if (retry) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Try again";
    button.addEventListener("click", () => location.reload());
    loading.append(" ", button);
  }
};
globalThis.failedToLoad = (reason) => note(`The rules did not load: ${reason}. Is the network there, and are all files beside this page?`, true);
if (location.protocol === "file:") {
  note("The checker needs a web server, since browsers load no WebAssembly from files. Any will do: run python3 -m http.server in this folder, and open http://localhost:8000. The rules, fields and limits can be read without one.", false);
} else {
  addEventListener("error", ({ target }) => target.type === "module" && globalThis.failedToLoad("main.js is missing"), true);
}
