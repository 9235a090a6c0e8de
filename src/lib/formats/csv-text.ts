/** Spreadsheets read a text with this start as a formula. */
const formula = /^[=+\-@\t\r＝＋－＠]/;
/**
 * A formula sign at the start of a part of a text. Excel in Russian and Kazakh uses `;` as list separator: it splits a
 * cell there in spite of quotes, and then at line breaks as well. Pasted text is split at tabs.
 */
const laterFormula = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s"]*)/g;
const special = /[",\r\n]/;

/** Formats rows as CSV (RFC 4180): numbers unchanged, texts protected against formulas, null as an empty cell. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
}

function written(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const pieces = cell.replaceAll(laterFormula, "'");
  const safe = formula.test(pieces) ? `'${pieces}` : pieces;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
