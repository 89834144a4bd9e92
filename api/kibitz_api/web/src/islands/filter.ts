/** `<input data-filter="table-id">` hides the rows of that table that do not contain its text. */
export function filters(part: ParentNode): void {
  for (const input of part.querySelectorAll<HTMLInputElement>("input[data-filter]")) {
    input.addEventListener("input", () => filter(input));
    filter(input);
  }
}

function filter(input: HTMLInputElement): void {
  const table = document.getElementById(input.dataset["filter"] ?? "");
  const wanted = input.value.trim().toLowerCase();
  for (const row of table?.querySelectorAll<HTMLTableRowElement>("tbody tr") ?? []) {
    row.hidden = wanted !== "" && !(row.textContent ?? "").toLowerCase().includes(wanted);
  }
}
