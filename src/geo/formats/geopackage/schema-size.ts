import { MiB } from '../../../common/units.ts';
import type { Pages } from './pages.ts';
import { damaged, refused } from './refusals.ts';
import { readChain, readVarint, walkTree } from './tree.ts';

/** Tables, views, indexes and triggers; a layer has about fifteen. SQLite's time grows with the square: these take it seconds. */
const maxSchemaEntries = 20_000;
/** The text by which they are defined. */
const maxSchemaBytes = 32 * MiB;
/** Columns of SQLite's list of what there is: type, name, table, root page, SQL. */
const rootPageColumn = 3;

/**
 * Reads SQLite's list of tables without SQLite, which would take all of it into memory.
 * @returns the first page of each table and index.
 * @throws {Problem} when there are more than any geodata has, or the list is damaged.
 */
export function readRootPages(pages: Pages): readonly number[] {
  const roots: number[] = [];
  let [entries, bytes] = [0, 0];
  walkTree(pages, 1, (payload) => {
    entries += 1;
    bytes += payload.bytes;
    if (entries > maxSchemaEntries)
      throw refused(
        `it holds more than ${maxSchemaEntries.toLocaleString('en')} tables, views, indexes and triggers`,
        'Save the layer that you need to a new GeoPackage',
      );
    if (bytes > maxSchemaBytes)
      throw refused(
        `the definitions of its tables are longer than ${maxSchemaBytes / MiB} MiB`,
        'Save the layer that you need to a new GeoPackage',
      );
    const { local, chain } = payload;
    const rest = chain === undefined ? [] : [readChain(pages, chain, payload.bytes - local.length)];
    const root = integerAt(Buffer.concat([local, ...rest]), rootPageColumn);
    // Views, triggers and virtual tables have no pages.
    if (root !== 0) roots.push(root);
  });
  return roots;
}

/** The whole number in a column of a record; 0 for anything else. @throws {Problem} */
function integerAt(record: Buffer, column: number): number {
  const header = readVarint(record, 0);
  let at = header.end;
  let valueAt = header.value;
  for (let i = 0; at < header.value; i += 1) {
    const type = readVarint(record, at);
    at = type.end;
    const bytes = bytesOf(type.value);
    if (i === column) return integerOf(record, type.value, valueAt, bytes);
    valueAt += bytes;
  }
  return 0;
}

function integerOf(record: Buffer, type: number, at: number, bytes: number): number {
  if (type === 9) return 1;
  if (type < 1 || type > 6) return 0;
  if (bytes > 6 || at + bytes > record.length) throw damaged('its list of tables is wrong');
  return record.readUIntBE(at, bytes);
}

/** How long a value of this serial type is: section 2.1 of SQLite's file format. */
function bytesOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][type] ?? 0;
}
