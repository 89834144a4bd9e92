/** `<button data-copy="text">` copies the text and says so for a moment. */
export function copyButtons(part: ParentNode): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.addEventListener("click", () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset["copy"] ?? "");
    button.textContent = "Copied";
  } catch {
    button.textContent = "Could not copy";
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}
