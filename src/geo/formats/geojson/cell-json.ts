import { JsonFault } from '../../../json/json-fault.ts';
import { JsonReader } from '../../../json/json-reader.ts';
import { bytesFrom } from './geojson-file.ts';

/** Declared types with a JSON form of their own. */
export type Declared = 'boolean' | 'time' | 'json' | 'other';

/** A value as a file stores it, whatever its column declares: integers are BigInts, all other numbers reals. */
export type StoredCell = null | bigint | number | string | Uint8Array;

/**
 * Formats a stored value as JSON without loss: numbers with all digits, dates as declared, other values as text, binary
 * as hexadecimal, and infinity, which JSON lacks, as the text `Infinity`.
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

/** Programs write milliseconds even if they are zero. */
function withoutZeros(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.0+(Z?)$/, '$1$2');
}

function isJson(text: string): boolean {
  // The decoder drops a byte-order mark, which may only occur at the start of a file.
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
