import { type Cell, SpreadsheetFault, type Table } from '../model/types.ts';

/** Writes a table as GeoJSON without geometry: one feature for each row, one property for each column. @throws {SpreadsheetFault} */
export function toGeoJson(table: Table, maxCharacters = Infinity): string {
  return [...geoJsonParts(table, maxCharacters)].join('');
}

const pieceCharacters = 256 * 1024;

/** The same in pieces. @throws {SpreadsheetFault} if the text is longer than `maxCharacters` */
export function* geoJsonParts(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  maxCharacters = Infinity,
): Generator<string> {
  const keys = columns.map(({ name }) => JSON.stringify(name));
  let left = maxCharacters;
  let piece = '{"type":"FeatureCollection","features":[';
  let separator = '\n';
  for (const row of rows) {
    const characters = row.reduce<number>(
      (sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0),
      0,
    );
    if (piece.length + characters > left) throw new SpreadsheetFault('resultTooLarge');
    const properties = keys.map((key, index) => `${key}:${jsonOf(row[index] ?? null)}`);
    piece += `${separator}{"type":"Feature","geometry":null,"properties":{${properties.join(',')}}}`;
    separator = ',\n';
    if (piece.length < pieceCharacters) continue;
    left -= piece.length;
    if (left < 0) throw new SpreadsheetFault('resultTooLarge');
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}\n`;
}

/** Lone surrogates, which the service cannot store, become U+FFFD. */
function jsonOf(cell: Cell): string {
  return typeof cell === 'string' ? JSON.stringify(cell.toWellFormed()) : JSON.stringify(cell);
}
