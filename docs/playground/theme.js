// Chooses the theme of the system. It is no module, since browsers load no modules from files.
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
