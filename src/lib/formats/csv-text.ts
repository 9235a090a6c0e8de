/** Spreadsheets take a text that begins so for a formula. */
const formula = /^[=+\-@\t\r＝＋－＠]/;
/**
 * A sign of a formula at the beginning of a piece of a text. Where lists are separated by `;`, as Russian and Kazakh Excel have it, a cell is split there in
 * spite of its quotes, and then at its line breaks as well; text that is pasted is split at tabs.
 */
const laterFormula = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s"]*)/g;
const special = /[",\r\n]/;

/** Writes rows as CSV (RFC 4180): numbers as they are, texts without formulas, nothing for null. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
}

function written(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const pieces = cell.replaceAll(laterFormula, "'");
  const safe = formula.test(pieces) ? `'${pieces}` : pieces;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
