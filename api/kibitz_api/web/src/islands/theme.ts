const SUN =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3L7 7M17 17l1.7 1.7M5.3 18.7L7 17M17 7l1.7-1.7"/></svg>';
const MOON =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/></svg>';
const KEY = "kibitz.theme";

/** The button that turns dark to light and back; the system's theme holds until it is pressed. */
export function themeSwitch(page: Document): void {
  const button = page.querySelector<HTMLButtonElement>("[data-theme-switch]");
  if (!button) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = page.documentElement;
  const dark = (): boolean => (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const draw = (): void => {
    button.innerHTML = dark() ? SUN : MOON;
    const label = dark() ? "Light theme" : "Dark theme";
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  button.addEventListener("click", () => {
    const theme = dark() ? "light" : "dark";
    root.dataset["theme"] = theme;
    remember(theme);
    draw();
  });
  system.addEventListener("change", draw);
  button.hidden = false;
  draw();
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
