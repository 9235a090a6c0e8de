import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { type StoredTable, maxRows } from './stored-table.ts';

const maxTableBytes = 64 * 1024 * 1024;
const deletedMark = 0x2a;

/**
 * Reads the cells of the one .dbf in an archive, as far as they are written in ASCII; undefined where there is not one.
 * @throws where the file cannot be read
 */
export async function readZippedDbf(archive: Buffer): Promise<StoredTable | undefined> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true, validateEntrySizes: true });
  const tables: Buffer[] = [];
  for await (const entry of zip.eachEntry()) {
    const isTable = /\.dbf$/i.test(entry.fileName) && !/(?:^|\/)(?:\.|__MACOSX)/.test(entry.fileName);
    if (isTable && entry.uncompressedSize <= maxTableBytes)
      tables.push(await buffer(await zip.openReadStreamPromise(entry)));
  }
  const [table] = tables;
  return table === undefined || tables.length > 1 ? undefined : readDbf(table);
}

function readDbf(bytes: Buffer): StoredTable {
  const [count, headBytes, rowBytes] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  const columns: {
    readonly name: string;
    readonly type: string;
    readonly offset: number;
    readonly length: number;
  }[] = [];
  let offset = 1;
  for (let at = 32; at + 32 <= headBytes && bytes[at] !== 0x0d; at += 32) {
    const name = bytes.toString('latin1', at, at + 11).replace(/\0.*/s, '');
    const [type, length] = [bytes.toString('latin1', at + 11, at + 12), bytes.readUInt8(at + 16)];
    columns.push({ name, type, offset, length });
    offset += length;
  }
  const rows: (string | null | undefined)[][] = [];
  for (let row = 0; row < Math.min(count, maxRows); row += 1) {
    const at = headBytes + row * rowBytes;
    if (bytes[at] === deletedMark) continue;
    rows.push(
      columns.map(({ type, offset: place, length }) =>
        cellOf(type, bytes.toString('latin1', at + place, at + place + length)),
      ),
    );
  }
  return { columns: columns.map(({ name }) => name), rows };
}

/** The text of a cell, null for the marks of a missing value, or undefined for what is not to be compared. */
function cellOf(type: string, cell: string): string | null | undefined {
  if (!/^[\t -~]*$/.test(cell)) return undefined;
  const text = cell.trim();
  switch (type) {
    case 'N':
    case 'F':
      return /^(?:\*+|[+-]?(?:nan|1\.#(?:ind|qnan)\d*))?$/i.test(text) ? null : text;
    case 'D':
      return /^(?:\*+|0*)$/.test(text) ? null : text;
    case 'L':
      return /^[?*]?$/.test(text) ? null : text;
    case 'C':
      return text === '' ? null : text;
    default:
      return undefined;
  }
}
