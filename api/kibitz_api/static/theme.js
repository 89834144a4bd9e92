// Runs before the first paint, so that a remembered theme does not flash.
(() => {
  document.documentElement.classList.add("js");
  try {
    const theme = localStorage.getItem("kibitz.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (localStorage.getItem("kibitz.suits") === "4") document.documentElement.dataset.suits = "4";
  } catch {
    // Storage may be forbidden; the system's theme is used then.
  }
})();
