// Keyboard navigation in a table with the role `grid`: Tab reaches one cell, arrow keys move between cells,
// and Enter or Space activates a cell. Ctrl+Home and Ctrl+End move to the first and the last cell.

const STEPS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -1e9],
  End: [0, 1e9],
};

export class Grid {
  // `act(cell)`: called when the user clicks on a cell, or presses Enter or Space on it.
  constructor(table, act) {
    Object.assign(this, { table, cell: null });
    table.onclick = ({ target }) => {
      const cell = target.closest("td, th");
      if (cell) act(cell);
    };
    table.addEventListener("focusin", ({ target }) => this.set(target));
    table.onkeydown = (event) => {
      const { key, ctrlKey, altKey, metaKey } = event;
      if (event.target !== this.cell || altKey || metaKey || (ctrlKey && !/Home|End/.test(key))) return;
      if (key === "Enter" || key === " ") act(this.cell);
      else if (Object.hasOwn(STEPS, key)) this.move(...STEPS[key], ctrlKey);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }

  // Returns the visible rows, header first.
  rows() {
    return [...this.table.rows].filter((row) => row.parentElement.offsetHeight);
  }

  // Makes a cell the only one that Tab reaches.
  set(cell) {
    if (this.cell) this.cell.tabIndex = -1;
    this.cell = cell;
    cell.tabIndex = 0;
  }

  // Moves the focus by rows and columns. With `toEdge`, moves it to the first or last row.
  move(down, right, toEdge) {
    const rows = this.rows();
    const cells = (row) => [...row.cells].filter((cell) => cell.offsetWidth);
    const row = rows.indexOf(this.cell.parentElement);
    const column = cells(rows[row]).indexOf(this.cell);
    const within = (at, list) => Math.max(0, Math.min(list.length - 1, at));
    const next = rows[within(toEdge ? (down + right < 0 ? 0 : rows.length) : row + down, rows)];
    cells(next)[within(column + right, cells(next))].focus();
  }

  // Moves the focus to a row: to its current cell, or else to its first cell.
  focus(row) {
    const column = this.cell?.parentElement === row ? this.cell.cellIndex : 0;
    row.cells[column].focus({ preventScroll: true });
  }

  // Replaces the children of a part of the table. The focus keeps its place, or moves to the first row if its
  // row is gone.
  replace(box, children) {
    const { cell } = this;
    const isInside = cell && box.contains(cell);
    const isFocused = isInside && document.activeElement === cell;
    const [row, column] = isInside ? [cell.parentElement, cell.cellIndex] : [];
    box.replaceChildren(...children);
    if (!this.cell?.isConnected) {
      const now = row?.isConnected ? row : isInside && box.querySelector("tr");
      const next = now && now.cells[Math.min(column, now.cells.length - 1)];
      const cell = next || this.table.querySelector("td, th");
      if (cell) this.set(cell);
    }
    if (isFocused) this.cell.focus({ preventScroll: true });
  }
}
