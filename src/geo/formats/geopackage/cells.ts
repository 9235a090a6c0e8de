import { JsonReader } from '../../../json/json-reader.ts';
import { JsonFault } from '../../../json/json-fault.ts';
import { bytesFrom } from '../geojson/geojson-file.ts';

/** A value as SQLite stores it, whatever type its column declares: integers are BigInts, and all other numbers reals. */
export type StoredCell = null | bigint | number | string | Uint8Array;

/** What a column declares of which JSON has its own way to say it; SQLite itself knows none of these types. */
export type Declared = 'boolean' | 'time' | 'json' | 'other';

/** Returns what the type that a column declares means for its cells. */
export function declaredKind(type: string): Declared {
  const name = type.trim().toUpperCase();
  if (name === 'BOOLEAN') return 'boolean';
  return name === 'DATE' || name === 'DATETIME' ? 'time' : 'other';
}

/**
 * Writes a stored value as JSON, whole: numbers with all their digits, what is no date as text, binary as hexadecimal
 * digits, and infinity, for which JSON has no number, as the text `Infinity`.
 */
export function cellJson(cell: StoredCell, declared: Declared): string {
  switch (typeof cell) {
    case 'bigint':
      if (declared === 'boolean' && (cell === 0n || cell === 1n)) return cell === 1n ? 'true' : 'false';
      return declared === 'time' ? `"${cell}"` : String(cell);
    case 'number':
      if (!Number.isFinite(cell)) return Number.isNaN(cell) ? 'null' : `"${cell}"`;
      return declared === 'time' ? `"${cell}"` : String(cell);
    case 'string':
      if (declared === 'json' && isJson(cell)) return cell;
      return JSON.stringify(declared === 'time' ? withoutZeros(cell) : cell);
    default:
      return cell === null ? 'null' : `"${Buffer.from(cell).toString('hex').toUpperCase()}"`;
  }
}

/** Programs write thousandths even where there are none. */
function withoutZeros(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.0+(Z?)$/, '$1$2');
}

function isJson(text: string): boolean {
  // The reader passes over a byte-order mark, which stands nowhere but at the beginning of a file.
  if (text.startsWith('\ufeff')) return false;
  const bytes = Buffer.from(text);
  const reader = new JsonReader(bytesFrom(bytes), bytes.length);
  try {
    reader.skip();
    reader.finish();
    return true;
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
}
