/** Spreadsheets take a text that begins so for a formula. */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

/** Writes rows as CSV (RFC 4180): numbers as they are, texts without formulas, nothing for null. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
}

function written(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
