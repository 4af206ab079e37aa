// Shows the chosen theme on every page, or else the theme of the system. It is no module, since browsers load no modules
// from files, and it runs before the page is shown.
{
  const key = "calrules-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  let chosen;
  try {
    chosen = localStorage.getItem(key);
  } catch {} // no storage: the choice is good for this page
  const isDark = () => (chosen ? chosen === "dark" : system.matches);
  const show = () => {
    root.dataset.theme = isDark() ? "dark" : "light";
    const button = document.getElementById("theme");
    if (button) {
      button.textContent = isDark() ? "Light theme" : "Dark theme";
    }
  };
  show();
  system.addEventListener("change", show);
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      chosen = isDark() ? "light" : "dark";
      try {
        localStorage.setItem(key, chosen);
      } catch {}
      show();
    });
    show();
  });
}
