type Kind = "text" | "number";

/** Makes the heads of `table[data-sortable]` buttons that sort its rows. */
export function sortableTables(part: ParentNode): void {
  for (const table of part.querySelectorAll<HTMLTableElement>("table[data-sortable]")) {
    table.querySelectorAll<HTMLTableCellElement>("thead th[data-sort]").forEach((head) => {
      if (head.querySelector("button.sort")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      if (!head.hasAttribute("aria-sort")) head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sortBy(table, head));
    });
  }
}

function sortBy(table: HTMLTableElement, head: HTMLTableCellElement): void {
  const kind: Kind = head.dataset["sort"] === "number" ? "number" : "text";
  const before = head.getAttribute("aria-sort");
  // Numbers are first wanted with the best on top, names from A.
  const first = head.dataset["first"] ?? (kind === "number" ? "descending" : "ascending");
  const second = first === "ascending" ? "descending" : "ascending";
  const order = before === first ? second : first;
  for (const other of table.querySelectorAll("thead th[aria-sort]")) {
    other.setAttribute("aria-sort", other === head ? order : "none");
  }
  const body = table.tBodies[0];
  if (!body) return;
  const rows = [...body.rows];
  const keys = rows.map((row) => cellText(row.cells[head.cellIndex]));
  body.append(...sortedOrder(keys, kind, order === "ascending").map((index) => rows[index] as Node));
}

function cellText(cell: HTMLTableCellElement | undefined): string {
  return cell?.dataset["value"] ?? cell?.textContent?.trim() ?? "";
}

/** Indices of the keys in sorted order: stable, and what is no number stays at the end. */
export function sortedOrder(keys: readonly string[], kind: Kind, ascending: boolean): number[] {
  const way = ascending ? 1 : -1;
  const numbers = keys.map(toNumber);
  const text = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  return keys
    .map((_, index) => index)
    .sort((a, b) => {
      if (kind === "text") return way * text.compare(keys[a] ?? "", keys[b] ?? "") || a - b;
      const [x, y] = [numbers[a] ?? NaN, numbers[b] ?? NaN];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
      return way * (x - y) || a - b;
    });
}

/** "+2.08", "−4", "61 %", "1 204" as numbers. */
export function toNumber(text: string): number {
  const plain = text.replace("−", "-").replace(/[\s\u00a0\u202f,%]/g, "");
  return /^[+-]?\d*\.?\d+$/.test(plain) ? Number(plain) : NaN;
}
