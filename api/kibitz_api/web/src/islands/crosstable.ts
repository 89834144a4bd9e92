/** Lights up the row and the column of the cell under the pointer or in focus. */
export function crosstables(part: ParentNode): void {
  for (const table of part.querySelectorAll<HTMLTableElement>("table[data-crosstable]")) {
    const show = (event: Event): void => {
      const cell = event.target instanceof Element ? event.target.closest("td") : null;
      light(table, cell);
    };
    table.addEventListener("pointerover", show);
    table.addEventListener("focusin", show);
    table.addEventListener("pointerleave", () => light(table, null));
    table.addEventListener("focusout", () => light(table, null));
  }
}

function light(table: HTMLTableElement, cell: HTMLTableCellElement | null): void {
  for (const lit of table.querySelectorAll(".lit")) lit.classList.remove("lit");
  const row = cell?.parentElement;
  if (!cell || !(row instanceof HTMLTableRowElement)) return;
  row.cells[0]?.classList.add("lit");
  for (const each of table.rows) {
    const other = each.cells[cell.cellIndex];
    if (other && (each.parentElement === table.tHead || each === row)) other.classList.add("lit");
  }
}
