/** Switches between two and four colours of suits and remembers the choice. */
export function toggleSuits(): void {
  const root = document.documentElement;
  const four = root.dataset["suits"] !== "4";
  if (four) root.dataset["suits"] = "4";
  else delete root.dataset["suits"];
  try {
    if (four) localStorage.setItem("kibitz.suits", "4");
    else localStorage.removeItem("kibitz.suits");
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
